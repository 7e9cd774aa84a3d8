#include "physics/md/simulation/state.hpp"

#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/simulation/small_tilts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace tessera::md {
namespace {

constexpr ColumnUse fixed{.saved = true, .rollback = false};
constexpr ColumnUse moving{.saved = true, .rollback = true};
constexpr ColumnUse derived{.saved = false, .rollback = false};

template <class To, class From>
std::vector<To> flat(const std::vector<std::array<From, 3>>& rows, std::size_t atoms) {
  std::vector<To> values;
  values.reserve(3 * atoms);
  for (const auto& row : rows)
    for (const From x : row)
      values.push_back(static_cast<To>(x));
  values.resize(3 * atoms);
  return values;
}

template <class To, class From>
void unflat(const std::vector<From>& values, std::vector<std::array<To, 3>>& rows) {
  rows.resize(values.size() / 3);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      rows[i][d] = static_cast<To>(values[3 * i + d]);
}

std::string named(const System& system, std::size_t atom) {
  return "atom " +
         std::to_string(system.ids.empty() ? static_cast<std::int64_t>(atom) : system.ids[atom]);
}

void check_sizes(const System& system) {
  const auto atoms = static_cast<std::size_t>(system.size());
  const auto check = [&](std::size_t size, bool may_be_empty, const char* what) {
    if (size == atoms || (may_be_empty && size == 0)) return;
    throw ArgumentError("System", what,
                        std::to_string(size) + " for " + std::to_string(atoms) + " atoms");
  };
  check(system.positions.size(), false, "positions");
  check(system.velocities.size(), true, "velocities");
  check(system.images.size(), true, "images");
  check(system.ids.size(), true, "ids");
  check(system.charges.size(), true, "charges");
  check(system.molecules.size(), true, "molecules");
  check(system.frozen.size(), true, "frozen");
}

void check_types(const System& system) {
  if (system.types.empty())
    throw ArgumentError("System", "types", "none, expected at least one atom type");
  for (const AtomType& type : system.types)
    if (!(type.mass > 0) || !std::isfinite(type.mass))
      throw ArgumentError("System", "types",
                          "mass of '" + type.name + "' is " + shortest_number(type.mass) +
                              ", expected a number greater than zero");
}

/// Checks that a number of an atom can be stored on the device as `Storage`.
template <class Storage>
void check_number(const System& system, std::size_t atom, double value, const char* what) {
  const auto fail = [&](const std::string& fault) {
    throw ParticleError({static_cast<std::int64_t>(atom)},
                        "the " + std::string(what) + " of " + named(system, atom) + fault);
  };
  if (!std::isfinite(value)) fail(" is not finite");
  if (std::abs(value) > std::numeric_limits<Storage>::max())
    fail(", " + shortest_number(value) + ", is beyond what this precision holds");
}

/// \tparam Storage of the positions on the device.
/// \param reduced becomes whether the box was replaced by one with small tilts.
template <class Storage>
System checked_system(System system, bool& reduced) {
  check_types(system);
  const std::size_t types = system.types.size();
  check_sizes(system);
  check_box(system.box);
  if (const auto fault = find_plane_fault(system)) {
    const std::string text =
        fault->field + " is " + shortest_number(fault->value) + ", " + fault->expected;
    if (fault->atom < 0) throw ArgumentError("System", "dimensions", text);
    throw ParticleError(
        {fault->atom},
        "of " + named(system, static_cast<std::size_t>(fault->atom)) + " the " + text);
  }
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    for (const double x : system.positions[i])
      check_number<Storage>(system, i, x, "position");
    if (!system.velocities.empty())
      for (const double v : system.velocities[i])
        check_number<Storage>(system, i, v, "velocity");
    if (!system.charges.empty()) check_number<Storage>(system, i, system.charges[i], "charge");
    for (std::size_t d = 0; d < 3; ++d) {
      const double x = system.positions[i][d];
      // Leaves a margin, so that no image flag overflows in any run.
      const double lengths =
          std::abs(x - system.box.lower[d]) / system.box.length[d] +
          (system.images.empty() ? 0 : std::abs(static_cast<double>(system.images[i][d])));
      if (system.box.periodic[d] && lengths > max_image_offset)
        throw ParticleError({static_cast<std::int64_t>(i)},
                            named(system, i) + " is " + shortest_number(lengths) +
                                " lengths of the box away from it along " + "xyz"[d] +
                                ", expected at most " + shortest_number(max_image_offset) +
                                ", with which its image flag is in range");
    }
    const std::int32_t type = system.type[i];
    if (type < 0 || static_cast<std::size_t>(type) >= types)
      throw ParticleError({static_cast<std::int64_t>(i)},
                          "atom " + std::to_string(i) + " has type " +
                              std::to_string(std::int64_t{type} + 1) + " of " +
                              std::to_string(types));
  }
  if (system.ids.empty()) {
    system.ids.resize(static_cast<std::size_t>(system.size()));
    std::iota(system.ids.begin(), system.ids.end(), std::int64_t{0});
  }
  reduced = std::is_same_v<Storage, float> && make_tilts_small(system);
  if (reduced) {
    const double* const tilt = system.box.tilt;
    log_warning("in single precision the box is tilted by xy = " + rounded_number(tilt[0]) +
                ", xz = " + rounded_number(tilt[1]) + ", yz = " + rounded_number(tilt[2]) +
                " instead: the same lattice, in which coordinates keep more digits");
  }
  return system;
}

