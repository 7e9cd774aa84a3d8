#include "physics/md/box.hpp"
#include "physics/md/io/extended_xyz.hpp"
#include "physics/md/io/restart.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "tests/analytic/melt.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {
namespace {

/// A melt of 864 atoms after 100 steps.
md::System running_melt() {
  const auto simulation = start(melt(6), Precision::double_precision);
  simulation->advance(100);
  return simulation->system();
}

TEST_CASE("atoms that left an open direction go on from what the run wrote") {
  md::System slab = melt(6);
  slab.box.periodic[2] = false;
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    CAPTURE(implementation);
    const TemporaryDirectory directory;
    const auto through = start(slab, Precision::double_precision, implementation);
    through->advance(200);
    through->rebuild();
    const md::System now = through->system();
    const auto outside = [&](const std::array<double, 3>& r) {
      return r[2] < now.box.lower[2] || r[2] > now.box.lower[2] + now.box.length[2];
    };
    REQUIRE(std::count_if(now.positions.begin(), now.positions.end(), outside) > 5);

    RestartFile file;
    md::put_description(file, "lj", through->description());
    through->save(file);
    file.write(directory / "r");
    const md::Restart restart = md::read_restart(directory / "r");
    const auto continued = start(restart.system, Precision::double_precision, implementation, {},
                                 "auto", &restart.file);
    through->advance(50);
    continued->advance(50);
    const std::vector<std::string> repeatable = repeatable_pair_forces(Precision::double_precision);
    if (std::find(repeatable.begin(), repeatable.end(), implementation) != repeatable.end())
      CHECK(continued->system().positions == through->system().positions);

    md::ExtendedXyzWriter writer(OutputFile(directory / "t.xyz"), now.types);
    md::ExtendedXyzWriter::Frame frame;
    frame.box = now.box;
    frame.ids = now.ids;
    frame.type = now.type;
    frame.positions = now.positions;
    writer.write(frame);
    const md::System read = md::read_extended_xyz(directory / "t.xyz");
    CHECK(read.positions == now.positions);
    CHECK(start(read, Precision::double_precision, implementation)->thermo().potential_energy ==
          test::relative(
              start(now, Precision::double_precision, implementation)->thermo().potential_energy)
              .epsilon(1e-12));
  }
}

TEST_CASE("a position that the precision cannot hold is refused with its atom") {
  md::System far = melt(3);
  far.box.periodic[1] = false;
  far.positions[7][1] = -1e39;
  CHECK_NOTHROW((void)start(far, Precision::double_precision, "reference", {}, "serial"));
  CHECK_THROWS_WITH_AS((void)start(far, Precision::single, "reference", {}, "serial"),
                       ("the position of atom " + std::to_string(far.ids[7]) +
                        ", -1e+39, is beyond what this precision holds")
                           .c_str(),
                       ParticleError);
}

TEST_CASE("a crystal in a tilted box of its own translations is the same crystal") {
  md::System tilted = melt(6);
  const double edge = tilted.box.length[0] / 6;
  tilted.box.tilt[0] = 3 * edge;
  tilted.box.tilt[1] = -7 * edge;
  tilted.box.tilt[2] = 10 * edge;
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    CAPTURE(implementation);
    const auto before = start(melt(6), Precision::double_precision, implementation)->thermo();
    const auto simulation = start(tilted, Precision::double_precision, implementation);
    const auto after = simulation->thermo();
    CHECK(after.potential_energy == test::relative(before.potential_energy).epsilon(1e-12));
    for (std::size_t c = 0; c < 6; ++c)
      CHECK(std::abs(after.pressure_tensor[c] - before.pressure_tensor[c]) < 1e-10);
    if (implementation == "reference") continue;
    simulation->advance(300);
    for (const double p : simulation->thermo().momentum)
      CHECK(std::abs(p) < 1e-10);
    CHECK(simulation->rebuilds() > 1);
    // No atom was lost, and folding into the box moved none.
    const auto forces = simulation->forces();
    const auto expected =
        start(simulation->system(), Precision::double_precision, "reference", {}, "serial")
            ->forces();
    double worst = 0;
    for (std::size_t i = 0; i < forces.size(); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        worst = std::max(worst, std::abs(forces[i][d] - expected[i][d]));
    CHECK(worst < 1e-9);
  }
}

