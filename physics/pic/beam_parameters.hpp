#ifndef TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP
#define TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP

#include "physics/pic/bunch_moments.hpp"
#include "physics/pic/reference_particle.hpp"

/// \file
/// Beam parameters from second moments. For coordinates (x, x') of a plane with c = <x x'> about
/// the means,
///
///     emittance = sqrt(<x^2> <x'^2> - c^2),
///     beta = <x^2> / emittance,  gamma = <x'^2> / emittance,  alpha = -c / emittance,
///
/// so that beta gamma - alpha^2 = 1 (H. Wiedemann, Particle Accelerator Physics (2015), chapter 8;
/// J. Buon, "Beam phase space and emittance", CERN 91-04 (1991)). With x' = px / p_ref the
/// normalised emittance is this emittance times beta gamma of the reference particle: the area in x
/// and px / (m c) (K. Floettmann, Phys. Rev. ST Accel. Beams 6, 034202 (2003)). The plane of
/// columns 4 and 5 keeps its own units; its normalised emittance has the unit of column 4 where
/// column 5 is in units of p_ref.
///
/// The emittance of four (six) dimensions is the square root of the determinant of the moments of
/// columns 0 to 3 (0 to 5). It equals the product of the two (three) emittances if planes are not
/// coupled, and always that of the eigen-emittances (A. J. Dragt, F. Neri and G. Rangarajan, Phys.
/// Rev. A 45, 2572 (1992)). Normalised: times the square (cube) of beta gamma.
///
/// 2x2 determinants are accurate to two units in the last place for the given moments (Kahan's
/// algorithm; C.-P. Jeannerod, N. Louvet and J.-M. Muller, Math. Comp. 82, 2245 (2013)). Larger
/// determinants are computed by elimination of such 2x2 blocks. A determinant that is negative
/// because of rounding of the moments is set to zero. Quotients with a divisor of zero are NaN:
/// correlations of a coordinate that is the same for all particles, optical functions of a beam
/// without emittance.

namespace tessera::pic {

/// Parameters of one pair of columns: 0 and 1, 2 and 3, or 4 and 5.
struct PlaneParameters {
  double emittance = 0;
  double normalised_emittance = 0;
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
};

struct BeamParameters {
  double deviation[6] = {};  ///< rms sizes: roots of the diagonal
  /// Second moments over the product of the two deviations, -1 to 1.
  double correlation[6][6] = {};
  PlaneParameters plane[3];
  double emittance_4d = 0;
  double emittance_6d = 0;
  double normalised_emittance_4d = 0;
  double normalised_emittance_6d = 0;
};

/// All parameters NaN: the result for no particles, or for particles with a total weight of 0.
[[nodiscard]] BeamParameters no_beam_parameters();

/// \throws ArgumentError for moments without particles or that are not finite, and for a reference
/// particle without a positive and finite momentum.
[[nodiscard]] BeamParameters beam_parameters(const BunchMoments& moments,
                                             const ReferenceParticle& reference);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP
