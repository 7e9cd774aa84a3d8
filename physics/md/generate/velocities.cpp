#include "physics/md/generate/velocities.hpp"

#include "core/base/compensated_sum.hpp"
#include "core/base/error.hpp"
#include "physics/md/generate/normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

// Streams of the random generator: x and y of an atom, then z.
constexpr std::uint32_t first_stream = 2;
constexpr std::uint32_t second_stream = 3;

/// Adds with compensation, so that the total momentum vanishes to rounding. Not inlined, so that no
/// compiler contracts a product of the caller with the additions.
[[gnu::noinline]] void add_rounded(CompensatedSum& sum, double value) {
  sum.add(value);
}

double mass_of(const System& system, std::size_t atom) {
  return system.types[static_cast<std::size_t>(system.type[atom])].mass;
}

/// Indices of the atoms that move, ordered by id.
std::vector<std::size_t> order_of_ids(const System& system) {
  std::vector<std::size_t> order(system.ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t atom) { return system.is_frozen(atom); });
  if (!std::is_sorted(system.ids.begin(), system.ids.end())) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return system.ids[a] < system.ids[b]; });
  }
  return order;
}

void remove_motion_of_centre(System& system, const std::vector<std::size_t>& order) {
  CompensatedSum mass;
  for (const std::size_t i : order)
    add_rounded(mass, mass_of(system, i));
  const double total_mass = mass.value();
  for (std::size_t d = 0; d < 3; ++d) {
    CompensatedSum momentum;
    for (const std::size_t i : order)
      add_rounded(momentum, mass_of(system, i) * system.velocities[i][d]);
    const double drift = momentum.value() / total_mass;
    for (const std::size_t i : order)
      system.velocities[i][d] -= drift;
  }
}

double twice_kinetic_energy(const System& system, const std::vector<std::size_t>& order) {
  CompensatedSum sum;
  for (const std::size_t i : order) {
    const auto& v = system.velocities[i];
    const double square = std::fma(v[2], v[2], std::fma(v[1], v[1], v[0] * v[0]));
    add_rounded(sum, mass_of(system, i) * square);
  }
  return sum.value();
}

double temperature_of(const System& system, const Units& units,
                      const std::vector<std::size_t>& order) {
  const bool all_move = std::ssize(order) == system.size();
  const double degrees_of_freedom =
      system.dimensions * (static_cast<double>(order.size()) - (all_move ? 1.0 : 0.0));
  if (degrees_of_freedom <= 0 || system.velocities.empty()) return 0;
  return twice_kinetic_energy(system, order) * units.mv2_to_energy /
         (degrees_of_freedom * units.boltzmann);
}

}  // namespace

void make_velocities(System& system, double temperature, std::uint64_t seed, const Units& units) {
  if (!(temperature >= 0) || !std::isfinite(temperature)) {
    throw ArgumentError("make_velocities: expected a finite temperature of zero or more");
  }
  system.velocities.assign(system.positions.size(), {0, 0, 0});
  if (temperature == 0 || system.size() == 0) return;
  const std::vector<std::size_t> order = order_of_ids(system);
  if (order.size() < 2) {
    throw ArgumentError(
        "make_velocities: expected at least two atoms that move for a positive temperature");
  }
  for (const std::size_t i : order) {
    const double width =
        std::sqrt(units.boltzmann * temperature / (mass_of(system, i) * units.mv2_to_energy));
    const auto index = static_cast<std::uint64_t>(system.ids[i]);
    const auto [x, y] = normal_pair(seed, first_stream, index);
    const double z = system.dimensions == 2 ? 0 : normal_pair(seed, second_stream, index)[0];
    system.velocities[i] = {width * x, width * y, width * z};
  }
  remove_motion_of_centre(system, order);
  const double scale = std::sqrt(temperature / temperature_of(system, units, order));
  for (auto& velocity : system.velocities) {
    for (double& component : velocity) {
      component *= scale;
      if (!std::isfinite(component))
        throw ArgumentError(
            "make_velocities: temperature and masses give velocities that are no finite numbers");
    }
  }
}

double temperature(const System& system, const Units& units) {
  return temperature_of(system, units, order_of_ids(system));
}

}  // namespace tessera::md
