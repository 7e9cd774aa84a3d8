#include "apps/tessera/case/read_case.hpp"
#include "core/case/case_registry.hpp"
#include "physics/pic/beam_line/map_algebra.hpp"
#include "physics/pic/case/beam_section.hpp"
#include "physics/pic/case/lattice_section.hpp"
#include "physics/pic/case/space_charge_section.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/physical_constants.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

/// \file
/// Set-up of tracking from the sections of a beam case.

namespace tessera::app {
namespace {

const std::string channel = R"([beam]
species = "proton"
kinetic_energy = 10
particles = 1e9
[bunch]
particles = 5000
match_moments = true
moments = "matched"
emittance_x = 2e-6
emittance_y = 1e-6
deviation_cdt = 0.1
deviation_dpop = 1e-3
[lattice]
sequence = ["qf", "d", "qd", "d"]
repeat = 3
kick_length = 0.06
[[lattice.element]]
type = "quadrupole"
name = "qf"
length = 0.1
k1 = 15
[[lattice.element]]
type = "quadrupole"
name = "qd"
length = 0.1
k1 = -15
kicks = 5
[[lattice.element]]
type = "drift"
name = "d"
length = 0.18
[space_charge]
nodes = [8, 8, 16]
[run]
turns = 2
)";

cases::Case read(const std::string& text, const std::vector<std::string>& changes = {}) {
  const test::TemporaryDirectory directory;
  return read_case(directory.write("channel.toml", text), changes);
}

/// Sum of the products of coordinates a and b over the particles, over their number.
double second(const pic::HostBunch& bunch, std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t p = 0; p < bunch.coordinates.size(); p += 6)
    sum += bunch.coordinates[p + a] * bunch.coordinates[p + b];
  return sum / static_cast<double>(bunch.size());
}

}  // namespace

TEST_CASE("a case is of the kind that has most of its tables, or of the one that it says") {
  CHECK(read(channel).kind == "pic");
  CHECK(read("kind = \"pic\"\n" + channel).kind == "pic");
  const std::string melt =
      "[system]\nlattice = \"fcc\"\ndensity = 1\ncells = [2, 2, 2]\n[pair]\ncutoff = 1\n"
      "[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n[run]\nsteps = 1\n";
  CHECK(read(melt).kind == "md");
  CHECK_THROWS_AS(static_cast<void>(read("kind = \"pic\"\n" + melt)), InputError);
  CHECK_THROWS_AS(static_cast<void>(read("kind = \"md\"\n" + channel)), InputError);
}

TEST_CASE("an effective case of a beam reads back to the same one") {
  const cases::Case c = read(channel);
  CHECK(read(cases::case_registry().effective_toml(c)) == c);
}

TEST_CASE("the reference particle is the same by whatever key it is given") {
  const double mass = 938.27208816;
  const double kinetic = 10;
  const double total = mass + kinetic;
  const double momentum = std::sqrt(kinetic * (kinetic + 2 * mass));
  const double expected = read(channel).get<pic::BeamSection>().reference().beta_gamma;
  CHECK(expected == test::relative(momentum / mass).epsilon(1e-14));
  std::string without = channel;
  without.replace(without.find("kinetic_energy = 10\n"), 20, "");
  for (const auto& [key, value] : {std::pair{"total_energy", total},
                                   {"momentum", momentum},
                                   {"gamma", total / mass},
                                   {"beta", momentum / total}}) {
    INFO(key);
    const cases::Case c = read(without, {std::string("beam.") + key + "=" + cases::text_of(value)});
    CHECK(c.get<pic::BeamSection>().reference().beta_gamma ==
          test::relative(expected).epsilon(1e-12));
  }
}

TEST_CASE("charge follows from particles, from the charge of a bunch and from a current") {
  const double e = pic::elementary_charge;
  const auto macro = [&](const std::string& text, const std::vector<std::string>& changes) {
    return pic::set_up_tracking(read(text, changes)).options.macro_charge;
  };
  // doctest's default scale would make the tolerance larger than the charges.
  const auto approximately = [](double charge) { return test::relative(charge).epsilon(1e-14); };
  CHECK(macro(channel, {}) == approximately(1e9 * e / 5000));
  std::string without = channel;
  without.replace(without.find("particles = 1e9\n"), 16, "");
  CHECK(macro(without, {"beam.bunch_charge=2e-10"}) == approximately(2e-10 / 5000));
  CHECK(macro(without, {"beam.bunch_charge=2e-10", "beam.species=antiproton"}) ==
        approximately(-2e-10 / 5000));
  const double beta = read(channel).get<pic::BeamSection>().reference().beta();
  CHECK(macro(without, {"beam.current=0.1", "space_charge.period=0.5"}) ==
        approximately(0.1 * 0.5 / (beta * pic::speed_of_light) / 5000));
  CHECK_THROWS_AS(macro(without, {"beam.current=0.1"}), InputError);
  CHECK_THROWS_AS(macro(without, {}), InputError);
  CHECK(macro(without, {"space_charge.enabled=false"}) == 0);
}

