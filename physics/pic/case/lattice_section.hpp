#ifndef TESSERA_PHYSICS_PIC_CASE_LATTICE_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_LATTICE_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/beam_line/beam_line.hpp"
#include "physics/pic/case/element_kinds.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The section [lattice] of a case.

namespace tessera::pic {

/// Elements of one turn, and the numbers of space-charge kicks in them.
struct LatticeSection {
  std::vector<ElementEntry> elements;
  std::vector<std::string>
      sequence;  ///< names of elements in order; empty: all elements, once each
  std::int64_t repeat = 1;
  std::optional<std::int64_t> kicks;
  std::optional<double> kick_length;
  cases::Origin origin = {};

  friend bool operator==(const LatticeSection&, const LatticeSection&) = default;

  static cases::Section<LatticeSection> section();
};

/// A beam line and the number of kicks in each of its elements.
struct BuiltLattice {
  BeamLine line;
  std::vector<int> kicks;
};

/// \throws InputError with the line of an element with invalid numbers.
[[nodiscard]] BuiltLattice build_lattice(const LatticeSection& section, const ElementUnits& units);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_LATTICE_SECTION_HPP
