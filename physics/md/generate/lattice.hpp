#ifndef TESSERA_PHYSICS_MD_GENERATE_LATTICE_HPP
#define TESSERA_PHYSICS_MD_GENERATE_LATTICE_HPP

#include "physics/md/system.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// \file
/// Crystals as initial positions.

namespace tessera::md {

enum class Lattice { sc, bcc, fcc, diamond };

[[nodiscard]] std::string_view name(Lattice lattice);
/// \throws SelectionError when `text` is none of sc, bcc, fcc, diamond.
[[nodiscard]] Lattice lattice_from_name(std::string_view text);
/// Sites of one cubic cell: 1, 2, 4, 8.
[[nodiscard]] int sites_per_cell(Lattice lattice);
/// Edge of the cubic cell for a density of `density` atoms per volume: cbrt(sites / density). In
/// two dimensions, `density` is the number of atoms per area of one layer of cells:
/// sqrt(sites / density).
[[nodiscard]] double lattice_constant(Lattice lattice, double density, int dimensions = 3);

struct LatticeOptions {
  Lattice lattice = Lattice::fcc;
  double constant = 1;                            ///< edge of the cubic cell, length, > 0
  std::array<std::int64_t, 3> cells = {1, 1, 1};  ///< cubic cells in x, y, z, each > 0
  std::array<bool, 3> periodic = {true, true, true};
  double jitter = 0;  ///< length, >= 0; each coordinate is moved by a uniform number in +-jitter
  std::uint64_t jitter_seed = 0;
  std::vector<AtomType> types = {{"1", 1.0}};
  std::vector<int> site_types = {};  ///< 0-based type of each site of the cell; all 0 where empty
};

/// Atoms on a lattice in the box [0, cells * constant). Cells follow each other with x fastest,
/// then y, then z; within a cell the sites are in the order (0,0,0), then for bcc (1/2,1/2,1/2),
/// for fcc (0,1/2,1/2), (1/2,0,1/2), (1/2,1/2,0), for diamond the four of fcc and then the same
/// moved by (1/4,1/4,1/4). Ids count from 1 in this order; images are zero. Atoms that jitter moves
/// out of the box are wrapped in periodic directions and placed on the face in others.
/// \throws ArgumentError when an option is outside its range or there are more than 2^31 - 1 atoms.
[[nodiscard]] System make_lattice(const LatticeOptions& options);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_GENERATE_LATTICE_HPP
