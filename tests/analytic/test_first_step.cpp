#include "core/base/error.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Errors that a simulation reports before its first step.

namespace tessera::test {
namespace {

/// A system with two atoms so close that their force is not finite.
md::System overlapping(double distance) {
  md::System system = melt(4);
  // One of the atoms has x = 0, near which coordinates resolve any distance.
  system.positions[11] = {0, 0.3, 0.3};
  system.positions[40] = {distance, 0.3, 0.3};
  return system;
}

TEST_CASE("forces that are not finite are an error with the ids of the atoms") {
  for (const Precision precision :
       {Precision::double_precision, Precision::mixed, Precision::single})
    for (const std::string& implementation : pair_forces(precision)) {
      CAPTURE(implementation);
      CAPTURE(name(precision));
      // The oracle computes in double for any precision.
      const bool in_double =
          precision == Precision::double_precision || implementation == "reference";
      const md::System system = overlapping(in_double ? 1e-25 : 1e-4);
      const std::string message =
          message_of([&] { (void)start(system, precision, implementation); });
      CHECK(message.find("12") != std::string::npos);
      CHECK(message.find("41") != std::string::npos);
    }
}

TEST_CASE("an atom whose image flag would leave its range is an error with its id") {
  md::System system = melt(4);
  system.images.assign(system.positions.size(), {0, 0, 0});
  system.images[7] = {0, std::numeric_limits<std::int32_t>::min(), 0};
  CHECK(message_of([&] { (void)start(system, Precision::mixed); }).find("atom 8 is ") == 0);
  system.images[7] = {0, 0, 0};
  system.positions[9][2] = 1e20;
  CHECK(message_of([&] { (void)start(system, Precision::mixed); }).find("atom 10 is ") == 0);
  system.positions[9][2] = 0;
  system.velocities[3][1] = 1e39;
  CHECK(message_of([&] {
          (void)start(system, Precision::single);
        }).find("the velocity of atom 4, ") == 0);
}

TEST_CASE("single precision is refused where it does not resolve the positions of atoms") {
  md::System system;
  for (int d = 0; d < 3; ++d)
    system.box.length[d] = 1e6;
  system.types = {{"A", 1.0}};
  system.ids = {1, 2};
  system.type = {0, 0};
  system.positions = {{1, 1, 1}, {2.1, 1, 1}};
  CHECK(message_of([&] {
          (void)start(system, Precision::single);
        }).find("use mixed or double precision") != std::string::npos);
  (void)start(system, Precision::double_precision);
  for (double& length : system.box.length)
    length = 1e4;
  (void)start(system, Precision::single);  // with a warning
}

}  // namespace
}  // namespace tessera::test
