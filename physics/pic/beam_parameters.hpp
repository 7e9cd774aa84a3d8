#ifndef TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP
#define TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP

#include "physics/pic/bunch_moments.hpp"
#include "physics/pic/reference_particle.hpp"

/// \file
/// What second moments say of a beam. Of coordinates (x, x') of a plane with c = <x x'> about the
/// means,
///
///     emittance = sqrt(<x^2> <x'^2> - c^2),
///     beta = <x^2> / emittance,  gamma = <x'^2> / emittance,  alpha = -c / emittance,
///
/// so that beta gamma - alpha^2 = 1 (H. Wiedemann, Particle Accelerator Physics (2015), chapter 8;
/// J. Buon, "Beam phase space and emittance", CERN 91-04 (1991)). With x' = px / p_ref the
/// normalised emittance is beta gamma of the reference particle times that: the area in x and
/// px / (m c) (K. Floettmann, Phys. Rev. ST Accel. Beams 6, 034202 (2003)). The plane of columns 4
/// and 5 is taken in their own units, and its normalised emittance is in those of column 4 where
/// column 5 is in units of p_ref.
///
/// The emittance of four and of six dimensions is the root of the determinant of the moments of
/// columns 0 to 3 and 0 to 5: the product of two or three emittances where planes are not coupled,
/// and of the eigen-emittances always (A. J. Dragt, F. Neri and G. Rangarajan, Phys. Rev. A 45,
/// 2572 (1992)). Normalised: times beta gamma squared or cubed.
///
/// Determinants of two rows are right to two units in the last place of what the moments are
/// (Kahan's algorithm; C.-P. Jeannerod, N. Louvet and J.-M. Muller, Math. Comp. 82, 2245 (2013)),
/// those of more are eliminated by such blocks. One that rounding of the moments has taken below
/// zero is zero. Numbers over zero are NaN: correlations of a coordinate that is the same for all
/// particles, the optical functions of a beam without emittance.

namespace tessera::pic {

/// One pair of columns: 0 and 1, 2 and 3, 4 and 5.
struct PlaneParameters {
  double emittance = 0;
  double normalised_emittance = 0;
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
};

struct BeamParameters {
  double deviation[6] = {};       ///< rms sizes: roots of the diagonal
  double correlation[6][6] = {};  ///< moments over the product of two deviations, -1 to 1
  PlaneParameters plane[3];
  double emittance_4d = 0;
  double emittance_6d = 0;
  double normalised_emittance_4d = 0;
  double normalised_emittance_6d = 0;
};

/// All NaN, as the moments of no particles or of particles without weight are.
[[nodiscard]] BeamParameters no_beam_parameters();

/// \throws ArgumentError for moments of no particle or that are not finite, and for a reference
///     particle without a momentum.
[[nodiscard]] BeamParameters beam_parameters(const BunchMoments& moments,
                                             const ReferenceParticle& reference);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_PARAMETERS_HPP
