#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/core/base/random.hpp>
#include <tessera/core/operations/typed_trials.hpp>
#include <tessera/md/atoms_source.hpp>
#include <tessera/md/wrap/wrap.hpp>

namespace tessera::md {
namespace {

struct Data {
  Box box;
  std::vector<double> positions;
  std::vector<std::int32_t> images;
};

/// Positions up to `spread` lengths beyond the box; 0 asks for atoms exactly on faces.
Data scattered(std::int64_t atoms, const Box& box, double spread) {
  Data data{box, {}, {}};
  RandomSequence random(13 + static_cast<unsigned>(atoms));
  const auto uniform = [&] { return random.uniform(); };
  for (std::int64_t i = 0; i < 3 * atoms; ++i) {
    const auto d = static_cast<std::size_t>(i % 3);
    const double s =
        spread > 0 ? (2 * uniform() - 1) * spread + uniform() : static_cast<double>(i / 3 % 3) - 1;
    data.positions.push_back(box.lower[d] + s * box.length[d]);
    data.images.push_back(static_cast<std::int32_t>(random() % 7) - 3);
  }
  return data;
}

Box box_of(bool z_periodic) {
  Box box;
  const double lower[3] = {-5, 0, 1};
  for (int d = 0; d < 3; ++d) {
    box.lower[d] = lower[d];
    box.length[d] = 10 + d;
  }
  box.periodic[2] = z_periodic;
  return box;
}

std::vector<TrialRow<Data>> rows() {
  const auto row = [](TrialInput input, bool z_periodic, double spread) {
    return TrialRow<Data>{std::move(input),
                          [=](std::int64_t n) { return scattered(n, box_of(z_periodic), spread); }};
  };
  return {
      row({"random", {0, 1, 33, 100003}, {32000, 1000000}}, true, 1),
      row({"on the faces", {9}}, true, 0),
      row({"many periods", {1000}}, true, 20),
      row({"slab", {1000}}, false, 2),
  };
}

std::optional<Data> from_source(const TrialSource& source) {
  const auto* const atoms = dynamic_cast<const AtomsSource*>(&source);
  if (atoms == nullptr) return std::nullopt;
  const std::vector<double>& positions = atoms->positions();
  return Data{atoms->box, positions, std::vector<std::int32_t>(positions.size())};
}

template <class P>
class WrapTrial final : public Trial<Wrap, P> {
 public:
  using Storage = typename P::Storage;

  WrapTrial(const Context& context, const Data& data)
      : Trial<Wrap, P>(context, static_cast<std::int64_t>(data.positions.size() / 3)),
        box_(data.box),
        positions_(
            this->template add<Storage>("positions", TrialRole::updated, shape(), data.positions)),
        images_(
            this->template add<std::int32_t>("images", TrialRole::updated, shape(), data.images)) {}

  [[nodiscard]] WrapProblem problem() override { return {this->items()}; }
  [[nodiscard]] WrapArgs<Storage> args() override {
    return {positions_.template view<2>(), images_.template view<2>(), box_};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * 3 * sizeof(Storage), n * 6};
  }

  /// With and without image flags.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { images_.give(way == 0); }

 private:
  [[nodiscard]] TrialShape shape() const { return TrialShape::items(this->items(), 3); }

  [[nodiscard]] Verdict compare() override {
    double error = 0;
    for (std::size_t i = 0; i < positions_.values().size(); ++i) {
      const std::size_t d = i % 3;
      const double length = box_.length[d];
      const auto x = static_cast<double>(positions_.values()[i]);
      if (box_.periodic[d]) {
        const auto lower = static_cast<Storage>(box_.lower[d]);
        if (!(x >= lower && x < lower + static_cast<Storage>(length)))
          return Verdict::failure("atom " + std::to_string(i / 3) + " is still outside of the box");
      }
      double moved = x - static_cast<double>(positions_.source()[i]);
      // Without flags, whole lengths are free.
      if (images_.given())
        moved += (images_.values()[i] - images_.source()[i]) * length;
      else if (box_.periodic[d])
        moved -= length * std::nearbyint(moved / length);
      error = std::fmax(error, std::abs(moved) / length);
    }
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-13 : 1e-5, "unwrapped coordinates");
  }

  Box box_;
  TrialArray<Storage>& positions_;
  TrialArray<std::int32_t>& images_;
};

}  // namespace

/// Trials of md/wrap. Error: largest difference of an unwrapped coordinate over the box length;
/// infinite when an atom is left outside.
std::unique_ptr<Trials> make_wrap_trials() {
  return std::make_unique<TypedTrials<Wrap, WrapTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md
