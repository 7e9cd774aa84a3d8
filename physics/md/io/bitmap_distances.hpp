#ifndef TESSERA_PHYSICS_MD_IO_BITMAP_DISTANCES_HPP
#define TESSERA_PHYSICS_MD_IO_BITMAP_DISTANCES_HPP

#include <cstdint>
#include <vector>

/// \file
/// Distances of a bitmapped table (LAMMPS documentation, "pair_style table", BITMAP; Wolff and
/// Rudd, Comput. Phys. Commun. 120, 200).

namespace tessera::md {

/// The distance of each row, in the order of the file.
///
/// The number of a row, from 0, gives some of the bits of r^2 in single precision: the lowest bits
/// of the exponent, as many as the range from low^2 to high^2 requires, followed by the highest
/// bits of the mantissa. The bits above these are those of low^2, or, if r^2 would then be less
/// than low^2, those of high^2; the bits below are zero. Hence neither the first row nor the last
/// one is necessarily an end of the table, and some rows may be below `low` or beyond `high`.
///
/// Empty if no such table exists: `points` is not a power of two, or leaves less than three or more
/// than 23 bits for the mantissa, r^2 is out of the range of single precision, or no row lies below
/// `high`.
/// \pre 0 < low < high
[[nodiscard]] std::vector<double> bitmap_distances(double low, double high, std::int64_t points);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_BITMAP_DISTANCES_HPP
