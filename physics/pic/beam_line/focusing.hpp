#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_FOCUSING_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_FOCUSING_HPP

/// \file
/// Solutions of u'' + K u = 0 and their integrals, which the map of a bend contains.

namespace tessera::pic {

/// Solutions over a length L, for K of any sign, accurate also for K near 0.
struct Focusing {
  double cosine;          ///< C: solution with u(0) = 1, u'(0) = 0
  double sine;            ///< S: solution with u(0) = 0, u'(0) = 1; [m]
  double cosine_missing;  ///< (1 - C) / K, the integral of S [m^2]
  double sine_missing;    ///< (L - S) / K, the integral of (1 - C) / K [m^3]
};

[[nodiscard]] Focusing focusing(double strength, double length);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_FOCUSING_HPP
