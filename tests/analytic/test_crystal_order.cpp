#include "core/base/random.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>

/// \file
/// Lengths of the lists of a crystal whose atoms are stored unit cell by unit cell, an unusually
/// regular order.

namespace tessera::test {
namespace {

// This detects an implementation that samples the atoms with a regular stride, because such a
// sample would contain only a few planes of the crystal.
TEST_CASE("a large crystal: lists are as long as where its atoms are shuffled") {
  md::LatticeOptions options;
  options.constant = md::lattice_constant(md::Lattice::sc, 0.8442);
  options.cells = {64, 64, 64};
  const md::System crystal = md::make_lattice(options);
  md::System turned = crystal;
  for (auto& position : turned.positions)
    std::swap(position[0], position[2]);
  md::System shuffled = crystal;
  std::shuffle(shuffled.positions.begin(), shuffled.positions.end(), RandomSequence(1));
  for (const std::string& implementation : pair_forces(Precision::mixed)) {
    // The other implementations are slow on a host, and have no clusters.
    if (on_host() ? implementation != "openmp.cluster" : implementation == "reference") continue;
    CAPTURE(implementation);
    const auto listed = [&](const md::System& system) {
      return start(system, Precision::mixed, implementation)->neighbors_per_atom();
    };
    const doctest::Approx expected = test::relative(listed(shuffled)).epsilon(0.05);
    CHECK(listed(crystal) == expected);
    CHECK(listed(turned) == expected);
  }
}

}  // namespace
}  // namespace tessera::test
