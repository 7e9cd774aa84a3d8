#include "tests/analytic/pic/backends.hpp"
#include "tests/analytic/pic/body_cases.hpp"

#include <doctest/doctest.h>

#include <cstdint>

/// \file
/// Errors of the fields of bodies with sharp edges, and of bodies that consist of particles.
/// benchmarks/field_accuracy.cpp prints these errors for several grids.

namespace tessera::pic::analytic {
namespace {

TEST_CASE("fields of bodies and of particles are within 3 % at 64 nodes along each axis") {
  constexpr std::int64_t nodes = 64;
  constexpr std::int64_t particles = 1000000;
  one_backend([](const Context& context) {
    for (const BodyCase& of : body_cases()) {
      CAPTURE(of.name);
      const BodyErrors errors = measure(context, of, nodes, particles);
      MESSAGE(of.name << ": sampled " << errors.sampled.root_mean_square << ", particles "
                      << errors.particles.root_mean_square);
      CHECK(errors.sampled.root_mean_square <= 0.03);
      CHECK(errors.particles.root_mean_square <= 0.03);
    }
  });
}

}  // namespace
}  // namespace tessera::pic::analytic
