#ifndef TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP
#define TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/reference_particle.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/frame_change: the longitudinal coordinates of particles, from those of an accelerator code
/// into the frame in which the reference particle rests, and back. Where a particle is across the
/// beam, and its transverse momenta, are the same in both.
///
/// Momenta are in units of that of the reference particle, p_ref, energies in p_ref c; the mass is
/// m = 1/(beta gamma), the energy of the reference particle 1/beta, t = x'^2 + y'^2. In the frame
/// of the beam there are z* = gamma z, z = -beta c (arrival time - that of the reference particle),
/// and the momentum of the Lorentz transform, zp = gamma (pz - beta E). As it stands that loses 2
/// log10(gamma) digits. With q = p^2 - 1, pz^2 = 1 + q - t and E^2 = 1 + q + m^2
///
///     pz^2 - beta^2 E^2 = q / gamma^2 - t,   hence
///     zp = (q / gamma - gamma t) / (pz + beta E)
///
/// and back, with E* = sqrt(t + zp^2 + m^2) and dz = pz - 1,
///
///     dz = gamma zp + beta gamma (t + zp^2) / (E* + m),   q = t + dz (2 + dz)
///
/// none of which subtracts what is nearly equal. The momentum and the energy of a particle are
/// 1 + q / (1 + sqrt(1 + q)) and 1/beta + q / (E + 1/beta).
///
/// A particle without a longitudinal momentum forward in the frame of the accelerator (pz^2 < 0,
/// pz < 0, an energy below m, what is not finite) cannot be converted. It keeps its coordinates, is
/// counted, and is lost where `alive` says who is.
///
/// Precisions: double and single, which is of the arrays; the arithmetic is in double.

namespace tessera::pic {

/// Columns 4 and 5 in the frame of the accelerator. All lengths in one unit.
enum class LongitudinalCoordinates {
  cdt_dpop,   ///< c times how late a particle is, (p - p_ref) / p_ref: Synergia, "fixed z"
  zeta_ptau,  ///< -beta times that, (E - E_ref) / (p_ref c): Xsuite, physics guide
  t_pt        ///< c times how late, -(E - E_ref) / (p_ref c): ImpactX, coordinates and units
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

/// The length in the frame of the beam for a unit of column 4: by how much a grid of column 4 is
/// stretched there.
[[nodiscard]] inline double stretch(LongitudinalCoordinates coordinates,
                                    const ReferenceParticle& reference) {
  return coordinates == LongitudinalCoordinates::zeta_ptau ? reference.gamma()
                                                           : reference.beta_gamma;
}

enum class Frame { accelerator, beam };

template <class Storage>
struct FrameChangeArgs {
  /// particles x 6, any strides: x, x' = px / p_ref, y, y', and the two that change.
  View<Storage, 2> coordinates;
  /// By particle: 0 is lost and passed over. Not given: all count.
  View<std::uint8_t, 1> alive;
  ReferenceParticle reference;
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  Frame to = Frame::beam;
  /// One element: how many particles of this call could not be converted.
  View<std::int64_t, 1> impossible;
};

struct FrameChangeProblem {
  std::int64_t particles = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const FrameChangeProblem& problem) {
  return {.size = problem.particles};
}

/// What a call needs.
class FrameChangeCheck {
 public:
  explicit FrameChangeCheck(const FrameChangeProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const FrameChangeArgs<Storage>& args) const;

 private:
  FrameChangeProblem problem_;
};

/// Of the argument "accelerator". \throws ArgumentError where there are no such coordinates.
void check_longitudinal(const ArgumentCheck& check, LongitudinalCoordinates accelerator);

struct FrameChange : PlainOperation<FrameChangeArgs, FrameChangeProblem> {
  static constexpr std::string_view name = "pic/frame_change";
  using Check = FrameChangeCheck;
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together or the reference particle makes no sense.
template <class Storage>
[[nodiscard]] FrameChangeProblem frame_change_problem(const FrameChangeArgs<Storage>& args);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void change_frame(const Context& context, const FrameChangeArgs<typename P::Storage>& args) {
  run_once<FrameChange, P>(frame_change_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_FRAME_CHANGE_FRAME_CHANGE_HPP
