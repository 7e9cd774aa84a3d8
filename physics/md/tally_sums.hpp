#ifndef TESSERA_PHYSICS_MD_TALLY_SUMS_HPP
#define TESSERA_PHYSICS_MD_TALLY_SUMS_HPP

/// \file
/// Energy and virial that kernels sum.

namespace tessera::md {

/// Sums over a range of atoms. Every pair is counted twice, once for each of its atoms.
struct Tally {
  double energy = 0;
  double virial[6] = {};  ///< xx yy zz xy xz yz
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_TALLY_SUMS_HPP
