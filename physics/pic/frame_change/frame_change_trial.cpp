#include "core/base/random.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/frame_change/frame_change_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace tessera::pic::frame_change_trial {

using Lab = LongitudinalCoordinates;

struct Data {
  ReferenceParticle reference;
  Lab accelerator = Lab::cdt_dpop;
  Frame to = Frame::beam;
  bool by_column = false;                ///< each coordinate contiguous in memory
  std::vector<double> coordinates = {};  ///< particles x 6
  std::vector<std::uint8_t> alive = {};
};

/// \param wild share of the particles whose momenta are extreme: they cannot, or only just, be
/// converted.
Data bunch(std::int64_t particles, double gamma, Lab accelerator, Frame to, bool by_column,
           double wild = 0) {
  Data data{ReferenceParticle::with_gamma(gamma), accelerator, to, by_column};
  RandomSequence random(19);
  const auto within = [&](double most) { return most * (2 * random.uniform() - 1); };
  for (std::int64_t p = 0; p < particles; ++p) {
    double momentum = within(1e-2);
    // Chooses momenta with the same spread in the other frame, and for energies.
    if (to == Frame::accelerator) momentum /= gamma;
    if (accelerator != Lab::cdt_dpop && to == Frame::beam) momentum *= data.reference.beta();
    double xp = within(5e-3);
    if (random.uniform() < wild) {
      if (random.uniform() < 0.5)
        xp = 3 + random.uniform();  // more than the total momentum
      else
        momentum = random.uniform() < 0.5 ? NAN : -INFINITY;
    }
    data.coordinates.insert(data.coordinates.end(),
                            {within(1e-3), xp, within(1e-3), within(5e-3), within(0.1), momentum});
    data.alive.push_back(random.uniform() < 0.1 ? 0 : 1);
  }
  return data;
}

/// The bunch of a run.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr) return std::nullopt;
  return Data{bunch->reference,     Lab::cdt_dpop, Frame::beam, true,
              bunch->coordinates(), bunch->alive};
}

std::vector<TrialRow<Data>> rows() {
  std::vector<TrialRow<Data>> all{
      {{"to the beam", {0, 1, 33, 1000, 100003}, {1000000, 21000000}},
       [](std::int64_t n) { return bunch(n, 3, Lab::cdt_dpop, Frame::beam, true); }},
      {{"to the accelerator", {0, 1, 33, 1000, 100003}, {}},
       [](std::int64_t n) { return bunch(n, 3, Lab::cdt_dpop, Frame::accelerator, true); }},
      // Timing repeats the conversion in place: with beta gamma = 1 momenta do not grow or shrink.
      {{"to the accelerator, beta gamma 1", {1000}, {1000000, 21000000}},
       [](std::int64_t n) {
         return bunch(n, std::numbers::sqrt2, Lab::zeta_ptau, Frame::accelerator, true);
       }},
      {{"some impossible", {1000}, {}, false},
       [](std::int64_t n) { return bunch(n, 3, Lab::cdt_dpop, Frame::beam, true, 0.1); }},
      {{"some impossible, energies", {1000}, {}, false},
       [](std::int64_t n) { return bunch(n, 3, Lab::t_pt, Frame::beam, false, 0.1); }},
      {{"some impossible, back", {1000}, {}, false},
       [](std::int64_t n) { return bunch(n, 3, Lab::zeta_ptau, Frame::accelerator, false, 0.1); }}};
  for (const Lab accelerator : {Lab::cdt_dpop, Lab::zeta_ptau, Lab::t_pt})
    for (const Frame to : {Frame::beam, Frame::accelerator})
      for (const double gamma : {1.001, 100.0, 1e4}) {
        const std::string text = std::string(name(accelerator)) +
                                 (to == Frame::beam ? "" : ", back") + ", gamma " +
                                 (gamma < 2      ? "1.001"
                                  : gamma < 1000 ? "100"
                                                 : "10000");
        all.push_back({{text, {1000}, {}, false},
                       [=](std::int64_t n) { return bunch(n, gamma, accelerator, to, false); }});
      }
  return all;
}

