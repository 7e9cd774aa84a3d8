#include "core/operations/registry.hpp"
#include "tests/analytic/pic/body_cases.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <string>

/// \file
/// Prints errors of the electric fields of smooth and of sharp-edged bodies, for several numbers of
/// nodes: from densities that are sampled on the nodes, and from particles.

namespace tessera::pic::analytic {
namespace {

void print_table(const Context& context) {
  constexpr std::int64_t particles = 4000000;
  fmt::print("{} on {}\n", context.device->properties().backend, context.device->properties().name);
  fmt::print(
      "differences of E from the known field on all nodes but the outermost, in %: L2 over "
      "that of the field,\nlargest over the largest; {} particles, cloud-in-cell\n\n",
      particles);
  fmt::print("{:32} {:>9} {:>18} {:>18}\n", "", "", "density on nodes", "particles");
  fmt::print("{:32} {:>9} {:>8} {:>9} {:>8} {:>9}\n", "body", "grid", "L2", "largest", "L2",
             "largest");
  for (const BodyCase& of : body_cases())
    for (const std::int64_t nodes : {16, 32, 64, 128}) {
      const BodyErrors errors = measure(context, of, nodes, particles);
      fmt::print("{:32} {:>9} {:8.3f} {:9.3f} {:8.3f} {:9.3f}\n", of.name,
                 std::to_string(nodes) + "^3", 100 * errors.sampled.root_mean_square,
                 100 * errors.sampled.largest, 100 * errors.particles.root_mean_square,
                 100 * errors.particles.largest);
    }
}

}  // namespace
}  // namespace tessera::pic::analytic

int main(int argc, char** argv) {
  try {
    tessera::pic::analytic::print_table(tessera::registry().open(argc > 1 ? argv[1] : "auto"));
  } catch (const std::exception& error) {
    fmt::print(stderr, "field_accuracy: {}\n", error.what());
    return 1;
  }
}
