#include "core/base/random.hpp"
#include "core/tuning/pace.hpp"
#include "tests/unit/core/tuning/sample_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

namespace tessera {
namespace {

/// An evaluator whose measurements take a given time on a simulated clock. Like worker processes,
/// it stops when the time is over.
class SlowEvaluator final : public Evaluator {
 public:
  SlowEvaluator(const Landscape& l, double& now) : landscape_(l), now_(now) {}

  const std::vector<Candidate>& candidates() const override { return landscape_.candidates; }
  std::vector<Measurement> measure(const std::vector<std::size_t>& which, double seconds) override {
    const double end = now_ + seconds;
    std::vector<Measurement> all(which.size());
    take(open, end);
    for (std::size_t k = 0; k < which.size(); ++k)
      if (take(candidate, end)) all[k] = landscape_.measurements[which[k]];
    return all;
  }
  std::vector<double> round(const std::vector<std::size_t>& which, bool, double seconds) override {
    const double end = now_ + seconds;
    std::vector<double> times;
    for (const std::size_t c : which) {
      if (!take(sample, end)) return {};
      times.push_back(landscape_.measurements[c].seconds * (1 + 1e-3 * random_.uniform()));
    }
    return times;
  }
  double seconds_of_sample() const override { return sample; }
  double seconds_of_check() const override { return open + candidate; }
  Measurement check(std::size_t c, double seconds) override {
    return take(open + candidate, now_ + seconds) ? landscape_.measurements[c] : Measurement{};
  }

  double open = 1, candidate = 0.5, sample = 0.05;

 private:
  bool take(double cost, double end) {
    now_ = std::min(end, now_ + cost);
    return now_ < end;
  }

  const Landscape& landscape_;
  double& now_;
  RandomSequence random_{9};
};

class Paced final : public PacedSearch {
 public:
  Paced(const Landscape& l, double& now, double share)
      : evaluator(l, now), share_(share), now_(now) {
    TunerOptions options;
    options.strategy = "random";
    options.clock = [&now] { return now; };
    search = std::make_unique<Search>(evaluator, options);
  }

  double share() const override { return share_; }
  bool has_more() const override { return search->has_more(); }
  std::int64_t measured() const override { return std::ssize(search->result().measured); }
  void measure(std::size_t most, double seconds) override {
    const double start = now_;
    (void)search->measure(most, seconds);
    spent += now_ - start;
  }
  double least_seconds_of_comparison() const override {
    return search->least_seconds_of_comparison();
  }
  void compare(double seconds) override {
    search->compare(seconds);
    ++comparisons;
  }

  SlowEvaluator evaluator;
  std::unique_ptr<Search> search;
  double spent = 0;
  int comparisons = 0;

 private:
  double share_;
  double& now_;
};

Pace pace_of(double& now, double seconds) {
  Pace pace;
  pace.clock = [&now] { return now; };
  pace.until = now + seconds;
  return pace;
}

TEST_CASE("a budget of time is kept with the comparison in it, and used where there is more") {
  const Landscape l = test::sample_landscape();
  for (const double cost : {0.01, 0.1, 1.0, 3.0})
    for (const double seconds : {15.0, 60.0}) {
      CAPTURE(cost);
      CAPTURE(seconds);
      double now = 100;
      Paced one(l, now, 1);
      one.evaluator.open = cost;
      one.evaluator.candidate = cost;
      one.evaluator.sample = cost / 10;
      run_paced({&one}, pace_of(now, seconds));
      CHECK(now <= 100 + seconds);
      if (one.has_more()) CHECK(now >= 100 + 0.8 * seconds);
      CHECK(one.comparisons >= 1);
      CHECK(!one.search->result().compared.empty());
    }
}

TEST_CASE("what is measured and compared in a budget is remembered with its gain") {
  const Landscape l = test::sample_landscape();
  double now = 0;
  Paced one(l, now, 1);
  run_paced({&one}, pace_of(now, 60));
  const TuningResult& result = one.search->result();
  CHECK(!result.doubtful);
  CHECK(!result.kept_default);
  CHECK(result.ratio.rounds >= 21);
}

TEST_CASE("too short a budget ends in time and says what was missing") {
  const Landscape l = test::sample_landscape();
  double now = 0;
  Paced one(l, now, 1);
  one.evaluator.sample = 1.2;
  run_paced({&one}, pace_of(now, 15));
  CHECK(now <= 15);
  CHECK(one.search->result().kept_default);
  REQUIRE(one.search->result().doubtful);
  CHECK(one.search->result().doubtful->find("rounds") != std::string::npos);
  // No time for even one evaluation: the search ends without measurements.
  double later = 0;
  Paced none(l, later, 1);
  none.evaluator.open = 100;
  run_paced({&none}, pace_of(later, 15));
  CHECK(later <= 15);
  CHECK(none.measured() == 0);
  CHECK(none.comparisons == 0);
}

TEST_CASE("several searches have one budget, by their shares") {
  const Landscape l = test::sample_landscape();
  double now = 0;
  Paced large(l, now, 0.8), small(l, now, 0.2);
  for (Paced* const one : {&large, &small}) {
    one->evaluator.open = 0.1;
    one->evaluator.candidate = 0.2;
  }
  run_paced({&large, &small}, pace_of(now, 60));
  CHECK(now <= 60);
  CHECK(now >= 48);
  CHECK(large.spent > 3 * small.spent);
  CHECK(large.spent < 5 * small.spent);
  CHECK(small.comparisons >= 1);
}

TEST_CASE("what one search leaves the others get") {
  const Landscape l = test::sample_landscape();
  Landscape few = l;
  few.candidates.resize(3);
  few.measurements.resize(3);
  double now = 0;
  Paced large(few, now, 0.9), small(l, now, 0.1);
  run_paced({&large, &small}, pace_of(now, 60));
  CHECK(large.measured() == 3);
  CHECK(small.measured() > 30);
  CHECK(now >= 48);
}

TEST_CASE("a budget of evaluations is that of all searches") {
  const Landscape l = test::sample_landscape();
  double now = 0;
  Paced large(l, now, 0.75), small(l, now, 0.25);
  Pace pace = pace_of(now, no_time_limit);
  pace.evaluations = 60;
  run_paced({&large, &small}, pace);
  CHECK(large.measured() + small.measured() == 60);
  CHECK(large.measured() > small.measured());
  CHECK(small.measured() > 0);
  CHECK(large.comparisons == 1);
}

TEST_CASE("all candidates are measured where nothing limits it, and a stop ends it") {
  const Landscape l = test::sample_landscape();
  double now = 0;
  Paced one(l, now, 1);
  Pace pace = pace_of(now, no_time_limit);
  run_paced({&one}, pace);
  CHECK(!one.has_more());
  CHECK(one.comparisons == 1);
  Paced stopped(l, now, 1);
  pace.stop = [&] { return stopped.measured() >= 16; };
  run_paced({&stopped}, pace);
  CHECK(stopped.measured() == 16);
  CHECK(stopped.comparisons == 0);
}

}  // namespace
}  // namespace tessera
