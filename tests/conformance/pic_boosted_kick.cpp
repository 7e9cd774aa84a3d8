#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

/// \file
/// Properties of pic/boosted_kick that need no oracle.

namespace tessera::pic {
namespace {

using Lab = LongitudinalCoordinates;

Grid cube() {
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    grid.lower[a] = -2;
    grid.spacing[a] = 0.5;
    grid.nodes[a] = 8;
  }
  return grid;
}

template <class P>
struct Kicked {
  std::vector<typename P::Storage> coordinates;
  std::vector<std::uint8_t> alive;
  std::int64_t outside = 0;
  std::int64_t impossible = 0;
};

/// Kicks particles in a uniform field.
template <class P>
Kicked<P> kick(const Implementation<BoostedKick, P>& implementation,
               const std::vector<typename P::Storage>& coordinates, const double (&field)[3],
               const ReferenceParticle& reference, Lab accelerator, int shape_order = 1) {
  using Storage = typename P::Storage;
  const Context context = test::context();
  const Grid grid = cube();
  Array<Storage> bunch(context, coordinates);
  Array<std::uint8_t> alive(context, std::vector<std::uint8_t>(coordinates.size() / 6, 1));
  Array<std::int64_t> counts(context, 2);
  std::vector<Array<Storage>> fields;
  BoostedKickArgs<Storage> args;
  for (int a = 0; a < 3; ++a) {
    fields.emplace_back(context, std::vector<Storage>(512, static_cast<Storage>(field[a])));
    args.field[a] = {fields.back().data(), {8, 8, 8}};
  }
  args.coordinates = bunch.rows(6);
  args.alive = alive.view();
  args.reference = reference;
  args.accelerator = accelerator;
  args.grid = grid;
  args.outside = {counts.data(), {1}};
  args.impossible = {counts.data() + 1, {1}};
  implementation.make_plan(boosted_kick_problem(args, shape_order), context, {})->execute(args);
  const std::vector<std::int64_t> counted = counts.to_host();
  return {bunch.to_host(), alive.to_host(), counted[0], counted[1]};
}

template <class Storage>
std::vector<Storage> beam(int particles, std::uint64_t seed) {
  RandomSequence random(seed);
  std::vector<Storage> coordinates;
  for (int p = 0; p < particles; ++p)
    for (const double most : {0.9, 5e-3, 0.9, 5e-3, 0.9, 1e-2})
      coordinates.push_back(static_cast<Storage>(most * (2 * random.uniform() - 1)));
  return coordinates;
}

TESSERA_PROPERTY(BoostedKick, "no field, no kick") {
  using Storage = typename P::Storage;
  // The oracle transforms to the other frame and back, with rounding errors.
  const double rounding = implementation.info().name == "reference" ? 1e-12 : 0;
  for (const double gamma : {1.001, 10.0, 1e4})
    for (const Lab accelerator : {Lab::cdt_dpop, Lab::zeta_ptau, Lab::t_pt}) {
      CAPTURE(gamma);
      const std::vector<Storage> before = beam<Storage>(300, 2);
      const Kicked<P> out = kick(implementation, before, {0, 0, 0},
                                 ReferenceParticle::with_gamma(gamma), accelerator);
      CHECK(out.outside == 0);
      CHECK(out.impossible == 0);
      double worst = 0;
      for (std::size_t k = 0; k < before.size(); ++k)
        worst = std::fmax(worst, std::abs(static_cast<double>(out.coordinates[k]) -
                                          static_cast<double>(before[k])));
      CHECK(worst <= rounding);
    }
}

TESSERA_PROPERTY(BoostedKick, "a particle at rest in the beam gains gamma times the kick") {
  // The kick is small, because the expectation neglects a term of second order, (gamma - 1) / 2
  // times its square.
  const ReferenceParticle reference{0.75};  // gamma 1.25
  const double small = 1e-6;
  for (const Lab accelerator : {Lab::cdt_dpop, Lab::zeta_ptau, Lab::t_pt}) {
    const Kicked<P> out = kick(implementation, std::vector<typename P::Storage>(6, 0),
                               {2 * small, 3 * small, small}, reference, accelerator);
    CHECK(static_cast<double>(out.coordinates[1]) == test::relative(2 * small).epsilon(1e-5));
    CHECK(static_cast<double>(out.coordinates[3]) == test::relative(3 * small).epsilon(1e-5));
    // Particles ahead have smaller times; energies change by beta times the change of momenta, and
    // pt has the opposite sign.
    const double gained = 1.25 * small;
    const double expected = accelerator == Lab::cdt_dpop    ? -gained
                            : accelerator == Lab::zeta_ptau ? 0.6 * gained
                                                            : 0.6 * gained;
    CHECK(static_cast<double>(out.coordinates[5]) == test::relative(expected).epsilon(1e-4));
  }
}

TESSERA_PROPERTY(BoostedKick, "who cannot be converted keeps its coordinates and is lost") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{0.75};
  std::vector<Storage> before = beam<Storage>(5, 7);
  before[6 + 1] = 3;        // transverse momentum above the total momentum
  before[2 * 6 + 5] = -2;   // no momentum
  before[3 * 6 + 2] = 100;  // off the grid
  before[3 * 6 + 1] = 3;
  const Kicked<P> out = kick(implementation, before, {0, 0, 1e-3}, reference, Lab::cdt_dpop);
  CHECK(out.outside == 1);
  CHECK(out.impossible == 2);
  CHECK(out.alive == std::vector<std::uint8_t>{1, 0, 0, 1, 1});
  for (std::size_t k = 6; k < 4 * 6; ++k)
    CHECK(out.coordinates[k] == before[k]);
  CHECK(out.coordinates[5] != before[5]);

  // A kick that reverses the direction of the particle must not be written.
  const Kicked<P> turned =
      kick(implementation, std::vector<Storage>(6, 0), {0.1, 0, 5}, reference, Lab::cdt_dpop);
  CHECK(turned.impossible == 1);
  CHECK(turned.alive.front() == 0);
  CHECK(turned.coordinates == std::vector<Storage>(6, 0));
}

}  // namespace
}  // namespace tessera::pic