/// The melt of running_melt() in an equivalent box that is tilted by `lengths` box lengths, with
/// the atoms folded into this box.
md::System far_tilted(int lengths) {
  static const md::System melted = running_melt();
  md::System system = melted;
  md::Box& box = system.box;
  const double length = box.length[0];
  box.tilt[0] = lengths * length;
  box.tilt[1] = -(3 * lengths + 1) * length;
  box.tilt[2] = (lengths / 7) * length;
  system.images.clear();
  for (auto& position : system.positions) {
    const Vec3<double> s = box.shares({position[0], position[1], position[2]});
    const Vec3<double> n = {std::floor(s.x), std::floor(s.y), std::floor(s.z)};
    const Vec3<double> off = box.edges(n);
    position = {position[0] - off.x, position[1] - off.y, position[2] - off.z};
    system.images.push_back({static_cast<std::int32_t>(n.x), static_cast<std::int32_t>(n.y),
                             static_cast<std::int32_t>(n.z)});
  }
  return system;
}

/// Unwrapped positions of the atoms.
std::vector<std::array<double, 3>> unfolded(const md::System& system) {
  std::vector<std::array<double, 3>> places;
  for (std::size_t i = 0; i < system.positions.size(); ++i) {
    const auto& n = system.images[i];
    const Vec3<double> off = system.box.edges(
        {static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])});
    const auto& r = system.positions[i];
    places.push_back({r[0] + off.x, r[1] + off.y, r[2] + off.z});
  }
  return places;
}

double furthest_apart(const std::vector<std::array<double, 3>>& a,
                      const std::vector<std::array<double, 3>>& b) {
  REQUIRE(a.size() == b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      worst = std::max(worst, std::abs(a[i][d] - b[i][d]));
  return worst;
}

TEST_CASE("a box that is tilted by thousands of lengths costs no digits") {
  const auto expected = start(far_tilted(0), Precision::double_precision)->thermo();
  const auto check = [&](Precision precision, const std::string& implementation, int lengths) {
    CAPTURE(implementation);
    CAPTURE(name(precision));
    CAPTURE(lengths);
    const md::System given = far_tilted(lengths);
    md::SimulationOptions options;
    options.by_atom = true;
    const auto simulation = start(given, precision, implementation, options);
    const auto found = simulation->thermo();
    CHECK(found.potential_energy == test::relative(expected.potential_energy).epsilon(2e-6));
    // Large terms cancel in the pressure.
    CHECK(found.pressure == test::relative(expected.pressure).epsilon(4e-5));
    const md::AtomThermo atoms = simulation->by_atom();
    CHECK(std::accumulate(atoms.energies.begin(), atoms.energies.end(), 0.0) ==
          test::relative(expected.potential_energy).epsilon(2e-6));
    CHECK(furthest_apart(unfolded(simulation->system()), unfolded(given)) < 1e-5);
    CHECK((simulation->box() == given.box) == (precision != Precision::single));
  };
  for (const std::string& implementation : pair_forces(Precision::single))
    for (const int lengths : {2, 1000, -30000})
      check(Precision::single, implementation, lengths);
  for (const std::string& implementation : pair_forces(Precision::mixed))
    check(Precision::mixed, implementation, 1000);
  check(Precision::double_precision, "auto", -30000);
}

TEST_CASE("a run in single precision goes on from a restart of a far tilted one in double") {
  const TemporaryDirectory directory;
  const auto through = start(far_tilted(20000), Precision::double_precision);
  through->advance(20);
  RestartFile file;
  md::put_description(file, "lj", through->description());
  through->save(file);
  file.write(directory / "r");
  const md::Restart restart = md::read_restart(directory / "r");
  const auto single = start(restart.system, Precision::single, "auto", {}, "auto", &restart.file);
  CHECK(single->thermo().potential_energy ==
        test::relative(through->thermo().potential_energy).epsilon(1e-5));
  CHECK(furthest_apart(unfolded(single->system()), unfolded(through->system())) < 1e-5);
  // A run continues from its own restart file unchanged.
  RestartFile own;
  md::put_description(own, "lj", single->description());
  single->save(own);
  own.write(directory / "s");
  const md::Restart second = md::read_restart(directory / "s");
  const auto continued = start(second.system, Precision::single, "auto", {}, "auto", &second.file);
  single->advance(30);
  continued->advance(30);
  CHECK(continued->system().positions == single->system().positions);
  CHECK(continued->system().images == single->system().images);
}

TEST_CASE("a box whose positions single precision cannot resolve is refused when it is set") {
  const auto simulation = start(melt(6), Precision::single);
  const md::Box kept = simulation->box();
  md::Box tilted = kept;
  tilted.tilt[1] = 1e5 * kept.length[0];
  CHECK_THROWS_WITH_AS(simulation->set_box(tilted), doctest::Contains("in single"), RefusalError);
  CHECK(simulation->box() == kept);
  CHECK_NOTHROW(simulation->advance(2));
}

TEST_CASE("a box that changes during a run gives what a start in it gives") {
  const md::System system = running_melt();
  for (const std::string& implementation : pair_forces(Precision::double_precision)) {
    CAPTURE(implementation);
    const auto simulation = start(system, Precision::double_precision, implementation);
    for (const double by : {-0.0001, 0.1, -0.02, 0.2}) {
      CAPTURE(by);
      md::Box box = simulation->system().box;
      for (double& length : box.length)
        length *= 1 + by;
      box.tilt[0] += 0.2 * by * box.length[0];
      simulation->set_box(box);
      md::System there = simulation->system();
      CHECK(there.box == box);
      const auto expected = start(there, Precision::double_precision, implementation)->thermo();
      const auto found = simulation->thermo();
      CHECK(found.potential_energy == test::relative(expected.potential_energy).epsilon(1e-10));
      for (std::size_t c = 0; c < 6; ++c)
        CHECK(found.pressure_tensor[c] ==
              test::relative(expected.pressure_tensor[c]).epsilon(1e-9));
      if (by > 0 && implementation != "reference") simulation->advance(5);
    }
    if (implementation == "reference") continue;
    const md::Box kept = simulation->system().box;
    md::Box small = kept;
    small.length[1] = 4.9;
    CHECK_THROWS_AS(simulation->set_box(small), md::BoxError);
    md::Box open = kept;
    open.tilt[0] = 0;
    open.periodic[2] = false;
    CHECK_THROWS_AS(simulation->set_box(open), ArgumentError);
    CHECK(simulation->system().box == kept);
    CHECK_NOTHROW(simulation->advance(2));
  }
}

struct PickyOptions {
  double least = 0;  ///< length of the box along x
};

/// A term without forces, on the host, that refuses unsuitable boxes in prepare() only.
template <class P>
class PickyTerm final : public md::ForceTerm<P> {
 public:
  PickyTerm(md::State<P>&, const PickyOptions& options) : options_(options) {}

  [[nodiscard]] std::string name() const override { return "picky"; }
  [[nodiscard]] std::string style() const override { return "none"; }
  void prepare(md::State<P>& state) override {
    if (state.box().length[0] < options_.least) throw md::BoxError("", "too small for me");
  }
  void execute(md::State<P>& state, Write write, View<double, 1> tally) override {
    if (write == Write::overwrite) state.columns.fill_zero(state.forces);
    for (std::int64_t s = 0; tally.given() && s < md::tally_size; ++s)
      tally(s) = 0;
  }

 private:
  PickyOptions options_;
};

std::unique_ptr<md::Simulation> start_picky(const md::System& system, const std::string& name) {
  Choices choices;
  choices.choose(registry(), "md/pair_force", name);
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(std::move(choices));
  md::CoefficientTable coefficients(md::pair_potentials().find("lj/cut"), 1);
  coefficients.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}});
  // When PickyTerm refuses the new box, the pair term has already been prepared for it.
  const md::SimulationParts parts{
      {md::pair_term({coefficients, 0}),
       std::make_shared<md::FactoryOf<md::ForceTerm, PickyTerm, PickyOptions>>(
           PickyOptions{0.95 * system.box.length[0]})},
      {}};
  return md::Simulation::make(context, system, parts, md::units_from_name("lj"), {});
}

