#ifndef TESSERA_PHYSICS_PIC_CASE_ELEMENT_KINDS_HPP
#define TESSERA_PHYSICS_PIC_CASE_ELEMENT_KINDS_HPP

#include "core/case/field.hpp"
#include "physics/pic/beam_line/beam_element.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Elements of a case: `[[lattice.element]]` by its type.

namespace tessera::pic {

[[nodiscard]] std::string_view name(ApertureShape shape);

struct ElementEntry {
  std::string type;
  std::string name;                       ///< empty: the type
  std::map<std::string, double> numbers;  ///< of the type, by key
  std::optional<std::int64_t> kicks;      ///< of space charge; of the lattice where not given
  ApertureShape shape = ApertureShape::rectangle;  ///< of an aperture
  std::vector<double> matrix;                      ///< of a matrix
  std::vector<double> constant;
  cases::Origin origin = {};

  friend bool operator==(const ElementEntry&, const ElementEntry&) = default;

  static cases::Rows<ElementEntry> rows();
  [[nodiscard]] const std::string& shown_name() const { return name.empty() ? type : name; }
};

/// What numbers of elements are relative to.
struct ElementUnits {
  double rest_energy = 0;   ///< [eV]
  double charge_state = 0;  ///< in elementary charges
  ReferenceParticle reference;
};

/// \throws ArgumentError as check_beam_element.
[[nodiscard]] BeamElement beam_element(const ElementEntry& entry, const ElementUnits& units);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_ELEMENT_KINDS_HPP
