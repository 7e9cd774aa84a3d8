#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_FIXED_POINT_DEPOSIT_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_FIXED_POINT_DEPOSIT_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/reduction.hpp"
#include "physics/pic/charge_deposit/cell_charge.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/particle_shape.hpp"
#include "physics/reduction/sum/fixed_point.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// \file
/// Deposit for Determinism::any_order on a grid of 64-bit integers, to which threads may add in any
/// order.
///
/// The number 2^k represents weight 1; with weights it represents the power of two above the
/// largest magnitude of a weight on the grid. k = min(52, 62 - floor(log2 N)), so that all N
/// particles of a call may be on one node without overflow. Each particle is rounded once to an
/// integer, and the integer shares of its nodes add up to it. Each rounding applies to a single
/// product, which no compiler fuses with another operation, so that bits do not depend on the
/// backend either.
///
/// A share deviates by at most 2.5 * 2^-k, relative to the represented weight, from its exact
/// value: 1.3e-13 for a million particles. With many particles per node (position_rounding())
/// positions are rounded to multiples of 2^-38 of a spacing, so that they fit in 128 bits. That
/// changes a share by up to 5.5e-12 of a particle in either direction; on nodes with large charges
/// many such changes average out.

namespace tessera::pic {

/// The exponent k for a number of particles.
[[nodiscard]] inline int deposit_unit_exponent(std::int64_t particles) {
  const int length = reduction::fixed_point::length_of(
      static_cast<std::uint64_t>(std::max<std::int64_t>(particles, 1)));
  return std::min(52, 63 - length);
}

/// Number of bits of the fraction of a spacing in rounded positions.
inline constexpr int rounded_position_bits = 38;

/// Least number of particles for which positions are rounded: eight per node.
[[nodiscard]] inline std::int64_t fewest_rounded(const std::int64_t (&nodes)[3]) {
  return 8 * nodes[0] * nodes[1] * nodes[2];
}
/// Argument `rounding` of GridAxis::locate_rounded(): 2^14 on grids of at most 8,192 nodes in each
/// direction; 0 on larger grids, and for fewer particles than fewest_rounded().
[[nodiscard]] inline double position_rounding(std::int64_t particles,
                                              const std::int64_t (&nodes)[3]) {
  constexpr std::int64_t most = 8192;
  if (nodes[0] > most || nodes[1] > most || nodes[2] > most) return 0;
  return particles >= fewest_rounded(nodes) ? 0x1p14 : 0;
}
static_assert(0x1p14 + 0x1p-38 > 0x1p14 && 0x1p14 + 0x1p-39 == 0x1p14);

/// Scale of the integers.
struct DepositUnit {
  int exponent = 0;  ///< k
  /// Largest weight, in the representation of magnitude_of(); null: all weights are 1.
  const std::uint32_t* largest = nullptr;

  /// Lower limit of the exponent of the largest weight: for smaller weights the scale does not
  /// change.
  static constexpr int least_exponent = -960;

  /// Binary logarithm of the integer that represents weight 1.
  [[nodiscard]] TESSERA_INLINE int above_one() const {
    if (largest == nullptr) return exponent;
    const int weight = static_cast<int>(*largest >> 20) - 1022;
    return exponent - (weight < least_exponent ? least_exponent : weight);
  }
  [[nodiscard]] TESSERA_INLINE bool is_finite() const {
    return largest == nullptr || reduction::fixed_point::is_finite_magnitude(*largest);
  }
};

/// Largest magnitude of the weights of particles on the grid.
template <class Storage>
struct LargestWeight {
  View<const Storage, 2> positions;
  View<const Storage, 1> weights;
  View<const std::uint8_t, 1> alive;
  GridAxes axes;

