#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/input_file.hpp"
#include "core/base/random.hpp"
#include "core/tuning/statistics.hpp"
#include "core/tuning/tuner.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/core/tuning/sample_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

namespace tessera {
namespace {

using test::TemporaryDirectory;

/// An evaluator whose times scatter around those of a landscape.
class NoisyEvaluator final : public Evaluator {
 public:
  NoisyEvaluator(const Landscape& l, double noise) : landscape_(l), noise_(noise) {}

  const std::vector<Candidate>& candidates() const override { return landscape_.candidates; }
  std::vector<Measurement> measure(const std::vector<std::size_t>& which, double) override {
    std::vector<Measurement> all;
    for (const std::size_t c : which)
      all.push_back(landscape_.measurements[c]);
    return all;
  }
  std::vector<double> round(const std::vector<std::size_t>& which, bool, double) override {
    std::vector<double> times;
    for (const std::size_t c : which)
      times.push_back(landscape_.measurements[c].seconds *
                      (1 + noise_ * (2 * random_.uniform() - 1)));
    return times;
  }
  Measurement check(std::size_t candidate, double) override {
    return landscape_.measurements[candidate];
  }

 private:
  const Landscape& landscape_;
  double noise_;
  RandomSequence random_{7};
};

Landscape two(double first, double second) {
  Landscape l = test::sample_landscape();
  l.candidates.resize(2);
  l.measurements.resize(2);
  l.measurements[0].seconds = first;
  l.measurements[1].seconds = second;
  return l;
}

TEST_CASE("the best of all is found and compared") {
  const Landscape l = test::sample_landscape();
  NoisyEvaluator evaluator(l, 0.01);
  TunerOptions options;
  options.strategy = "exhaustive";
  const TuningResult result = search(evaluator, options, 0, 50);
  CHECK(result.measured.size() == l.candidates.size());
  CHECK(!result.kept_default);
  CHECK(l.measurements[result.winner].seconds == test::relative(l.best_seconds()).epsilon(0.02));
  CHECK(result.ratio.median ==
        test::relative(l.best_seconds() / l.measurements[0].seconds).epsilon(0.02));
  // The comparison includes the best candidate of each implementation; the untuned one comes last.
  CHECK(result.compared.back().first == 0);
  CHECK(std::any_of(result.compared.begin(), result.compared.end(), [&](const auto& one) {
    return l.candidates[one.first].implementation == "slow.portable";
  }));
}

TEST_CASE("the untuned one stays unless the gain is larger than the noise") {
  const Landscape close = two(1.0, 0.98);
  const Landscape far = two(1.0, 0.7);
  NoisyEvaluator noisy(close, 0.1);
  const TuningResult kept = search(noisy, {});
  CHECK(kept.kept_default);
  CHECK(!kept.doubtful);
  CHECK(kept.noise > 0.02);
  NoisyEvaluator quiet(close, 0.0005);
  CHECK(!search(quiet, {}).kept_default);
  NoisyEvaluator clear(far, 0.1);
  const TuningResult result = search(clear, {});
  CHECK(result.winner == 1);
  CHECK(result.noise < 0.2);
  CHECK(result.noise > 0);
  CHECK(result.ratio.interval.low < 0.7);
  CHECK(result.ratio.interval.high > 0.7);
}

TEST_CASE("of equal candidates none wins, however much the times scatter") {
  const Landscape equal = [] {
    Landscape l = test::sample_landscape();
    for (Measurement& m : l.measurements)
      m.seconds = 1;
    return l;
  }();
  for (const double noise : {0.001, 0.03, 0.1, 0.3, 0.9}) {
    CAPTURE(noise);
    NoisyEvaluator evaluator(equal, noise);
    TunerOptions options;
    options.strategy = "random";
    for (int time = 0; time < 40; ++time) {
      const TuningResult result = search(evaluator, options, 16);
      CHECK(result.kept_default);
      CHECK(result.own.empty());
    }
  }
}

TEST_CASE("where times of the same candidate differ by too much nothing is kept, and it is told") {
  const Landscape far = two(1.0, 0.14);
  NoisyEvaluator busy(far, 0.9);
  const TuningResult result = search(busy, {});
  CHECK(result.kept_default);
  CHECK(result.noise > most_noise);
  REQUIRE(result.doubtful);
  CHECK(result.doubtful->find("times of the same candidate differ by") == 0);
}

TEST_CASE("what is not kept is told with its interval") {
  const Landscape close = two(1.0, 0.97);
  NoisyEvaluator noisy(close, 0.1);
  const TuningResult result = search(noisy, {});
  CHECK(result.kept_default);
  REQUIRE(result.not_kept);
  CHECK(result.not_kept->find("the gain is between") != std::string::npos);
}

/// An evaluator with two candidates: the untuned implementation, and another one with its defaults.
class TwoImplementations final : public Evaluator {
 public:
  explicit TwoImplementations(std::vector<double> seconds) : seconds_(std::move(seconds)) {}
  const std::vector<Candidate>& candidates() const override { return candidates_; }
  std::vector<std::size_t> defaults() const override { return {0, 1}; }
  std::vector<Measurement> measure(const std::vector<std::size_t>& which, double) override {
    std::vector<Measurement> all;
    for (const std::size_t c : which) {
      Measurement& m = all.emplace_back();
      m.outcome = Measurement::Outcome::measured;
      m.seconds = seconds_[c];
    }
    return all;
  }
  std::vector<double> round(const std::vector<std::size_t>& which, bool, double) override {
    std::vector<double> times;
    for (const std::size_t c : which)
      times.push_back(seconds_[c]);
    return times;
  }
  Measurement check(std::size_t candidate, double) override {
    Measurement m;
    m.outcome =
        candidate == fails_alone ? Measurement::Outcome::crashed : Measurement::Outcome::measured;
    m.reason = "killed by signal 11";
    return m;
  }

