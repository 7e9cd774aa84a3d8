#ifndef TESSERA_PHYSICS_MD_CASE_PAIR_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_PAIR_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/md/case/type_key.hpp"
#include "physics/md/mixing/mixing.hpp"
#include "physics/md/pair_potential/table_forces.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The section [pair] of a case.

namespace tessera::md {

/// An entry of [[pair.coefficients]]; names of values are those of its style. Numbers that a case
/// omits are absent.
struct CoefficientEntry {
  std::array<TypeReference, 2> types;
  std::optional<std::string> style;  ///< potential of these pairs; not given: pair.style
  std::map<std::string, double> values;
  cases::GivenPath file;  ///< file of a table
  std::string keyword;    ///< of the section in `file`; empty: its only section
  TableForces forces = TableForces::checked;
  cases::Origin origin = {};

  friend bool operator==(const CoefficientEntry&, const CoefficientEntry&) = default;

  [[nodiscard]] std::optional<double> value(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
};

struct PairSection {
  std::string style;
  double cutoff = 0;
  MixingRule mixing = MixingRule::geometric;
  bool tail = false;
  std::map<std::string, double> settings;  ///< of the style; a flag is 0 or 1
  std::vector<CoefficientEntry> coefficients;
  std::vector<CoefficientEntry> coefficients_14;
  cases::Origin origin = {};

  PairSection();
  friend bool operator==(const PairSection&, const PairSection&) = default;

  static cases::Section<PairSection> section();
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_PAIR_SECTION_HPP
