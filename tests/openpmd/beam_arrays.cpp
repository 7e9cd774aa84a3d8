// Tracks the beam of a case by calls of the library's operations on arrays in host memory, and
// writes every array after every step, for comparison with the files of a run of that case.
//
//   beam_arrays CASE FOLDER
//
// The program writes to FOLDER for each step N: N.coordinates (particles x 6), N.alive, N.ids, and
// N.weights if there are weights; N.density, N.potential and N.field0 to 2 of the last kick (nodes
// along z, y, x, with x fastest); all in raw binary form; and places.json.

#include "apps/tessera/case/read_case.hpp"
#include "core/base/output_file.hpp"
#include "core/operations/registry.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/space_charge/space_charge_kick.hpp"
#include "physics/pic/transport/transport.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <iostream>
#include <numeric>

namespace tessera::pic {
namespace {

using nlohmann::json;

template <class P>
class Beam {
 public:
  using Storage = typename P::Storage;

  Beam(const TrackingSetup& setup, std::filesystem::path folder)
      : plan_(setup.plan),
        folder_(std::move(folder)),
        coordinates_(setup.bunch.coordinates.begin(), setup.bunch.coordinates.end()),
        alive_(setup.bunch.alive),
        ids_(setup.bunch.ids),
        weights_(setup.bunch.weights.begin(), setup.bunch.weights.end()),
        lost_at_(coordinates_.size() / 6) {
    const std::size_t particles = lost_at_.size();
    if (alive_.empty()) alive_.assign(particles, 1);
    if (ids_.empty()) {
      ids_.resize(particles);
      std::iota(ids_.begin(), ids_.end(), std::int64_t{0});
    }
    if (!setup.options.space_charge) return;
    SpaceChargeOptions options = setup.options.kick;
    options.charge = setup.options.macro_charge;
    options.charge_state = setup.options.charge_state;
    options.rest_energy = setup.options.rest_energy;
    options.reference = plan_.reference;
    options.determinism = setup.options.determinism;
    kick_ = std::make_unique<SpaceChargeKick<P>>(context_, std::ssize(lost_at_), options);
  }

  void track(std::int64_t steps) {
    dump(0);
    for (std::int64_t step = 1; step <= steps; ++step) {
      for (const TrackingAction& action :
           plan_.steps[static_cast<std::size_t>((step - 1) % plan_.steps_of_turn())].actions) {
        if (action.kick_length == 0)
          pass(action.element, step);
        else if (kick_)
          kick(action.kick_length);
      }
      dump(step);
    }
    OutputFile(folder_ / "places.json").append(places_.dump());
  }

 private:
  [[nodiscard]] std::int64_t particles() const { return std::ssize(lost_at_); }
  [[nodiscard]] View<Storage, 2> rows() { return {coordinates_.data(), {particles(), 6}}; }

  void pass(const Element& element, std::int64_t step) {
    TransportArgs<Storage> args;
    args.coordinates = rows();
    args.alive = {alive_.data(), {particles()}};
    args.lost_at = {lost_at_.data(), {particles()}};
    args.code = step;
    args.reference = plan_.reference;
    args.element = element;
    std::int64_t lost = 0;
    args.lost = {&lost, {1}};
    transport<P>(context_, args);
  }

  void kick(double length) {
    BunchArrays<Storage> bunch;
    bunch.coordinates = rows();
    bunch.alive = {alive_.data(), {particles()}};
    bunch.ids = {ids_.data(), {particles()}};
    if (!weights_.empty()) bunch.weights = {weights_.data(), {particles()}};
    static_cast<void>((*kick_)(bunch, length));
    kicked_ = true;
  }

  template <class T>
  void dump(std::int64_t step, const std::string& name, const std::vector<T>& values) const {
    OutputFile(folder_ / (std::to_string(step) + "." + name))
        .append({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
  }

  /// Writes the values of all nodes, x fastest, for any memory layout of the view.
  void dump(std::int64_t step, const std::string& name, const View<const Storage, 3>& nodes) const {
    std::vector<double> values;
    for (std::int64_t k = 0; k < nodes.extent(2); ++k)
      for (std::int64_t j = 0; j < nodes.extent(1); ++j)
        for (std::int64_t i = 0; i < nodes.extent(0); ++i)
          values.push_back(static_cast<double>(nodes(i, j, k)));
    dump(step, name, values);
  }

  void dump(std::int64_t step) {
    dump(step, "coordinates", std::vector<double>(coordinates_.begin(), coordinates_.end()));
    dump(step, "alive", alive_);
    dump(step, "ids", ids_);
    if (!weights_.empty())
      dump(step, "weights", std::vector<double>(weights_.begin(), weights_.end()));
    json place = {{"step", step}};
    if (kicked_) {
      const Grid& grid = kick_->report().grid;
      place["nodes"] = grid.nodes;
      place["lower"] = grid.lower;
      place["spacing"] = grid.spacing;
      dump(step, "density", kick_->density());
      dump(step, "potential", kick_->potential());
      for (int a = 0; a < 3; ++a)
        dump(step, "field" + std::to_string(a), kick_->field(a));
    }
    places_.push_back(std::move(place));
  }

  Context context_ = registry().open("serial");
  TrackingPlan plan_;
  std::filesystem::path folder_;
  std::vector<Storage> coordinates_;
  std::vector<std::uint8_t> alive_;
  std::vector<std::int64_t> ids_;
  std::vector<Storage> weights_;
  std::vector<std::int64_t> lost_at_;
  std::unique_ptr<SpaceChargeKick<P>> kick_;
  bool kicked_ = false;
  json places_ = json::array();
};

}  // namespace
}  // namespace tessera::pic

int main(int argc, char** argv) {
  using namespace tessera;
  try {
    if (argc != 3) throw ArgumentError("expected a case and a folder");
    const cases::Case c = app::read_case(argv[1]);
    const pic::TrackingSetup setup = pic::set_up_tracking(c);
    if (c.precision == Precision::single)
      pic::Beam<Single>(setup, argv[2]).track(setup.steps);
    else
      pic::Beam<Double>(setup, argv[2]).track(setup.steps);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "beam_arrays: " << error.what() << '\n';
    return 2;
  }
}
