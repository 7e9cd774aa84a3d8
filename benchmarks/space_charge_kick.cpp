#include "physics/pic/space_charge/space_charge_kick.hpp"

#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/registry.hpp"
#include "core/state/timed_plan.hpp"
#include "physics/pic/charge_deposit/cloud_inputs.hpp"
#include "physics/pic/transport/transport.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

/// \file
/// Times the complete space-charge kick on a tracked bunch: a Gaussian bunch in a domain of +-4
/// standard deviations. A map rotates it by a few degrees in both transverse phase planes between
/// kicks, and every --reorder-every kicks its particles are sorted by cells. Prints the median time
/// of a kick without and with a sort, the mean of all kicks and, from further kicks, the time of
/// each operation.

namespace tessera::pic {
namespace {

struct Options {
  std::string backend = "cuda";
  std::int64_t particles = 21000000;
  std::vector<std::int64_t> nodes = {64, 64, 512};
  int kicks = 20;
  std::int64_t reorder_every = 10;
  double degrees = 3;
  bool weights = false;
  bool any_order = false;
  std::vector<std::string> selected;
  std::vector<std::string> parameters;
};

/// Bunch in columns, as in a tracking code.
template <class P>
class Bunch {
 public:
  using Storage = typename P::Storage;

  Bunch(const Context& context, const Options& options, const ReferenceParticle& reference)
      : context_(context),
        particles_(options.particles),
        coordinates_(context, 6 * options.particles),
        alive_(context, options.particles),
        weights_(context, options.weights ? options.particles : 0),
        lost_(context, 1),
        transport_({options.particles}, context),
        reference_(reference) {
    // Standard deviations of 1 mm and 1 mrad; in the beam frame the bunch is 8 times as long as
    // wide.
    const double deviation[6] = {1e-3, 1e-3, 1e-3, 1e-3, 8e-3 / reference.beta_gamma, 1e-6};
    std::vector<Storage> host(static_cast<std::size_t>(6 * particles_));
    for (int c = 0; c < 6; c += 2) {
      const clouds::Numbers numbers(static_cast<std::uint64_t>(c + 1));
      for (std::int64_t p = 0; p < particles_; ++p) {
        const auto [a, b] = numbers.normal_pair(static_cast<std::uint64_t>(p));
        host[static_cast<std::size_t>(c * particles_ + p)] = static_cast<Storage>(deviation[c] * a);
        host[static_cast<std::size_t>((c + 1) * particles_ + p)] =
            static_cast<Storage>(deviation[c + 1] * b);
      }
    }
    coordinates_.copy_from(host);
    alive_.fill_bytes(1);
    if (options.weights)
      weights_.copy_from(std::vector<Storage>(static_cast<std::size_t>(particles_), Storage(1)));
    turn_.kind = ElementKind::linear_map;
    const double angle = options.degrees * std::numbers::pi / 180;
    for (int a = 0; a < 4; a += 2) {
      turn_.map.matrix[a][a] = turn_.map.matrix[a + 1][a + 1] = std::cos(angle);
      turn_.map.matrix[a][a + 1] = std::sin(angle);
      turn_.map.matrix[a + 1][a] = -std::sin(angle);
    }
  }

  [[nodiscard]] BunchArrays<Storage> arrays() {
    BunchArrays<Storage> arrays;
    arrays.coordinates = columns();
    arrays.alive = alive_.view();
    if (weights_.size() > 0) arrays.weights = weights_.view();
    return arrays;
  }

  void turn() {
    TransportArgs<Storage> args;
    args.coordinates = columns();
    args.alive = alive_.view();
    args.reference = reference_;
    args.element = turn_;
    args.lost = lost_.view();
    transport_.execute(args, false);
  }

 private:
  [[nodiscard]] View<Storage, 2> columns() {
    return {coordinates_.data(), {particles_, 6}, {1, particles_}};
  }

  Context context_;
  std::int64_t particles_;
  Array<Storage> coordinates_;
  Array<std::uint8_t> alive_;
  Array<Storage> weights_;
  Array<std::int64_t> lost_;
  TimedPlan<Transport, P> transport_;
  ReferenceParticle reference_;
  Element turn_;
};

double median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Prints the milliseconds of each operation per kick, over `kicks` kicks that synchronize after
/// each operation. `kick` must not have been called before, because untimed calls would enter the
/// totals as estimates.
template <class P>
void print_operations(SpaceChargeKick<P>& kick, Bunch<P>& bunch, int kicks, double length) {
  kick.time_operations(true);
  kick(bunch.arrays(), length);
  std::map<std::string, std::vector<double>> rows;
  for (int k = 0; k < kicks; ++k) {
    bunch.turn();
    const std::vector<OperationTime> before = kick.times();
    kick(bunch.arrays(), length);
    const std::vector<OperationTime> after = kick.times();
    for (std::size_t t = 0; t < after.size() && t < before.size(); ++t) {
      const OperationTime& time = after[t];
      rows[time.operation + " " + time.choice.implementation].push_back(
          1e3 * (time.seconds - before[t].seconds));
    }
  }
  fmt::print("{:<50}{:>9}   by kick\n", "ms a kick", "median");
  for (const auto& [name, milliseconds] : rows) {
    std::string line = fmt::format("{:<50}{:>9.3f}  ", name, median(milliseconds));
    for (const double value : milliseconds)
      line += fmt::format(" {:.3f}", value);
    fmt::print("{}\n", line);
  }
}

template <class P>
void measure(const Options& given) {
  Context context = registry().open(given.backend);
  const auto choices = std::make_shared<Choices>();
  for (const std::string& text : given.selected)
    choices->add_text(registry(), text);
  for (const std::string& text : given.parameters) {
    const std::size_t equals = text.find('=');
    const std::size_t parameter = text.rfind('.', equals);
    const std::size_t operation = text.find('.');
    if (equals == std::string::npos || parameter == std::string::npos || operation >= parameter)
      throw InputError({{}, 0, "parameter", text}, "expected OPERATION.IMPLEMENTATION.NAME=VALUE");
    const std::string name = text.substr(parameter + 1, equals - parameter - 1);
    choices->set_parameter(registry(), text.substr(0, operation),
                           text.substr(operation + 1, parameter - operation - 1), name,
                           parameter_value_from_text(name, text.substr(equals + 1)));
  }
  if (!given.selected.empty() || !given.parameters.empty()) context.choices = choices;
  SpaceChargeOptions options;
  std::copy_n(given.nodes.begin(), 3, options.domain.nodes);
  options.rest_energy = 938.27208816e6;
  options.reference.beta_gamma = 3;
  options.charge = 1e-10 / static_cast<double>(given.particles);
  options.reorder_every = given.reorder_every;
  if (given.any_order) options.determinism = Determinism::any_order;
  Bunch<P> bunch(context, given, options.reference);
  SpaceChargeKick<P> kick(context, given.particles, options);
  const double length = 0.1;
  // Warm-up, long enough to sort the particles once and to load all kernels.
  for (std::int64_t k = 0; k < std::max<std::int64_t>(2, given.reorder_every); ++k)
    kick(bunch.arrays(), length);

  std::vector<double> plain, reordering;
  double sum = 0;
  for (int k = 0; k < given.kicks; ++k) {
    bunch.turn();
    context.fence();
    const auto start = std::chrono::steady_clock::now();
    const KickReport& report = kick(bunch.arrays(), length);
    context.fence();
    const double milliseconds =
        1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    (report.reordered ? reordering : plain).push_back(milliseconds);
    sum += milliseconds;
  }
  fmt::print(
      "{} particles, {} x {} x {} nodes, {}, {}{}: a kick {:.3f} ms (median of {}), with a "
      "reorder {:.3f}, mean {:.3f} with one every {}; Green function kept {:.0f} %\n",
      given.particles, given.nodes[0], given.nodes[1], given.nodes[2], given.backend,
      name(P::value), given.weights ? ", weights" : "", median(plain), plain.size(),
      median(reordering), sum / given.kicks, given.reorder_every, 100 * kick.hit_rate());

  SpaceChargeKick<P> timed(context, given.particles, options);
  print_operations<P>(timed, bunch,
                      static_cast<int>(std::max<std::int64_t>(10, given.reorder_every)), length);
}

}  // namespace
}  // namespace tessera::pic

int main(int argc, char** argv) {
  tessera::pic::Options options;
  bool single = false;
  CLI::App app("The whole kick of space charge on a bunch that is tracked.");
  app.add_option("--backend", options.backend, "where");
  app.add_option("--particles", options.particles, "how many")->check(CLI::PositiveNumber);
  app.add_option("--nodes", options.nodes, "of the grid, in x, y and z")->expected(3);
  app.add_option("--kicks", options.kicks, "timed")->check(CLI::PositiveNumber);
  app.add_option("--reorder-every", options.reorder_every, "kicks, 0: never");
  app.add_option("--degrees", options.degrees, "of phase between kicks");
  app.add_option("--select", options.selected, "OP=IMPL, may be repeated");
  app.add_option("--parameter", options.parameters, "OP.IMPL.NAME=VALUE, may be repeated");
  app.add_flag("--weights", options.weights, "an array of weights");
  app.add_flag("--any-order", options.any_order, "the same bits for any order of the particles");
  app.add_flag("--single", single, "single precision");
  CLI11_PARSE(app, argc, argv);
  try {
    single ? tessera::pic::measure<tessera::Single>(options)
           : tessera::pic::measure<tessera::Double>(options);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "space_charge_kick: {}\n", error.what());
    return 1;
  }
}