std::vector<double> masses_of(const System& system) {
  std::vector<double> masses;
  for (const AtomType& type : system.types)
    masses.push_back(type.mass);
  return masses;
}

std::vector<double> accelerations(const System& system, const Units& units) {
  std::vector<double> factors;
  for (const AtomType& type : system.types)
    factors.push_back(units.force_to_accel / type.mass);
  if (system.frozen_atoms() > 0) factors.push_back(0);
  return factors;
}

}  // namespace

/// Checks that the factors by which integrators multiply forces and velocities are zero or normal
/// numbers in the type of the arrays.
template <class P>
void require_held_factors(const System& system, const Units& units, double time_step) {
  using Limits = std::numeric_limits<typename P::Storage>;
  const auto require = [](double factor, const std::string& what) {
    const double size = std::abs(factor);
    if (size == 0 || (size >= double{Limits::min()} && size <= double{Limits::max()})) return;
    throw RefusalError(
        "md/integrate in " + std::string(name(P::value)),
        what + ", " + shortest_number(factor) + ", is beyond what this precision holds");
  };
  require(time_step, "the time step");
  for (const double accel : accelerations(system, units))
    require(0.5 * time_step * accel, "the velocity that a force gives in half a step");
}

template <class P>
State<P>::State(const Context& on, System system, const Units& in, const StepClock& from,
                Determinism least)
    : determinism(least),
      context(on),
      units(in),
      clock(from),
      description(checked_system<Storage>(std::move(system), reduced)),
      columns(context, description.size()),
      masses(context, masses_of(description)),
      frozen(description.frozen_atoms()),
      force_to_accel(context, accelerations(description, units)) {
  require_held_factors<P>(description, units, clock.time_step());
  System& d = description;
  const auto n = static_cast<std::size_t>(d.size());
  const auto declare = [&]<class T>(const char* name, int components, ColumnUse use,
                                    const std::vector<T>& values) {
    return columns.template declare<T>(name, components, use, values);
  };
  ids = declare("ids", 1, fixed, d.ids);
  type = declare("type", 1, fixed, d.type);
  positions = declare("positions", 3, moving, flat<Storage>(d.positions, n));
  images = declare("images", 3, moving, flat<std::int32_t>(d.images, n));
  velocities = declare("velocities", 3, moving, flat<Storage>(d.velocities, n));
  if (!d.charges.empty())
    charges =
        declare("charges", 1, fixed, std::vector<Storage>(d.charges.begin(), d.charges.end()));
  if (!d.molecules.empty()) molecules = declare("molecules", 1, fixed, d.molecules);
  forces = columns.template declare<Storage>("forces", 3, derived);
  const auto types = static_cast<std::int32_t>(d.types.size());
  mass_class = type;
  mass_classes = types;
  if (frozen > 0) {
    std::vector<std::int32_t> kinds = d.type;
    for (std::size_t i = 0; i < n; ++i)
      if (d.is_frozen(i)) kinds[i] = types;
    mass_class = declare("motion", 1, derived, kinds);
    mass_classes = types + 1;
  }
  d.clear_atoms();
}

template <class P>
void stop_frozen(State<P>& state) {
  if (state.frozen == 0) return;
  const std::vector<std::int32_t> mass_class = state.columns.to_host(state.mass_class);
  auto velocities = state.columns.to_host(state.velocities);
  for (std::size_t i = 0; i < mass_class.size(); ++i)
    if (mass_class[i] == state.mass_classes - 1)
      std::fill_n(velocities.begin() + static_cast<std::ptrdiff_t>(3 * i), 3,
                  typename P::Storage{0});
  state.columns.copy_from_host(state.velocities.index, velocities.data());
}

template <class P>
System system_of(const State<P>& state) {
  System system = state.description;
  const Columns& columns = state.columns;
  system.ids = columns.to_host(state.ids);
  system.type = columns.to_host(state.type);
  unflat(columns.to_host(state.positions), system.positions);
  unflat(columns.to_host(state.images), system.images);
  unflat(columns.to_host(state.velocities), system.velocities);
  if (state.charges) {
    const auto charges = columns.to_host(*state.charges);
    system.charges.assign(charges.begin(), charges.end());
  }
  if (state.molecules) system.molecules = columns.to_host(*state.molecules);
  if (state.frozen > 0)
    for (const std::int32_t mass_class : columns.to_host(state.mass_class))
      system.frozen.push_back(mass_class == state.mass_classes - 1 ? 1 : 0);
  return system;
}

template struct State<Double>;
template struct State<Mixed>;
template struct State<Single>;
template void stop_frozen(State<Double>&);
template void stop_frozen(State<Mixed>&);
template void stop_frozen(State<Single>&);
template System system_of(const State<Double>&);
template System system_of(const State<Mixed>&);
template System system_of(const State<Single>&);

}  // namespace tessera::md
