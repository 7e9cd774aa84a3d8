#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// Whether the forces of a tabulated pair potential are the slopes of its energies.

namespace tessera::md {

struct TabulatedPair;

/// How the forces of a table are taken.
enum class TableForces {
  checked,  ///< a table is refused where they contradict its energies
  file,     ///< as they are
};

[[nodiscard]] std::string_view name(TableForces forces);

/// Forces that are not -dE/dr.
struct WrongForces {
  std::size_t point;  ///< index of the first one
  double least;       ///< smallest force that the energies allow there
  double most;
  std::size_t wrong;   ///< how many there are
  std::size_t judged;  ///< number of points that could be judged
};

/// Points whose force is not -dE/dr, if these are more than 1 % of those that can be judged.
///
/// By the mean value theorem the slope of the energy between two points is the force at a distance
/// between them. Where forces grow or fall over four intervals in turn, that of the point in the
/// middle therefore lies between the slopes of the two intervals beside it. Elsewhere (near an
/// extremum of the force, a step of the energy, an end of the table) it may lie beyond the slopes
/// of all four by twice as much as they differ. To both is added what rounding may do: a number is
/// taken to have as many digits as the longest of its array, and at most 24 bits; points that are
/// closer than twenty times the rounding of their distances are passed over. The first point and
/// the last one are not judged, nor is a table of fewer than four.
///
/// \pre check_tabulated_pair holds
[[nodiscard]] std::optional<WrongForces> find_wrong_forces(const TabulatedPair& table);

/// One line on them: where, what is there, what the energies say.
[[nodiscard]] std::string text_of(const WrongForces& forces, const TabulatedPair& table);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_TABLE_FORCES_HPP
