#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/shape_order.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/charge_deposit: the charge density of particles on the nodes of a grid.
///
///     density(i, j, k) += charge * w_p / (hx hy hz) * W(x_p - x_i) W(y_p - y_j) W(z_p - z_k)
///
/// summed over particles p, with the W of the problem's shape order, a function of the distance in
/// spacings (physics/pic/particle_shape.hpp): cloud-in-cell (1), triangular-shaped cloud (2) or
/// cubic (3).
///
/// All nodes receive charge. A particle with a share for a node off the grid (physics/pic/grid.hpp)
/// deposits nothing and is counted in `outside`; so are particles with a NaN or infinite
/// coordinate. The sum over nodes of density * hx hy hz therefore equals the charge of the
/// particles on the grid; without periodic directions the first moments are equal too. In a
/// periodic direction nodes wrap, even if the direction has fewer nodes than share a particle.
///
/// A lost particle is neither deposited nor counted.
///
/// A particle of weight 0 is a probe: it adds exactly zero to the nodes, and is counted in
/// `outside` as others are. pic/gather_kick, which has no weights, kicks it.
///
/// Precisions: double and single. Positions are converted to grid coordinates in double in either
/// precision; single multiplies and adds in float. Sums to which several threads add in no fixed
/// order vary in their low bits: the determinism of an implementation states whether they do.

namespace tessera::pic {

/// Whether a deposit replaces the former content of the density or adds to it.
enum class DepositMode { overwrite, add };

template <class Storage>
struct ChargeDepositArgs {
  View<const Storage, 2> positions;   ///< particles x 3
  View<const Storage, 1> weights;     ///< one per particle, of any sign; not given: 1
  View<const std::uint8_t, 1> alive;  ///< one flag per particle: 0 is lost; not given: all count
  double charge = 1;                  ///< charge of a particle of weight 1
  Grid grid;
  /// nx x ny x nz, indices (x, y, z), charge per volume; any strides for which elements do not
  /// overlap. A dense view has z fastest; strides {1, nx, nx * ny} have x fastest.
  View<Storage, 3> density;
  DepositMode mode = DepositMode::overwrite;
  /// One element: number of particles of this call that are off the grid. Overwritten in either
  /// mode.
  View<std::int64_t, 1> outside;
};

/// Order of the particles in memory, if the caller knows it.
enum class ParticleOrder {
  unknown,
  sorted,   ///< by cell
  drifted,  ///< sorted some steps before, and moved since
  random
};

/// A plan serves any number of particles up to `particles`. Position and spacing of the grid may
/// change between calls; all else must stay the same.
struct ChargeDepositProblem {
  std::int64_t particles = 0;
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  bool weighted = false;
  bool lossy = false;                            ///< whether `alive` is given
  ParticleOrder order = ParticleOrder::unknown;  ///< results never depend on it
  /// 1, 2 or 3: order + 1 nodes share a particle in each direction. A direction that is not
  /// periodic must have more nodes than the order.
  int shape_order = 1;
  /// Least determinism that an implementation must guarantee. With any_order the density has the
  /// same bits for any order of the particles, number of threads, backend and device: each weight
  /// is rounded to an integer, which is at most 2^52 for the largest weight, or less for calls with
  /// 2,048 particles or more, and the integer shares of a particle add up to its integer. From
  /// eight particles per node on, positions are rounded to 2^-38 of a spacing. If a weight of a
  /// particle on the grid is not finite, all of the density becomes NaN.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] ProblemKey problem_key(const ChargeDepositProblem& problem);

[[nodiscard]] constexpr std::string_view name(ParticleOrder order) {
  switch (order) {
    case ParticleOrder::unknown:
      return "unknown";
    case ParticleOrder::sorted:
      return "sorted";
    case ParticleOrder::drifted:
      return "drifted";
    case ParticleOrder::random:
      return "random";
  }
  return "unknown";
}

/// Checks the arguments of a call.
class ChargeDepositCheck {
 public:
  explicit ChargeDepositCheck(const ChargeDepositProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t particles = args.positions.extents[0];
    const std::int64_t* const n = problem_.nodes;
    visit.at_most_rows("positions", args.positions, {problem_.particles, 3});
    visit.optional("weights", args.weights, {particles});
    visit.optional("alive", args.alive, {particles});
    visit.finite("charge", args.charge);
    visit.output("density", args.density, {n[0], n[1], n[2]});
    visit.choice("mode", args.mode, {DepositMode::overwrite, DepositMode::add}, "overwrite, add");
    visit.at_least("outside", args.outside, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const ChargeDepositArgs<Storage>& args) const;

 private:
  ChargeDepositProblem problem_;
};

/// Features that an implementation of pic/charge_deposit may lack.
struct DepositFeatures {
  int shape_orders = 1;           ///< largest order of the particle shape; 1: cloud-in-cell only
  bool passes_over_lost = false;  ///< accepts problems that are `lossy`
};

/// `prepare` is a hint: an implementation may choose its algorithm by the order of the particles in
/// memory. Call it again after the particles were sorted; results never depend on it.
struct ChargeDeposit
    : PlainOperation<ChargeDepositArgs, ChargeDepositProblem,
                     OperationTraits{.prepare = Prepare::hint, .selects_determinism = true},
                     DepositFeatures> {
  static constexpr std::string_view name = "pic/charge_deposit";
  using Check = ChargeDepositCheck;
  [[nodiscard]] static Refusal refuse(const ChargeDepositProblem& problem,
                                      const DepositFeatures& features) {
    if (problem.lossy && !features.passes_over_lost)
      return "takes no bunches with particles that are lost; <backend>.portable does";
    return refuse_shape_order(problem.shape_order, features.shape_orders);
  }
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together, the grid is invalid or the order is not
/// supported.
template <class Storage>
[[nodiscard]] ChargeDepositProblem charge_deposit_problem(
    const ChargeDepositArgs<Storage>& args, int shape_order = 1,
    Determinism determinism = Determinism::none);

/// \throws ParticleError with the first particle that has a NaN or infinite coordinate or weight.
template <class P>
void require_finite_particles(const Context& context,
                              const ChargeDepositArgs<typename P::Storage>& args);

/// One call on the caller's arrays with the selected implementation, after a check of all
/// coordinates and weights. Keep a plan for repeated calls with the same sizes.
/// \throws ParticleError with the first particle that has a NaN or infinite coordinate or weight;
/// the arrays are not changed then.
template <class P = Double>
void charge_deposit(const Context& context, const ChargeDepositArgs<typename P::Storage>& args,
                    int shape_order = 1, Determinism determinism = Determinism::none) {
  const ChargeDepositProblem problem = charge_deposit_problem(args, shape_order, determinism);
  require_finite_particles<P>(context, args);
  run_once<ChargeDeposit, P>(problem, context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CHARGE_DEPOSIT_HPP
