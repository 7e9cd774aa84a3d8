#ifndef TESSERA_TESTS_ANALYTIC_PIC_KV_ENVELOPE_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_KV_ENVELOPE_HPP

#include <functional>

/// \file
/// The envelope equations of a beam of uniform density across (I. M. Kapchinskij, V. V.
/// Vladimirskij, Proc. Int. Conf. on High Energy Accelerators, 1959; M. Reiser, Theory and Design
/// of Charged Particle Beams (2008), section 5.3.2):
///
///     a'' + k a - 2 K / (a + b) - e^2 / a^3 = 0,   b'' - k b - 2 K / (a + b) - e^2 / b^3 = 0
///
/// for radii a and b (twice the standard deviations), the emittance e (four times the rms
/// emittance), the focusing k(s) and the perveance
/// K = q lambda / (2 pi epsilon_0 m c^2 beta^2 gamma^3).

namespace tessera::pic::analytic {

struct Envelope {
  double a = 0, a_slope = 0, b = 0, b_slope = 0;  ///< radii [m] and their derivatives by s
  double phase_x = 0, phase_y = 0;                ///< int e / a^2 ds [rad]
};

struct EnvelopeProblem {
  std::function<double(double)> focusing;  ///< k(s) [1/m^2], constant between multiples of a step
  double cell = 0;                         ///< length [m], symmetric about its middle
  int steps = 0;                           ///< number of integration steps of a cell, even
  double perveance = 0;
  double emittance = 0;  ///< [m]
};

/// The envelope after `steps` steps of the classical fourth-order Runge-Kutta method.
[[nodiscard]] Envelope advanced(const EnvelopeProblem& problem, const Envelope& start,
                                int first_step, int steps);

/// The periodic envelope at the start of a cell: a' = b' = 0 there and in the middle of the cell.
/// \param guess radii to start the search from.
[[nodiscard]] Envelope matched(const EnvelopeProblem& problem, const Envelope& guess);

/// Sets problem.perveance so that space charge reduces the phase advance of a cell to `phase`
/// [rad], and returns the matched envelope.
[[nodiscard]] Envelope matched_with_phase(EnvelopeProblem& problem, const Envelope& guess,
                                          double phase);

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_KV_ENVELOPE_HPP