template <class P>
class FrameChangeTrial final : public Trial<FrameChange, P> {
 public:
  using Storage = typename P::Storage;

  FrameChangeTrial(const Context& context, const Data& data)
      : Trial<FrameChange, P>(context, static_cast<std::int64_t>(data.alive.size())),
        data_(data),
        coordinates_(this->template array<Storage>("coordinates", data.coordinates, shape(data))),
        alive_(this->template array<std::uint8_t>("alive", data.alive)),
        impossible_(this->template plain_array<std::int64_t>("impossible")) {
    choose(0);
  }

  [[nodiscard]] FrameChangeProblem problem() override { return {this->items()}; }
  [[nodiscard]] FrameChangeArgs<Storage> args() override {
    FrameChangeArgs<Storage> args = this->arguments(problem());
    args.reference = data_.reference;
    args.accelerator = data_.accelerator;
    args.to = data_.to;
    return args;
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    constexpr double flops = 30;
    return {"particles", n, n * 6 * sizeof(Storage), n * flops};
  }

  /// Ways: without the flags of lost particles, and with them.
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { alive_.give(way == 1); }

 private:
  [[nodiscard]] static TrialShape shape(const Data& data) {
    return bunch_shape(static_cast<std::int64_t>(data.alive.size()), data.by_column);
  }

  struct Answer {
    std::vector<double> coordinates;
    std::vector<std::uint8_t> alive;
    std::int64_t impossible = 0;
  };

  [[nodiscard]] Answer oracle() const {
    Answer answer{{coordinates_.source().begin(), coordinates_.source().end()}, data_.alive};
    const std::int64_t n = this->items();
    FrameChangeArgs<double> args{{answer.coordinates.data(), {n, 6}},
                                 {},
                                 data_.reference,
                                 data_.accelerator,
                                 data_.to,
                                 {&answer.impossible, {1}}};
    if (alive_.given()) args.alive = {answer.alive.data(), {n}};
    frame_change_reference<double>({n}, args);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>(alive_.given() ? "some are lost" : "all",
                                                        [&] { return oracle(); });
    if (impossible_.values().front() != expected->impossible)
      return Verdict::failure(std::to_string(impossible_.values().front()) +
                              " particles cannot be converted, expected " +
                              std::to_string(expected->impossible));
    // Typical longitudinal momenta: about a hundredth of p_ref, divided by gamma in the beam frame.
    const double usual = data_.to == Frame::beam ? 1e-2 / data_.reference.gamma() : 1e-2;
    double error = 0;
    for (std::size_t k = 0; k < expected->coordinates.size(); ++k) {
      const double right = expected->coordinates[k];
      const auto found = static_cast<double>(coordinates_.values()[k]);
      if (alive_.given() && alive_.values()[k / 6] != expected->alive[k / 6])
        return Verdict::failure("particle " + std::to_string(k / 6) + " is lost or not, otherwise");
      if (!std::isfinite(right)) {
        if (std::isfinite(found))
          return Verdict::failure("what was not finite has become " + std::to_string(found));
        continue;
      }
      const double size = k % 6 == 5 ? std::abs(right) + usual : right == 0 ? 1.0 : std::abs(right);
      error = std::fmax(error, std::abs(found - right) / size);
      if (std::isnan(found)) return Verdict::failure("a coordinate is NaN");
    }
    return Verdict::measured(error, sizeof(Storage) == 8 ? 1e-14 : 2e-7, "coordinates");
  }

  Data data_;
  TrialArray<Storage>& coordinates_;
  TrialArray<std::uint8_t>& alive_;
  TrialArray<std::int64_t>& impossible_;
};

/// Trials of pic/frame_change. Error: the largest relative difference of a coordinate; for the
/// longitudinal momentum the divisor is the sum of the momentum and a typical one.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<FrameChange, FrameChangeTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::pic::frame_change_trial