  std::size_t fails_alone = 99;

 private:
  std::vector<Candidate> candidates_{{"fast", {}},
                                     {"other", {{"block", std::int64_t{1}}}},
                                     {"other", {{"block", std::int64_t{2}}}},
                                     {"other", {{"block", std::int64_t{4}}}}};
  std::vector<double> seconds_;
};

TEST_CASE("values of another implementation are kept where they beat its own defaults") {
  TwoImplementations slower({1, 3, 2, 4});
  const TuningResult result = search(slower, {});
  CHECK(result.kept_default);
  REQUIRE(result.own.size() == 1);
  CHECK(result.own[0].candidate == 2);
  CHECK(result.own[0].to_untuned.median == test::relative(2));
  CHECK(result.own[0].to_defaults.median == test::relative(2.0 / 3));
  TwoImplementations none({1, 2, 3, 4});
  CHECK(search(none, {}).own.empty());
}

TEST_CASE("who passes beside others and fails alone does not win") {
  TwoImplementations evaluator({1, 0.8, 0.5, 0.7});
  CHECK(search(evaluator, {}).winner == 2);
  evaluator.fails_alone = 2;
  const TuningResult result = search(evaluator, {});
  CHECK(result.winner == 3);
  CHECK(result.own.empty());
}

TEST_CASE("ties go to the first") {
  Landscape l = test::sample_landscape();
  l.measurements[20].seconds = 0.1;
  l.measurements[90].seconds = 0.1;
  RecordedEvaluator evaluator(l);
  TunerOptions options;
  options.strategy = "exhaustive";
  CHECK(search(evaluator, options, 0, 40).winner == 20);
  Landscape same = two(1, 1);
  RecordedEvaluator equal(same);
  CHECK(search(equal, {}).winner == 0);
}

TEST_CASE("results do not depend on the order in which candidates are measured") {
  const Landscape l = test::sample_landscape();
  RecordedEvaluator evaluator(l);
  std::vector<std::size_t> winners;
  for (const std::string strategy : {"exhaustive", "random"})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      TunerOptions options;
      options.strategy = strategy;
      options.seed = seed;
      winners.push_back(search(evaluator, options, 0, 17).winner);
    }
  CHECK(std::all_of(winners.begin(), winners.end(), [&](auto w) { return w == winners[0]; }));
}

TEST_CASE("a budget of evaluations is kept") {
  const Landscape l = test::sample_landscape();
  RecordedEvaluator evaluator(l);
  CHECK(search(evaluator, {}, 21).measured.size() == 21);
}

TEST_CASE("a search that was stopped keeps what it has and goes on from there") {
  const Landscape l = test::sample_landscape();
  RecordedEvaluator evaluator(l);
  TunerOptions options;
  int groups = 0;
  options.progress = [&](const Measured&) { ++groups; };
  options.stop = [&] { return groups >= 2; };
  const TuningResult first = search(evaluator, options, 40, 8);
  CHECK(first.stopped);
  CHECK(first.measured.size() == 2 * 8);
  options.stop = {};
  const TuningResult rest = search(evaluator, options, 40, 8, first.measured);
  const TuningResult whole = search(evaluator, options, 40, 8);
  CHECK(rest.measured.size() == 40);
  CHECK(rest.winner == whole.winner);
  for (const auto& [candidate, m] : whole.measured)
    CHECK(rest.measured.contains(candidate));
}

TEST_CASE("who fails cannot win") {
  Landscape l = test::sample_landscape();
  for (const std::size_t c : {5u, 6u, 7u}) {
    l.measurements[c].seconds = 1e-9;
    l.measurements[c].outcome = Measurement::Outcome::wrong;
  }
  RecordedEvaluator evaluator(l);
  TunerOptions options;
  options.strategy = "exhaustive";
  const TuningResult result = search(evaluator, options);
  CHECK(l.measurements[result.winner].counts());
  CHECK(result.measured.at(5).outcome == Measurement::Outcome::wrong);
}

TEST_CASE("where the untuned one fails the best that does not is taken, and told") {
  Landscape l = two(1, 2);
  l.measurements[0].outcome = Measurement::Outcome::wrong;
  l.measurements[0].reason = "element 3 of forces was not written";
  RecordedEvaluator evaluator(l);
  const TuningResult result = search(evaluator, {});
  CHECK(result.winner == 1);
  CHECK(!result.kept_default);
  CHECK(result.note.find("was not written") != std::string::npos);
}

TEST_CASE("a landscape is the same after writing and reading") {
  const TemporaryDirectory folder;
  Landscape l = test::sample_landscape();
  l.measurements[3] = {};
  l.measurements[3].outcome = Measurement::Outcome::crashed;
  l.measurements[3].reason = "killed by signal 6 (Aborted): \"x\"";
  l.measurements[4] = {};
  l.order = {0, 5, 3};
  l.compared = {{5, {0.5, 0.51}}, {0, {1.0, 1.01}}};
  l.refused = {{"fast.list", "no room", 3, 9}, {"other.list", "no \"charges\""}};
  const auto path = folder.path() / "landscape.json";
  write_landscape(l, path);
  const Landscape back = read_landscape(path);
  CHECK(back.candidates == l.candidates);
  CHECK(back.key == l.key);
  CHECK(back.order == l.order);
  CHECK(back.compared == l.compared);
  CHECK(back.refused == l.refused);
  CHECK(back.measurements[3].outcome == Measurement::Outcome::crashed);
  CHECK(back.measurements[3].reason == l.measurements[3].reason);
  CHECK(!back.measurements[4].known());
  CHECK(back.measurements[7].seconds == test::relative(l.measurements[7].seconds).epsilon(1e-3));
  CHECK(back.valid() == l.valid());
}

TEST_CASE("what is no landscape is refused by its name") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "landscape.json";
  CHECK_THROWS_AS((void)read_landscape(path), InputError);
  for (const char* text : {"", "[]", "{\"schema\": \"tessera.landscape/2\"}",
                           "{\"schema\": \"tessera.landscape/1\"}", "{\"schema\": 3}"}) {
    write_file_atomically(path, text);
    CHECK_THROWS_AS((void)read_landscape(path), InputError);
  }
}

