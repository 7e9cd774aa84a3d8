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
/// Elements of a case, the tables [[lattice.element]], by type.

namespace tessera::pic {

[[nodiscard]] std::string_view name(ApertureShape shape);

struct ElementEntry {
  std::string type;
  std::string name;                       ///< empty: the type is the name
  std::map<std::string, double> numbers;  ///< numbers of the type, by key
  /// Number of space-charge kicks in the element; absent: as in the lattice.
  std::optional<std::int64_t> kicks;
  ApertureShape shape = ApertureShape::rectangle;  ///< shape of an aperture
  std::vector<double> matrix;                      ///< map of a matrix element
  std::vector<double> constant;
  cases::Origin origin = {};

  friend bool operator==(const ElementEntry&, const ElementEntry&) = default;

  static cases::Rows<ElementEntry> rows();
  [[nodiscard]] const std::string& shown_name() const { return name.empty() ? type : name; }
};

/// Properties of the beam that convert numbers of entries to those of elements.
struct ElementUnits {
  double rest_energy = 0;   ///< [eV]
  double charge_state = 0;  ///< in elementary charges
  ReferenceParticle reference;
};

/// \throws ArgumentError as check_beam_element does.
[[nodiscard]] BeamElement beam_element(const ElementEntry& entry, const ElementUnits& units);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_ELEMENT_KINDS_HPP
