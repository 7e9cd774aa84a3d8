#ifndef TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/md/case/type_key.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The section [bond] of a case.

namespace tessera::md {

struct BondCoefficientEntry {
  TypeReference type = std::int64_t{1};
  std::optional<std::string> style;      ///< not given: that of the section
  std::map<std::string, double> values;  ///< by the names of the fields of the style
  cases::Origin origin = {};

  friend bool operator==(const BondCoefficientEntry&, const BondCoefficientEntry&) = default;
};

struct BondSection {
  std::string style = "harmonic";
  std::vector<BondCoefficientEntry> coefficients;
  cases::Origin origin = {};

  friend bool operator==(const BondSection&, const BondSection&) = default;

  static cases::Section<BondSection> section();
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_BOND_SECTION_HPP
