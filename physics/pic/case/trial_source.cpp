#include "physics/pic/case/trial_source.hpp"

#include "core/base/error.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics_reference.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/frame_change/frame_change_reference.hpp"

#include <array>

namespace tessera::pic {
namespace {

/// Converts the bunch to the beam frame, on the host.
HostBunch in_beam(HostBunch bunch, const ReferenceParticle& reference) {
  const std::int64_t particles = bunch.size();
  std::int64_t impossible = 0;
  FrameChangeArgs<double> args;
  args.coordinates = {bunch.coordinates.data(), {particles, 6}};
  args.alive = {bunch.alive.data(), {particles}};
  args.reference = reference;
  args.impossible = {&impossible, {1}};
  frame_change_reference<double>({particles}, args);
  return bunch;
}

/// The grid of a kick; without nodes if no particle is in the field of another one, so that there
/// is no domain.
Grid grid_of(const HostBunch& beam, const DomainRule& rule) {
  const std::int64_t particles = beam.size();
  std::array<double, bunch_number::count> numbers{};
  BunchStatisticsArgs<double> args;
  args.coordinates = {beam.coordinates.data(), {particles, 6}};
  args.alive = {beam.alive.data(), {particles}};
  if (!beam.weights.empty()) args.weights = {beam.weights.data(), {particles}};
  args.result = {numbers.data(), {bunch_number::count}};
  bunch_statistics_reference<double>({particles}, args);
  const BunchMoments moments(numbers);
  if (rule.kind != DomainKind::fixed && moments.not_finite == 0 && moments.coincide()) return {};
  return Domain(rule).grid(moments);
}

const Element& first_element(const TrackingPlan& plan) {
  for (const TrackingAction& action : plan.steps.front().actions)
    if (action.kick_length == 0) return action.element;
  throw ArgumentError("the first step of the lattice has no element");
}

}  // namespace

std::unique_ptr<TrialSource> trial_source(const cases::Case& c) {
  const TrackingSetup setup = set_up_tracking(c);
  HostBunch bunch = setup.continued ? Tracking::bunch_of(*setup.continued) : setup.bunch;
  if (bunch.alive.empty()) bunch.alive.assign(static_cast<std::size_t>(bunch.size()), 1);
  const HostBunch beam = in_beam(bunch, setup.plan.reference);
  auto source = std::make_unique<BunchSource>();
  source->name = c.path.filename().string();
  source->items = bunch.size();
  source->columns["coordinates"] = {6, bunch.coordinates};
  source->columns["beam"] = {6, beam.coordinates};
  source->reference = setup.plan.reference;
  source->alive = beam.alive;
  source->element = first_element(setup.plan);
  source->green = setup.options.kick.green;
  source->walls = setup.options.kick.walls;
  source->charge = setup.options.macro_charge;
  source->shape_order = setup.options.kick.shape_order;
  source->determinism = setup.options.determinism;
  if (setup.options.space_charge) {
    try {
      source->grid = grid_of(beam, setup.options.kick.domain);
    } catch (const ArgumentError& error) {
      throw InputError({c.path.string(), 0, "space_charge", {}}, error.what());
    }
  }
  return source;
}

}  // namespace tessera::pic
