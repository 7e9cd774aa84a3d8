#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Comparison of the forces of a tabulated pair potential with the slopes of its energies.

namespace tessera::md {

struct TabulatedPair;

/// Treatment of the forces of a table.
enum class TableForces {
  checked,  ///< a table whose forces contradict its energies is refused
  file,     ///< used without a check
};

[[nodiscard]] std::string_view name(TableForces forces);

/// Result of the check of a table with forces that are not -dE/dr.
struct WrongForces {
  std::size_t point;  ///< index of the first wrong force
  double least;       ///< smallest force at this point that the energies allow
  double most;
  std::size_t wrong;   ///< number of points with wrong forces
  std::size_t judged;  ///< number of points that could be checked
};

/// Result if more than 1 % of the points that can be checked have a force that is not -dE/dr; else
/// nullopt.
///
/// By the mean value theorem the slope of -E between two points is the force at a distance between
/// them. Where the slopes of four successive intervals increase or decrease, the force at the
/// middle point therefore lies between the slopes of the two intervals beside it. Elsewhere (near
/// an extremum of the force, a step of the energy, or an end of the table) it may exceed the range
/// of the four slopes by twice their spread. Possible rounding widens both ranges: a number is
/// assumed to have as many digits as the longest number of its array, but at most 24 bits; points
/// closer than twenty times the rounding of their distances are skipped. The first and last point,
/// and tables of fewer than four points, are not checked.
///
/// \pre check_tabulated_pair does not throw
[[nodiscard]] std::optional<WrongForces> find_wrong_forces(const TabulatedPair& table);

/// One line of text: the point, its force, and the range that the energies allow.
[[nodiscard]] std::string text_of(const WrongForces& forces, const TabulatedPair& table);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP
