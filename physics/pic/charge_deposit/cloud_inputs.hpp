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
/// Particles and grids that inputs of pic/charge_deposit are made of, the same on every machine.

namespace tessera::pic::clouds {

using Positions = std::vector<std::array<double, 3>>;

/// Numbers that depend on a seed and an index alone: the finaliser of splitmix64 (S. Vigna, public
/// domain) over a Weyl sequence.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : seed_(seed * 0xd1342543de82ef95u) {}

  /// In (0, 1).
  [[nodiscard]] double uniform(std::uint64_t index) const {
    std::uint64_t z = seed_ + (index + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (static_cast<double>(z >> 12) + 0.5) * 0x1p-52;
  }

  /// Two independent numbers of a normal distribution (Box and Muller 1958).
  [[nodiscard]] std::pair<double, double> normal_pair(std::uint64_t index) const {
    const double radius = std::sqrt(-2 * std::log(uniform(2 * index)));
    const double angle = 2 * std::numbers::pi * uniform(2 * index + 1);
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  std::uint64_t seed_;
};

/// Spacings are powers of two, or three times one.
[[nodiscard]] Grid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz);

[[nodiscard]] double first_node(const Grid& grid, int a);

/// `margin` spacings away from the outermost nodes; negative reaches beyond them.
[[nodiscard]] Positions uniform(const Grid& grid, std::int64_t n, double margin,
                                std::uint64_t seed = 1);

/// Standard deviation an eighth of the domain.
[[nodiscard]] Positions gaussian(const Grid& grid, std::int64_t n, std::uint64_t seed = 1);

/// Stable, by the lowest node of the cell, z fastest; those outside come last.
void sort_by_cell(const Grid& grid, Positions& positions);
/// The same with x fastest, as pic/reorder does.
void reorder(const Grid& grid, Positions& positions);

}  // namespace tessera::pic::clouds

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_CLOUD_INPUTS_HPP