TEST_CASE("a box that a term refuses when it prepares leaves the run as it was") {
  const md::System system = melt(6);
  for (const std::string& implementation : pair_forces(Precision::double_precision, "serial")) {
    if (implementation == "reference") continue;
    CAPTURE(implementation);
    const auto asked = start_picky(system, implementation);
    const auto alone = start_picky(system, implementation);
    const auto check_same = [&] {
      CHECK(asked->box() == alone->box());
      const md::System a = asked->system();
      const md::System b = alone->system();
      CHECK(a.positions == b.positions);
      CHECK(a.images == b.images);
      CHECK(a.velocities == b.velocities);
      CHECK(asked->forces() == alone->forces());
      CHECK(asked->thermo().potential_energy == alone->thermo().potential_energy);
      CHECK(asked->rebuilds() == alone->rebuilds());
    };
    // Advances by a number of steps that does not end at a rebuild, so that lists are in use.
    asked->advance(53);
    alone->advance(53);
    md::Box small = asked->box();
    for (double& length : small.length)
      length *= 0.9;
    CHECK_THROWS_WITH_AS(asked->set_box(small), doctest::Contains("too small for me"),
                         md::BoxError);
    check_same();
    asked->advance(40);
    alone->advance(40);
    check_same();
    // A valid box is accepted after the refusal, also by terms that were rolled back.
    md::Box larger = asked->box();
    larger.length[1] *= 1.1;
    asked->set_box(larger);
    alone->set_box(larger);
    CHECK(asked->box() == larger);
    asked->advance(5);
    alone->advance(5);
    check_same();
  }
}

}  // namespace
}  // namespace tessera::test
