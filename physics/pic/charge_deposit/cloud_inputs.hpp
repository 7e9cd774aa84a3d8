#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CLOUD_INPUTS_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CLOUD_INPUTS_HPP

#include "physics/pic/grid.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

/// \file
/// Particles and grids from which inputs of charge_deposit_inputs.hpp are built, the same on every
/// machine.

namespace tessera::pic::clouds {

using Positions = std::vector<std::array<double, 3>>;

/// Random numbers that depend only on a seed and an index: the finaliser of splitmix64 (S. Vigna,
/// public domain) over a Weyl sequence.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : seed_(seed * 0xd1342543de82ef95u) {}

  /// Uniform number in (0, 1).
  [[nodiscard]] double uniform(std::uint64_t index) const {
    std::uint64_t z = seed_ + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
  }

  /// Two independent normal deviates (Box and Muller 1958).
  [[nodiscard]] std::pair<double, double> normal_pair(std::uint64_t index) const {
    const double radius = std::sqrt(-2 * std::log(uniform(2 * index)));
    const double angle = 2 * std::numbers::pi * uniform(2 * index + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  std::uint64_t seed_;
};

/// A grid whose spacings are powers of two, or three times a power of two.
[[nodiscard]] Grid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz);

[[nodiscard]] double first_node(const Grid& grid, int a);

/// Uniform random positions that are at least `margin` spacings inside of the outermost nodes; a
/// negative margin extends beyond them.
[[nodiscard]] Positions uniform(const Grid& grid, std::int64_t n, double margin,
                                std::uint64_t seed = 1);

/// Normally distributed positions with a standard deviation of an eighth of the domain.
[[nodiscard]] Positions gaussian(const Grid& grid, std::int64_t n, std::uint64_t seed = 1);

/// Stable sort by the lowest node of the cell, z fastest; particles off the grid come last.
void sort_by_cell(const Grid& grid, Positions& positions);
/// The same sort with x fastest, as in pic/reorder.
void reorder(const Grid& grid, Positions& positions);

}  // namespace tessera::pic::clouds

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CLOUD_INPUTS_HPP