TEST_CASE("a matched bunch has the moments that the lattice gives back") {
  const pic::TrackingSetup setup = pic::set_up_tracking(read(channel));
  const cases::Case c = read(channel);
  const auto& beam = c.get<pic::BeamSection>();
  const pic::BeamLine line =
      pic::build_lattice(c.get<pic::LatticeSection>(),
                         {beam.rest_energy(), beam.charge_state(), beam.reference()})
          .line;
  const pic::LinearMap map = line.map();
  for (const std::size_t first : {0U, 2U}) {
    const double emittance =
        std::sqrt(second(setup.bunch, first, first) * second(setup.bunch, first + 1, first + 1) -
                  std::pow(second(setup.bunch, first, first + 1), 2));
    CHECK(emittance == test::relative(first == 0 ? 2e-6 : 1e-6).epsilon(1e-9));
    double behind = 0;
    for (std::size_t a : {first, first + 1})
      for (std::size_t b : {first, first + 1})
        behind += map.matrix[first][a] * map.matrix[first][b] * second(setup.bunch, a, b);
    CHECK(behind == test::relative(second(setup.bunch, first, first)).epsilon(1e-9));
  }
  CHECK(second(setup.bunch, 4, 4) == test::relative(0.01).epsilon(1e-9));
  CHECK(second(setup.bunch, 5, 5) == test::relative(1e-6).epsilon(1e-9));
  // A bunch with a length is uniform along the beam.
  std::string even = channel;
  even.replace(even.find("deviation_cdt = 0.1\n"), 20, "length = 0.3\nkind = \"kv\"\n");
  const pic::TrackingSetup rod = pic::set_up_tracking(read(even));
  CHECK(beam.reference().beta() * std::sqrt(12 * second(rod.bunch, 4, 4)) ==
        test::relative(0.3).epsilon(1e-9));
}

TEST_CASE("the lattice has its elements in order, with the kicks that each asks for") {
  const pic::TrackingSetup setup = pic::set_up_tracking(read(channel));
  CHECK(setup.plan.elements.size() == 12);
  CHECK(setup.plan.elements[5] == "d");
  CHECK(setup.plan.length == test::relative(3 * 0.56));
  // Two kicks in 0.1 m, three in 0.18 m, five where the element specifies them.
  CHECK(setup.plan.steps_of_turn() == 3 * (2 + 3 + 5 + 3));
  CHECK(setup.steps == 2 * setup.plan.steps_of_turn());
  double kicked = 0;
  for (const pic::TrackingStep& step : setup.plan.steps)
    for (const pic::TrackingAction& action : step.actions)
      kicked += action.kick_length;
  CHECK(kicked == test::relative(setup.plan.length).epsilon(1e-14));
  CHECK(setup.plan.steps.back().end == test::relative(setup.plan.length).epsilon(1e-14));
}

TEST_CASE("lengths along the beam are stretched into the frame of the beam") {
  const cases::Case c = read(channel, {"space_charge.domain=fixed", "space_charge.size=[1, 2, 3]",
                                       "space_charge.offset=[0.1, 0.2, 0.3]"});
  const pic::SpaceChargeOptions options = c.get<pic::SpaceChargeSection>().options(2);
  CHECK(options.domain.size[1] == 2);
  CHECK(options.domain.size[2] == 6);
  CHECK(options.domain.offset[2] == 0.6);
  CHECK_FALSE(options.domain.periodic_z);
  const cases::Case periodic = read(channel, {"space_charge.period=0.25"});
  CHECK(periodic.get<pic::SpaceChargeSection>().options(2).domain.period == 0.5);
}

TEST_CASE("what is wrong with a beam is told with its key") {
  test::check_input_error(
      [] { static_cast<void>(read(channel, {"beam.total_energy=990"})); },
      {0, "beam.kinetic_energy", "10", "expected one of kinetic_energy, total_energy"});
  test::check_input_error(
      [] { static_cast<void>(read(channel, {"lattice.sequence=['qf', 'qe']"})); },
      {0, "lattice.sequence", "an array of 2", "named 'qe'"});
  test::check_input_error(
      [] {
        static_cast<void>(pic::set_up_tracking(read(channel, {"lattice.element.0.k1=2000.0"})));
      },
      {0, "bunch.moments", "matched", "trace"});
  test::check_input_error([] { static_cast<void>(read("precision = \"mixed\"\n" + channel)); },
                          {0, "precision", "\"mixed\"", "expected one of double, single"});
  test::check_input_error(
      [] {
        static_cast<void>(read(channel, {"space_charge.domain=all", "space_charge.margin=4"}));
      },
      {0, "space_charge.margin", "4", "leaves nothing"});
}

}  // namespace tessera::app
