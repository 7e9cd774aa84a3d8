#include "core/base/error.hpp"
#include "core/operations/registry.hpp"
#include "tests/analytic/pic/grid_field.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

/// \file
/// Computes density, potential and field of the particles in a file, for comparisons with other
/// programs:
///
///     tessera_fields_of_particles BACKEND PLACES NODES(3) LOWER(3) SPACING(3) OUT
///
/// The binary file PLACES has three doubles for each particle of charge 1. Boundaries are open,
/// particles have cloud-in-cell shapes, the Green function is averaged over cells, and
/// 4 pi epsilon_0 = 1. The binary file OUT gets doubles: the density, the potential and the three
/// components of the field on all nodes, one array after the other with z fastest; then the three
/// components of the field at each particle.

namespace tessera::pic::analytic {
namespace {

constexpr int arguments = 12;

std::vector<double> read_doubles(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw FileError(path, "reading", "it cannot be opened");
  std::vector<double> values(static_cast<std::size_t>(file.tellg()) / sizeof(double));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

void append(std::ofstream& file, const std::vector<double>& values) {
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
}

void write_fields(const std::vector<std::string>& words) {
  Grid grid;
  for (std::size_t a = 0; a < 3; ++a) {
    grid.nodes[a] = std::stoll(words[3 + a]);
    grid.lower[a] = std::stod(words[6 + a]);
    grid.spacing[a] = std::stod(words[9 + a]);
  }
  const Context context = registry().open(words[1]);
  const std::vector<double> places = read_doubles(words[2]);
  const std::vector<double> density = deposited(context, grid, places, 1);
  const GridField field = field_of_density(context, grid, density);
  std::ofstream file(words[arguments], std::ios::binary);
  append(file, density);
  append(file, field.potential);
  for (const std::vector<double>& component : field.component)
    append(file, component);
  append(file, gathered(context, grid, field, places));
  if (!file) throw FileError(words[arguments], "writing", "it cannot be written");
}

}  // namespace
}  // namespace tessera::pic::analytic

int main(int argc, char** argv) {
  using namespace tessera::pic::analytic;
  if (argc != arguments + 1) {
    fmt::print(stderr, "usage: {} BACKEND PLACES NODES(3) LOWER(3) SPACING(3) OUT\n", argv[0]);
    return 2;
  }
  try {
    write_fields({argv, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