  TESSERA_FUNCTION void operator()(std::int64_t p, std::uint32_t& largest) const {
    if (alive.given() && alive(p) == 0) return;
    const std::uint32_t magnitude =
        reduction::fixed_point::magnitude_of(static_cast<double>(weights(p)));
    if (magnitude <= largest) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    if (locate_particle(axes, positions, p, low, fraction)) largest = magnitude;
  }
};

struct JoinLargest {
  TESSERA_FUNCTION void operator()(std::uint32_t& into, const std::uint32_t& from) const {
    if (into < from) into = from;
  }
};

template <class Space>
struct AtomicCount {
  TESSERA_INLINE void operator()(std::int64_t* node, std::int64_t share) const {
    Space::atomic_add(node, share);
  }
};

/// Deposit with one thread per particle.
template <class Storage, class Space, int Order>
struct DepositIntegers {
  ChargeDepositArgs<Storage> args;
  GridAxes axes;
  DepositUnit unit;
  double rounding;  ///< argument of locate_rounded_particle()
  View<std::int64_t, 3> counts;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    if (args.alive.given() && args.alive(p) == 0) return;
    std::int32_t low[3] = {0, 0, 0};
    double fraction[3] = {0, 0, 0};
    if (!locate_rounded_particle(axes, args.positions, p, rounding, low, fraction)) {
      Space::atomic_add(args.outside.data, std::int64_t{1});
      return;
    }
    if (!unit.is_finite()) return;
    const double weight = args.weights.given() ? static_cast<double>(args.weights(p)) : 1.0;
    const double whole = weight * reduction::fixed_point::power_of_two(unit.above_one());
    SharedParticle<Order, double>(low, fraction)
        .deposit(axes, counts, static_cast<std::int64_t>(std::rint(whole)), AtomicCount<Space>{});
  }
};

/// Converts the integers to charge per volume.
template <class Storage>
struct StoreCharge {
  View<Storage, 3> density;
  View<std::int64_t, 3> counts;
  DepositUnit unit;
  double charge;  ///< charge of a particle of weight 1 per volume of a cell
  bool add;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    put(density(i, j, k), counts(i, j, k), of_one());
  }
  /// Weight that the integer 1 represents; NaN if a weight is not finite.
  [[nodiscard]] TESSERA_INLINE double of_one() const {
    if (!unit.is_finite()) return __builtin_nan("");
    return reduction::fixed_point::power_of_two(-unit.above_one());
  }
  TESSERA_INLINE void put(Storage& node, std::int64_t count, double one) const {
    const double weight = static_cast<double>(count) * one;
    if (add)  // fma, so that the result does not depend on contraction
      node = static_cast<Storage>(fma(weight, charge, static_cast<double>(node)));
    else
      node = static_cast<Storage>(weight * charge);
  }
};

/// The deposit with its grid of integers.
template <class Storage, ExecutionSpace Space>
class FixedPointDeposit {
 public:
  FixedPointDeposit(const ChargeDepositProblem& problem, const Space& space)
      : shape_order_(problem.shape_order),
        weighted_(problem.weighted),
        space_(space),
        counts_(space, problem.nodes[0] * problem.nodes[1] * problem.nodes[2]),
        largest_(space, weighted_ ? problem.particles : 0) {}

  void operator()(const ChargeDepositArgs<Storage>& args) {
    const Grid& grid = args.grid;
    const std::int64_t(&n)[3] = grid.nodes;
    const std::int64_t particles = args.positions.extent(0);
    const GridAxes axes = grid_axes(grid, shape_order_);
    const auto charge = static_cast<double>(cell_charge(args));
    DepositUnit unit{deposit_unit_exponent(particles)};
    if (weighted_ && particles > 0)
      unit.largest = largest_(
          "deposit weights", particles, std::uint32_t{0},
          LargestWeight<Storage>{args.positions, args.weights, args.alive, axes}, JoinLargest{});
    const View<std::int64_t, 3> counts{counts_.data(), {n[0], n[1], n[2]}};
    counts_.zero(counts.size());
    with_shape_order(shape_order_, [&]<int Order>() {
      space_.for_each("deposit", particles,
                      DepositIntegers<Storage, Space, Order>{
                          args, axes, unit, position_rounding(particles, n), counts});
    });
    space_.for_each(
        "deposit store", Extents3{n[0], n[1], n[2]},
        StoreCharge<Storage>{args.density, counts, unit, charge, args.mode == DepositMode::add});
  }

 private:
  int shape_order_;
  bool weighted_;
  Space space_;
  Buffer<std::int64_t, Space> counts_;
  Reduction<std::uint32_t, Space> largest_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_FIXED_POINT_DEPOSIT_HPP
