#ifndef TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP
#define TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/reference_particle.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/frame_change: Lorentz boost of the longitudinal coordinates of particles from those of an
/// accelerator code to the rest frame of the reference particle, the beam frame, and back.
/// Transverse positions and momenta do not change.
///
/// Momenta are in units of the reference momentum p_ref, energies in p_ref c; the mass is m =
/// 1/(beta gamma), the energy of the reference particle 1/beta, t = x'^2 + y'^2. The beam frame has
/// z* = gamma z, z = -beta c (arrival time - that of the reference particle), and the momentum of
/// the Lorentz transform, zp = gamma (pz - beta E). Evaluated in this form it loses 2 log10(gamma)
/// digits. With q = p^2 - 1, pz^2 = 1 + q - t and E^2 = 1 + q + m^2
///
///     pz^2 - beta^2 E^2 = q / gamma^2 - t,   hence
///     zp = (q / gamma - gamma t) / (pz + beta E)
///
/// and back, with E* = sqrt(t + zp^2 + m^2) and dz = pz - 1,
///
///     dz = gamma zp + beta gamma (t + zp^2) / (E* + m),   q = t + dz (2 + dz)
///
/// without subtraction of nearly equal numbers. The momentum and the energy of a particle are 1 + q
/// / (1 + sqrt(1 + q)) and 1/beta + q / (E + 1/beta).
///
/// A particle whose longitudinal momentum in the accelerator frame is not forward (pz^2 < 0, pz <
/// 0, an energy below m, numbers that are not finite) cannot be converted. It keeps its coordinates
/// and is counted; its `alive` is set to 0 where the array is given.
///
/// Precisions: double and single, for the arrays; the arithmetic is in double.

namespace tessera::pic {

/// Convention of columns 4 and 5 in the accelerator frame. All lengths have the same unit.
enum class LongitudinalCoordinates {
  cdt_dpop,   ///< c times the delay of a particle, (p - p_ref) / p_ref: Synergia, "fixed z"
  zeta_ptau,  ///< -beta c times the delay, (E - E_ref) / (p_ref c): Xsuite, physics guide
  /// t: c times the delay; pt: -(E - E_ref) / (p_ref c): ImpactX, coordinates and units.
  t_pt
};

[[nodiscard]] constexpr std::string_view name(LongitudinalCoordinates coordinates) {
  switch (coordinates) {
    case LongitudinalCoordinates::cdt_dpop:
      return "cdt_dpop";
    case LongitudinalCoordinates::zeta_ptau:
      return "zeta_ptau";
    case LongitudinalCoordinates::t_pt:
      return "t_pt";
  }
  return "unknown";
}

/// Length in the beam frame per unit of column 4: the factor by which a grid in column 4 must be
/// stretched.
[[nodiscard]] inline double stretch(LongitudinalCoordinates coordinates,
                                    const ReferenceParticle& reference) {
  return coordinates == LongitudinalCoordinates::zeta_ptau ? reference.gamma()
                                                           : reference.beta_gamma;
}

enum class Frame { accelerator, beam };

template <class Storage>
struct FrameChangeArgs {
  /// particles x 6, any strides: x, x' = px / p_ref, y, y', and the longitudinal columns 4 and 5,
  /// which are changed.
  View<Storage, 2> coordinates;
  /// One flag per particle: particles with 0 are lost and skipped. Not given: all are alive.
  View<std::uint8_t, 1> alive;
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  Frame to = Frame::beam;
  /// One element: number of particles of this call that could not be converted.
  View<std::int64_t, 1> impossible;
};

struct FrameChangeProblem {
  std::int64_t particles = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const FrameChangeProblem& problem) {
  return {.size = problem.particles};
}

/// Checks the arguments of a call.
class FrameChangeCheck {
 public:
  explicit FrameChangeCheck(const FrameChangeProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("coordinates", args.coordinates, {problem_.particles, 6});
    visit.optional("alive", args.alive, {problem_.particles});
    visit.choice("to", args.to, {Frame::accelerator, Frame::beam}, "accelerator, beam");
    visit.at_least("impossible", args.impossible, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const FrameChangeArgs<Storage>& args) const;

 private:
  FrameChangeProblem problem_;
};

/// Checks the argument "accelerator". \throws ArgumentError for an unknown value.
void check_longitudinal(const ArgumentCheck& check, LongitudinalCoordinates accelerator);

struct FrameChange : PlainOperation<FrameChangeArgs, FrameChangeProblem> {
  static constexpr std::string_view name = "pic/frame_change";
  using Check = FrameChangeCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together or the reference particle is invalid.
template <class Storage>
[[nodiscard]] FrameChangeProblem frame_change_problem(const FrameChangeArgs<Storage>& args);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void change_frame(const Context& context, const FrameChangeArgs<typename P::Storage>& args) {
  run_once<FrameChange, P>(frame_change_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP
