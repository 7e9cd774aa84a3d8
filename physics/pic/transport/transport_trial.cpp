#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/transport/transport.hpp"
#include "physics/pic/transport/transport_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::pic::transport_trial {

struct Data {
  ReferenceParticle reference;
  Element element;
  bool by_column = false;                ///< each coordinate contiguous in memory
  std::vector<double> coordinates = {};  ///< particles x 6
  std::vector<std::uint8_t> alive = {};
  std::vector<std::int64_t> lost_at = {};
};

constexpr std::int64_t code = (std::int64_t{7} << 32) + 5;

Element aperture(ElementKind kind) {
  Element element;
  element.kind = kind;
  // Powers of two place the ends of the axes exactly on the edge, also in single precision.
  element.half_x = 0x1p-9;
  element.half_y = 0x1p-11;
  element.center_x = 0x1p-12;
  element.center_y = -0x1p-13;
  return element;
}

Element cavity(double energy_gain) {
  Element element;
  element.kind = ElementKind::cavity;
  element.energy_gain = energy_gain;
  element.wave_number = 9.2;
  element.phase = 0.4;
  return element;
}

Element drift(double length) {
  Element element;
  element.length = length;
  return element;
}

Element linear_map() {
  Element element;
  element.kind = ElementKind::linear_map;
  RandomSequence random(5);
  for (auto& row : element.map.matrix)
    for (double& number : row)
      number = random.uniform(-2, 2);
  for (double& number : element.map.constant)
    number = random.uniform(-1e-3, 1e-3);
  return element;
}

/// \param wild share of the particles whose momentum is not forward or whose coordinates are not
/// finite.
Data bunch(std::int64_t particles, double gamma, const Element& element, bool by_column,
           double wild = 0) {
  Data data{ReferenceParticle::with_gamma(gamma), element, by_column};
  RandomSequence random(23);
  const auto within = [&](double most) { return random.uniform(-most, most); };
  for (std::int64_t p = 0; p < particles; ++p) {
    std::vector<double> v{within(3e-3), within(5e-3), within(1e-3),
                          within(5e-3), within(0.1),  within(1e-2)};
    if (random.uniform() < wild) {
      const double values[] = {3 + random.uniform(), NAN, -INFINITY, 1e100};
      const auto place = static_cast<std::size_t>(random.below(6));
      v[place] = values[random.below(4)];
      if (place == 5 && random.uniform() < 0.5) v[5] = -1 - random.uniform();
    }
    data.coordinates.insert(data.coordinates.end(), v.begin(), v.end());
    data.alive.push_back(random.uniform() < 0.1 ? 0 : 1);
    data.lost_at.push_back(data.alive.back() == 0 ? random.below(99) : 0);
  }
  return data;
}

/// Particles at the ends of the axes of an aperture, and 2^-20 of them inside and outside.
Data on_edge(std::int64_t particles, ElementKind kind) {
  Data data = bunch(particles, 3, aperture(kind), false);
  const Element& e = data.element;
  RandomSequence random(29);
  for (std::size_t p = 0; p < data.alive.size(); ++p) {
    const double sign = random.uniform() < 0.5 ? -1 : 1;
    const double beside[] = {1, 1 + 0x1p-20, 1 - 0x1p-20};
    const double share = sign * beside[random.below(3)];
    const bool along_x = random.uniform() < 0.5;
    data.coordinates[6 * p] = e.center_x + (along_x ? share * e.half_x : 0);
    data.coordinates[6 * p + 2] = e.center_y + (along_x ? 0 : share * e.half_y);
  }
  return data;
}

/// Particles near the reference particle with slopes and momentum deviations so small that their
/// times of flight agree with its own in most digits.
Data cold(std::int64_t particles, double gamma) {
  Data data = bunch(particles, gamma, drift(1.7), false);
  for (std::size_t p = 0; p < data.alive.size(); ++p) {
    data.coordinates[6 * p + 1] *= 0x1p-10;
    data.coordinates[6 * p + 3] *= 0x1p-10;
    data.coordinates[6 * p + 4] = 0;
    data.coordinates[6 * p + 5] *= 0x1p-30;
  }
  return data;
}

/// Bunch of a run.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr) return std::nullopt;
  return Data{bunch->reference,     bunch->element, true,
              bunch->coordinates(), bunch->alive,   std::vector<std::int64_t>(bunch->alive.size())};
}

std::vector<TrialRow<Data>> rows() {
  constexpr double most_gain = 0.1;
  const Element elements[] = {linear_map(), drift(1.7), cavity(2e-3),
                              aperture(ElementKind::rectangle_aperture),
                              aperture(ElementKind::ellipse_aperture)};
  std::vector<TrialRow<Data>> all;
  for (const Element& element : elements) {
    const std::string kind(name(element.kind));
    all.push_back({{kind, {0, 1, 33, 1000, 100003}, {1000000, 21000000}},
                   [=](std::int64_t n) { return bunch(n, 3, element, true); }});
    all.push_back({{kind + ", by particle", {33, 1000}, {}},
                   [=](std::int64_t n) { return bunch(n, 3, element, false); }});
    all.push_back({{kind + ", wild", {1000}, {}, false},
                   [=](std::int64_t n) { return bunch(n, 3, element, true, 0.3); }});
    if (element.half_x > 0)
      all.push_back({{kind + ", on the edge", {1000}, {}, false},
                     [=](std::int64_t n) { return on_edge(n, element.kind); }});
  }
  for (const double gamma : {1.001, 100.0, 1e4}) {
    const std::string text = std::string(", gamma ") + (gamma < 2      ? "1.001"
                                                        : gamma < 1000 ? "100"
                                                                       : "10000");
    all.push_back({{"drift back" + text, {1000}, {}, false},
                   [=](std::int64_t n) { return bunch(n, gamma, drift(-0.3), false); }});
    all.push_back({{"drift, cold" + text, {1000}, {}, false},
                   [=](std::int64_t n) { return cold(n, gamma); }});
    // Slow particles have less energy to lose.
    const double gain = gamma < 2 ? 1e-4 : most_gain;
    all.push_back({{"cavity" + text, {1000}, {}, false},
                   [=](std::int64_t n) { return bunch(n, gamma, cavity(gain), false); }});
  }
  all.push_back({{"cavity, some stopped", {1000}, {}, false},
                 [](std::int64_t n) { return bunch(n, 1.01, cavity(-0.1), false); }});
  return all;
}

template <class P>
class TransportTrial final : public Trial<Transport, P> {
 public:
  using Storage = typename P::Storage;

  TransportTrial(const Context& context, const Data& data)
      : Trial<Transport, P>(context, static_cast<std::int64_t>(data.alive.size())),
        reference_(data.reference),
        element_(data.element),
        coordinates_(this->template array<Storage>("coordinates", data.coordinates, shape(data))),
        alive_(this->template array<std::uint8_t>("alive", data.alive)),
        lost_at_(this->template array<std::int64_t>("lost_at", data.lost_at)),
        lost_(this->template plain_array<std::int64_t>("lost")) {
    choose(0);
  }

  [[nodiscard]] TransportProblem problem() override { return {this->items()}; }
  [[nodiscard]] TransportArgs<Storage> args() override {
    TransportArgs<Storage> args = this->arguments(problem());
    args.code = code;
    args.reference = reference_;
    args.element = element_;
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    struct Work {
      double numbers, flops;  ///< numbers read and written, and operations, per particle
    };
    const Work work = element_.kind == ElementKind::linear_map ? Work{12, 72}
                      : element_.kind == ElementKind::drift    ? Work{9, 40}
                      : element_.kind == ElementKind::cavity   ? Work{5, 50}
                                                               : Work{2, 8};
    return {"particles", n, n * (work.numbers * sizeof(Storage) + 1), n * work.flops};
  }

  /// Ways: with the flags of lost particles, without them, and with flags and `lost_at`.
  [[nodiscard]] int ways() const override { return 3; }
  void choose(int way) override {
    alive_.give(way != 1);
    lost_at_.give(way == 2);
  }

 private:
  [[nodiscard]] static TrialShape shape(const Data& data) {
    return bunch_shape(static_cast<std::int64_t>(data.alive.size()), data.by_column);
  }

  struct Answer {
    std::vector<double> coordinates,
        magnitudes;  ///< magnitudes: -1 for a coordinate that does not change
    std::vector<std::uint8_t> alive;
    std::vector<std::int64_t> lost_at;
    std::int64_t lost = 0;
  };

  [[nodiscard]] Answer oracle() const {
    Answer answer{{coordinates_.source().begin(), coordinates_.source().end()},
                  std::vector<double>(coordinates_.source().size(), -1.0),
                  alive_.source(),
                  lost_at_.source()};
    const std::int64_t n = this->items();
    TransportArgs<double> args{{answer.coordinates.data(), {n, 6}},
                               {},
                               {},
                               code,
                               reference_,
                               element_,
                               {&answer.lost, {1}}};
    if (alive_.given()) args.alive = {answer.alive.data(), {n}};
    if (lost_at_.given()) args.lost_at = {answer.lost_at.data(), {n}};
    transport_oracle(args, answer.magnitudes.data());
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const std::string state = lost_at_.given() ? "where" : alive_.given() ? "who" : "all";
    const auto expected = this->template answer<Answer>(state, [&] { return oracle(); });
    if (lost_.values().front() != expected->lost)
      return Verdict::failure(std::to_string(lost_.values().front()) +
                              " particles lost, expected " + std::to_string(expected->lost));
    double error = 0;
    for (std::size_t p = 0; p < alive_.source().size(); ++p) {
      if (alive_.values()[p] != expected->alive[p])
        return Verdict::failure("particle " + std::to_string(p) + " is lost or not, otherwise");
      if (lost_at_.values()[p] != expected->lost_at[p])
        return Verdict::failure("particle " + std::to_string(p) + " is lost somewhere else");
      for (std::size_t k = 6 * p; k < 6 * p + 6; ++k) {
        const Storage found = coordinates_.values()[k];
        if (!(expected->magnitudes[k] >= 0 && expected->magnitudes[k] < INFINITY)) {
          if (std::memcmp(&found, &coordinates_.source()[k], sizeof found) != 0)
            return Verdict::failure("coordinate " + std::to_string(k % 6) + " of particle " +
                                    std::to_string(p) + " was changed");
          continue;
        }
        error = std::fmax(error, summed_error(static_cast<double>(found), expected->coordinates[k],
                                              expected->magnitudes[k]));
      }
    }
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-14 : 2e-7, "coordinates");
  }

  ReferenceParticle reference_;
  Element element_;
  TrialArray<Storage>& coordinates_;
  TrialArray<std::uint8_t>& alive_;
  TrialArray<std::int64_t>& lost_at_;
  TrialArray<std::int64_t>& lost_;
};

/// Trials of pic/transport. Error: the largest difference of a coordinate over the sum of the
/// magnitudes of its terms; infinite where other particles are lost, or a lost particle was
/// changed.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Transport, TransportTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::pic::transport_trial
