#ifndef TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_HPP
#define TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/transport/element.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/transport: moves the particles of a bunch through one element of a beam line.
///
/// Coordinates are those of Synergia ("fixed z"): x [m], x' = px / p_ref, y, y', cdt [m] = c times
/// the delay of its arrival behind the reference particle, dpop = (p - p_ref) / p_ref. Momenta are
/// in units of p_ref, energies in p_ref c: the mass is m = 1/(beta gamma), the energy of the
/// reference particle 1/beta. With t = x'^2 + y'^2 and q = dpop (2 + dpop) = p^2 - 1, pz^2 = 1 + q
/// - t and E^2 = 1 + q + m^2.
///
/// - linear map: v -> matrix v + constant.
/// - drift over a length L (E. Forest, Beam Dynamics (1998), the drift of the exact Hamiltonian;
///   Xsuite physics guide, exact drift):
///
///       x += L x' / pz,   y += L y' / pz,   cdt += L (E / pz - 1/beta)
///
///   the last one being path length L p / pz over the velocity p / E, less that of the reference
///   particle. E^2 - pz^2 / beta^2 = t / beta^2 - q m^2, so that it is
///
///       cdt += L (t / beta^2 - q m^2) / (pz (E + pz / beta))
///
///   which avoids subtracting nearly equal numbers.
/// - cavity, thin (Xsuite physics guide, cavity): at the same px and py
///
///       E += g,   g = energy_gain sin(phase + wave_number cdt)
///       dpop += g (2 E + g) / (p + sqrt(p^2 + g (2 E + g))),   E before the gain
///
/// A late particle passes at a later phase. The momentum p_ref of the reference particle does not
/// change; its own gain becomes a dpop.
/// - rectangle aperture: |x - center_x| <= half_x and |y - center_y| <= half_y pass.
/// - ellipse aperture: ((x - center_x) / half_x)^2 + ((y - center_y) / half_y)^2 <= 1 pass.
///
/// A particle is lost if it does not pass an aperture; if its momentum is not forward (pz^2 <= 0,
/// dpop <= -1, E <= 0) before a drift or after a cavity; and if a coordinate that the element
/// changes would not be finite. It keeps its coordinates at the entrance, is counted, and its
/// `alive` becomes 0 if that array is given; later calls do not change it. Its `lost_at` is set to
/// `code`, which the caller chooses, for example turn * elements + element + 1; `lost_at` of other
/// particles does not change.
///
/// Precisions: double and single, for the arrays; the arithmetic is in double. A drift changes x, y
/// and cdt, a cavity dpop, an aperture no coordinates.

namespace tessera::pic {

template <class Storage>
struct TransportArgs {
  /// particles x 6, any strides that keep elements apart.
  View<Storage, 2> coordinates;
  /// One flag per particle: particles with 0 are lost and skipped. Not given: all take part, and
  /// losses in this call are only counted.
  View<std::uint8_t, 1> alive;
  /// One number per particle; optional, and only with `alive`.
  View<std::int64_t, 1> lost_at;
  std::int64_t code = 1;  ///< value that `lost_at` gets for a lost particle; not 0
  ReferenceParticle reference;
  Element element;
  /// One element: number of particles that this call lost.
  View<std::int64_t, 1> lost;
};

/// A plan serves elements of every kind.
struct TransportProblem {
  std::int64_t particles = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const TransportProblem& problem) {
  return {.size = problem.particles};
}

/// Checks the arguments of a call.
class TransportCheck {
 public:
  explicit TransportCheck(const TransportProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("coordinates", args.coordinates, {problem_.particles, 6});
    visit.optional("alive", args.alive, {problem_.particles});
    visit.optional("lost_at", args.lost_at, {problem_.particles});
    visit.at_least("lost", args.lost, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const TransportArgs<Storage>& args) const;

 private:
  TransportProblem problem_;
};

/// \throws ArgumentError about `element` where a number that its kind uses is invalid.
void check_element(const ArgumentCheck& check, const Element& element);

struct Transport : PlainOperation<TransportArgs, TransportProblem> {
  static constexpr std::string_view name = "pic/transport";
  using Check = TransportCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together or a number is invalid.
template <class Storage>
[[nodiscard]] TransportProblem transport_problem(const TransportArgs<Storage>& args);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void transport(const Context& context, const TransportArgs<typename P::Storage>& args) {
  run_once<Transport, P>(transport_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_TRANSPORT_TRANSPORT_HPP
