#include "physics/md/generate/lattice.hpp"

#include "core/base/error.hpp"
#include "core/base/philox.hpp"
#include "core/base/physical_memory.hpp"
#include "physics/md/io/box_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace tessera::md {
namespace {

// Separates the random numbers of jitter from other uses of the same seed.
constexpr std::uint32_t jitter_stream = 1;

constexpr std::array all_lattices = {Lattice::sc, Lattice::bcc, Lattice::fcc, Lattice::diamond};

std::vector<std::array<double, 3>> sites(Lattice lattice) {
  const std::vector<std::array<double, 3>> face_centred = {
      {0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  switch (lattice) {
    case Lattice::sc:
      return {{0, 0, 0}};
    case Lattice::bcc:
      return {{0, 0, 0}, {0.5, 0.5, 0.5}};
    case Lattice::fcc:
      return face_centred;
    case Lattice::diamond:
      break;
  }
  std::vector<std::array<double, 3>> all = face_centred;
  for (const auto& site : face_centred) {
    all.push_back({site[0] + 0.25, site[1] + 0.25, site[2] + 0.25});
  }
  return all;
}

std::int64_t count_atoms(const LatticeOptions& options) {
  std::int64_t count = sites_per_cell(options.lattice);
  for (const std::int64_t cells : options.cells) {
    if (cells < 1)
      throw ArgumentError("make_lattice: expected at least one cell in each direction");
    if (cells > std::numeric_limits<std::int32_t>::max() / count) {
      throw ArgumentError("make_lattice: expected less than 2^31 atoms");
    }
    count *= cells;
  }
  return count;
}

void check(const LatticeOptions& options) {
  if (!(options.constant > 0) || !std::isfinite(options.constant)) {
    throw ArgumentError("make_lattice: expected a lattice constant greater than zero");
  }
  if (!(options.jitter >= 0) || !std::isfinite(options.jitter)) {
    throw ArgumentError("make_lattice: expected a jitter of zero or more");
  }
  const auto expected = static_cast<std::size_t>(sites_per_cell(options.lattice));
  if (!options.site_types.empty() && options.site_types.size() != expected) {
    throw ArgumentError("make_lattice: expected a type for each of the " +
                        std::to_string(expected) + " sites of a cell");
  }
  const auto unknown = [&](int type) {
    return type < 0 || type >= static_cast<int>(options.types.size());
  };
  if (options.types.empty() ||
      std::any_of(options.site_types.begin(), options.site_types.end(), unknown)) {
    throw ArgumentError("make_lattice: a site has a type that does not exist");
  }
}

/// Refuses more atoms than memory holds: an overcommitted allocation would end the process at its
/// first use.
void check_memory(std::size_t atoms) {
  constexpr std::size_t bytes = sizeof(std::int64_t) + 2 * sizeof(std::array<double, 3>) +
                                sizeof(std::array<std::int32_t, 3>) + sizeof(std::int32_t);
  const auto memory = static_cast<std::size_t>(physical_memory_bytes());
  if (atoms > memory / bytes)
    throw ArgumentError("make_lattice: the cells hold " + std::to_string(atoms) +
                        " atoms, expected at most the " + std::to_string(memory / bytes) +
                        " that the memory of this machine holds");
}

void add_jitter(const LatticeOptions& options, System& system) {
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    std::array<double, 3>& position = system.positions[i];
    const auto first = Philox::uniform(options.jitter_seed, jitter_stream, i, 0);
    const auto second = Philox::uniform(options.jitter_seed, jitter_stream, i, 1);
    const std::array<double, 3> u = {first[0], first[1], second[0]};
    for (std::size_t d = 0; d < 3; ++d) {
      // fma rounds once on every machine, whether or not the compiler contracts.
      position[d] = std::fma(options.jitter, 2 * u[d] - 1, position[d]);
      if (!options.periodic[d]) position[d] = std::clamp(position[d], 0.0, system.box.length[d]);
    }
    const PlacementResult result = wrap_into_box(system.box, position, system.images[i]);
    if (result.placement != Placement::inside) {
      throw ArgumentError("make_lattice: the jitter moves an atom out of reach");
    }
    system.images[i] = {0, 0, 0};
  }
}

}  // namespace

std::string_view name(Lattice lattice) {
  switch (lattice) {
    case Lattice::sc:
      return "sc";
    case Lattice::bcc:
      return "bcc";
    case Lattice::fcc:
      return "fcc";
    case Lattice::diamond:
      return "diamond";
  }
  return "unknown";
}

Lattice lattice_from_name(std::string_view text) {
  std::vector<std::string> names;
  for (const Lattice lattice : all_lattices) {
    if (name(lattice) == text) return lattice;
    names.emplace_back(name(lattice));
  }
  throw SelectionError("lattice", std::string(text), names);
}

int sites_per_cell(Lattice lattice) {
  return static_cast<int>(sites(lattice).size());
}

double lattice_constant(Lattice lattice, double density, int dimensions) {
  const double share = sites_per_cell(lattice) / density;
  return dimensions == 2 ? std::sqrt(share) : std::cbrt(share);
}

System make_lattice(const LatticeOptions& options) {
  check(options);
  const auto atoms = static_cast<std::size_t>(count_atoms(options));
  check_memory(atoms);
  System system;
  system.types = options.types;
  for (std::size_t d = 0; d < 3; ++d) {
    system.box.length[d] = static_cast<double>(options.cells[d]) * options.constant;
    system.box.periodic[d] = options.periodic[d];
  }
  system.ids.reserve(atoms);
  system.type.reserve(atoms);
  system.positions.reserve(atoms);
  const auto cell_sites = sites(options.lattice);
  for (std::int64_t z = 0; z < options.cells[2]; ++z) {
    for (std::int64_t y = 0; y < options.cells[1]; ++y) {
      for (std::int64_t x = 0; x < options.cells[0]; ++x) {
        for (std::size_t s = 0; s < cell_sites.size(); ++s) {
          const auto& site = cell_sites[s];
          system.ids.push_back(std::ssize(system.ids) + 1);
          system.type.push_back(options.site_types.empty() ? 0 : options.site_types[s]);
          system.positions.push_back({(static_cast<double>(x) + site[0]) * options.constant,
                                      (static_cast<double>(y) + site[1]) * options.constant,
                                      (static_cast<double>(z) + site[2]) * options.constant});
        }
      }
    }
  }
  system.images.assign(atoms, {0, 0, 0});
  if (options.jitter > 0) add_jitter(options, system);
  return system;
}

}  // namespace tessera::md
