#include "core/trials/typed_trials.hpp"
#include "physics/md/atoms_source.hpp"
#include "physics/md/wrap/share_rounding.hpp"
#include "physics/md/wrap/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::md::wrap_trial {

struct Data {
  Box box;
  std::vector<double> positions;
  std::vector<std::int32_t> images;
};

/// Atoms up to `spread` lengths outside of the box; 0: atoms exactly on its faces.
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

/// Atoms around a tilted box with these tilts, in units of lx, lx and ly.
Data tilted(std::int64_t atoms, bool z_periodic, double spread, double xy, double xz, double yz) {
  Box box = box_of(z_periodic);
  box.tilt[0] = xy * box.length[0];
  box.tilt[1] = xz * box.length[0];
  box.tilt[2] = yz * box.length[1];
  Data data = scattered(atoms, box, spread);
  if (spread > 0) return data;
  // On the faces of the parallelepiped: all combinations of -1, 0 and 1 edge.
  for (std::int64_t i = 0; i < atoms; ++i) {
    const auto step = [&](std::int64_t every) { return static_cast<double>(i / every % 3) - 1; };
    const Vec3<double> r = box.edges({step(1), step(3), step(9)});
    const auto at = static_cast<std::size_t>(3 * i);
    data.positions[at] = box.lower[0] + r.x;
    data.positions[at + 1] = box.lower[1] + r.y;
    data.positions[at + 2] = box.lower[2] + r.z;
  }
  return data;
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
      {{"tilted", {1000}}, [](std::int64_t n) { return tilted(n, true, 1, 0.3, -0.5, 0.4); }},
      {{"tilted, many periods", {1000}},
       [](std::int64_t n) { return tilted(n, true, 20, 1.7, -0.5, 0.8); }},
      {{"tilted, on the faces", {27}},
       [](std::int64_t n) { return tilted(n, true, 0, 0.5, 0.5, -0.5); }},
      {{"tilted slab", {1000}}, [](std::int64_t n) { return tilted(n, false, 2, -0.8, 0, 0); }},
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
        positions_(this->template array<Storage>("positions", data.positions)),
        images_(this->template array<std::int32_t>("images", data.images)) {}

  [[nodiscard]] WrapProblem problem() override { return {this->items()}; }
  [[nodiscard]] WrapArgs<Storage> args() override {
    WrapArgs<Storage> args = this->arguments(problem());
    args.box = box_;
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"atoms", n, n * 3 * sizeof(Storage), n * 6};
  }

  /// Ways: with image flags, and without.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { images_.give(way == 0); }

 private:
  [[nodiscard]] Verdict compare() override {
    return box_.tilted() ? compare_tilted() : compare_straight();
  }

  [[nodiscard]] Verdict compare_tilted() {
    const double tolerance = 2 * rounding_of_shares<Storage>(box_);
    double error = 0;
    for (std::size_t i = 0; i < positions_.values().size(); i += 3) {
      const auto vector = [&](const auto& values) {
        return Vec3<double>{static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
                            static_cast<double>(values[i + 2])};
      };
      const Vec3<double> r = vector(positions_.values());
      const Vec3<double> s = box_.shares(r);
      const double shares[3] = {s.x, s.y, s.z};
      for (int d = 0; d < 3; ++d)
        if (box_.periodic[d] && !(shares[d] >= -tolerance && shares[d] < 1 + tolerance))
          return Verdict::failure("atom " + std::to_string(i / 3) + " is still outside of the box");
      Vec3<double> moved = r - vector(positions_.source());
      if (images_.given()) {
        moved = moved + box_.edges(vector(images_.values()) - vector(images_.source()));
      } else {
        // Without flags any number of whole edges is correct.
        const Vec3<double> n =
            box_.shares(moved + Vec3<double>{box_.lower[0], box_.lower[1], box_.lower[2]});
        moved = moved - box_.edges({std::nearbyint(n.x), std::nearbyint(n.y), std::nearbyint(n.z)});
      }
      error = std::max({error, std::abs(moved.x) / box_.length[0],
                        std::abs(moved.y) / box_.length[1], std::abs(moved.z) / box_.length[2]});
    }
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-13 : 1e-5, "unwrapped coordinates");
  }

  [[nodiscard]] Verdict compare_straight() {
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
      // Without flags any number of whole lengths is correct.
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

/// Trials of md/wrap. Error: largest difference of an unwrapped coordinate over the box length;
/// infinite if an atom is still outside.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Wrap, WrapTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::md::wrap_trial