TEST_CASE("landscapes of earlier versions are read") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "landscape.json";
  Landscape l = test::sample_landscape();
  l.measurements[1] = {};
  REQUIRE(l.measurements[1].outcome == Measurement::Outcome::unmeasured);
  write_landscape(l, path);
  const std::string now = read_file(path);
  std::string before = now;
  for (const auto& [name, former] :
       {std::pair<std::string, std::string>{"parameters", "knobs"}, {"unmeasured", "unknown"}}) {
    REQUIRE(before.find('"' + name + '"') != std::string::npos);
    for (std::size_t at; (at = before.find('"' + name + '"')) != std::string::npos;)
      before.replace(at + 1, name.size(), former);
  }
  write_file_atomically(path, before);
  write_landscape(read_landscape(path), path);
  CHECK(read_file(path) == now);
}

TEST_CASE("what is wrong with a landscape is told by its path") {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "landscape.json";
  Landscape l = test::sample_landscape();
  l.order = {0, 5};
  l.compared = {{5, {0.5}}};
  write_landscape(l, path);
  const std::string text = read_file(path);
  struct Wrong {
    std::string from, to, field, expected;
  };
  for (const Wrong& wrong :
       {Wrong{"\"input\": \"sample 1000\"", "\"input\": 7", "input", "expected a text"},
        Wrong{"\"items\": 1000.0", "\"items\": -1", "items", "finite number"},
        Wrong{"[0,5]", "[0,241]", "order[1]", "number of a candidate"},
        Wrong{"[0,5]", "[0,-5]", "order[1]", "whole number"},
        Wrong{"[[5,[0.5]]]", "[[5]]", "compared[0][1]", "is missing"},
        Wrong{"[[64,2,0.1]", "[[64,2]", "candidates[0].rows[0][0][2]", "is missing"},
        Wrong{"[[64,2,0.1]", "[[64,{},0.1]", "candidates[0].rows[0][0][1]", "expected a number"},
        Wrong{"\"measured\"", "\"mesured\"", "candidates[0].rows[0][1][0]", "unmeasured"}}) {
    CAPTURE(wrong.to);
    const std::size_t at = text.find(wrong.from);
    REQUIRE(at != std::string::npos);
    write_file_atomically(path, std::string(text).replace(at, wrong.from.size(), wrong.to));
    try {
      (void)read_landscape(path);
      FAIL_CHECK("nothing was thrown");
    } catch (const InputError& error) {
      CHECK(error.where().file == path.string());
      CHECK(error.where().field == wrong.field);
      CHECK(error.expected().find(wrong.expected) != std::string::npos);
    }
  }
}

TEST_CASE("medians, quantiles and their error") {
  CHECK(median_of({}) == 0);
  CHECK(median_of({3, 1, 2}) == 2);
  CHECK(median_of({4, 1, 2, 3}) == 2.5);
  CHECK(quantile_of({0, 1, 2, 3, 4}, 0.25) == 1);
  CHECK(relative_spread({1, 1, 1}) == 0);
  CHECK(relative_spread({0.9, 1, 1.1, 1, 1}) == doctest::Approx(0));
  CHECK(error_of_median({1}) == 0);
  RandomSequence random(3);
  std::vector<double> medians;
  double told = 0;
  for (int set = 0; set < 400; ++set) {
    std::vector<double> values;
    for (int k = 0; k < 25; ++k)
      values.push_back(random.uniform() + random.uniform() + random.uniform());
    medians.push_back(median_of(values));
    told += error_of_median(values) / 400;
  }
  double mean = 0, square = 0;
  for (const double m : medians)
    mean += m / 400;
  for (const double m : medians)
    square += (m - mean) * (m - mean) / 400;
  CHECK(told == test::relative(std::sqrt(square)).epsilon(0.25));
}

}  // namespace
}  // namespace tessera
