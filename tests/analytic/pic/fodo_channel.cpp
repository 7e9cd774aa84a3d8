#include "tests/analytic/pic/fodo_channel.hpp"

#include "core/operations/choices.hpp"

namespace tessera::pic::analytic {
namespace {

constexpr double half_quadrupole = 0.1;
constexpr double drift = 0.3;

BeamLine cell_with(const ReferenceParticle& reference, double k1) {
  BeamLine line(reference);
  line.add("qf", Quadrupole{half_quadrupole, k1});
  line.add("d", Drift{drift});
  line.add("qd", Quadrupole{2 * half_quadrupole, -k1});
  line.add("d", Drift{drift});
  line.add("qf", Quadrupole{half_quadrupole, k1});
  return line;
}

double strength_for(const ReferenceParticle& reference, double phase) {
  double low = 0;
  double high = 15;  // a value that is still stable
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (cell_with(reference, middle).periodic_optics(Plane::x).phase < phase ? low : high) = middle;
  }
  return low;
}

}  // namespace

FodoCell::FodoCell(const ReferenceParticle& reference, double phase)
    : line(reference), k1(strength_for(reference, phase)) {
  line = cell_with(reference, k1);
}

double FodoCell::focusing(double place) const {
  const double length = line.length();
  const double from_qf = place < length / 2 ? place : length - place;
  if (from_qf < half_quadrupole) return k1;
  return from_qf < half_quadrupole + drift ? 0 : -k1;
}

Channel::Channel(const Context& context, const BeamLine& cell, int slices, std::int64_t particles,
                 const SpaceChargeOptions& options)
    : reference_(cell.reference()),
      lost_(context, 1),
      transport_(make_plan<Transport, Double>({particles}, context)),
      kick_(context, particles, options) {
  for (const BeamLine::Place& place : cell.places()) {
    const Element half = transport_element(part(place.element, 2 * slices), reference_);
    for (int k = 0; k < slices; ++k)
      steps_.push_back({half, length(place.element) / slices});
  }
}

void Channel::through(Bunch<Double>& bunch, const Element& element) {
  TransportArgs<double> args;
  args.coordinates = bunch.coordinates.rows(6);
  args.alive = bunch.alive.view();
  args.reference = reference_;
  args.element = element;
  args.lost = lost_.view();
  transport_->execute(args);
}

void Channel::advance_cell(Bunch<Double>& bunch) {
  for (const Step& step : steps_) {
    through(bunch, step.half);
    outside_ += kick_(bunch.arrays(), step.length).outside;
    through(bunch, step.half);
  }
}

}  // namespace tessera::pic::analytic
