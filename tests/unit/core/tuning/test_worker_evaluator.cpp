#include "core/base/atomic_file.hpp"
#include "core/tuning/tuner.hpp"
#include "core/tuning/worker_evaluator.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

namespace tessera {
namespace {

/// Script of a substitute for a worker, with three candidates whose times are 1, 2 and 0.5 s. It
/// hangs at the candidate of its first argument.
constexpr const char* worker = R"(#!/bin/sh
hangs=$1
while read -r line; do
  case "$line" in
    *'"session"'*)
      echo '{"outcome":"ready","label":"x 9","items":9,"key":{"size":9,"kinds":{},"magnitudes":{}},'\
'"device":{"backend":"b","name":"n","architecture":"a","memory":0,"compute_units":1,'\
'"concurrency":1,"driver":""},"refused":[],"defaults":[0,1],"candidates":['\
'{"implementation":"one","parameters":{}},{"implementation":"two","parameters":{"k":1}},'\
'{"implementation":"two","parameters":{"k":2}}]}' ;;
    *'"implementation"'*)
      case "$line" in
        *'"one"'*) seconds=1 ;;
        *'"k":1'*) seconds=2 ;;
        *) seconds=0.5 ;;
      esac
      slot=$(echo "$line" | sed 's/.*"slot":\([0-9]*\).*/\1/')
      eval "seconds_$slot=$seconds"
      [ "$hangs" = "$seconds" ] && exec sleep 1000
      echo '{"outcome":"passed"}' ;;
    *)
      slot=$(echo "$line" | sed 's/.*"slot":\([0-9]*\).*/\1/')
      eval "seconds=\$seconds_$slot"
      echo "{\"outcome\":\"timed\",\"seconds\":$seconds,\"calls\":1}" ;;
  esac
done
)";

class Workers {
 public:
  WorkerEvaluatorOptions options(const std::string& hangs = "never") const {
    WorkerEvaluatorOptions options;
    options.command = {"/bin/sh", script_, hangs};
    return options;
  }

 private:
  test::TemporaryDirectory folder_;
  std::string script_ = [this] {
    const auto path = folder_.path() / "worker.sh";
    write_file_atomically(path, worker);
    return path.string();
  }();
};

constexpr double for_ever = 1e6;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST_CASE("workers: candidates are measured and compared") {
  const Workers workers;
  WorkerEvaluator evaluator(workers.options());
  CHECK(evaluator.candidates().size() == 3);
  CHECK(evaluator.defaults() == std::vector<std::size_t>{0, 1});
  const auto measured = evaluator.measure({0, 1, 2}, for_ever);
  REQUIRE(measured.size() == 3);
  CHECK(measured[0].seconds == 1);
  CHECK(measured[1].seconds == 2);
  CHECK(measured[2].seconds == 0.5);
  CHECK(measured[2].samples == 5);
  for (const bool backwards : {false, true})
    CHECK(evaluator.round({0, 2, 1, 0}, backwards, for_ever) == std::vector<double>{1, 0.5, 2, 1});
  CHECK(evaluator.round({0, 2, 0}, false, for_ever) == std::vector<double>{1, 0.5, 1});
  CHECK(evaluator.check(2, for_ever).counts());
  CHECK(evaluator.round({0, 2, 0}, false, for_ever) == std::vector<double>{1, 0.5, 1});
}

TEST_CASE("workers: a search finds the fastest, with its gain") {
  const Workers workers;
  WorkerEvaluator evaluator(workers.options());
  const TuningResult result = search(evaluator, {});
  CHECK(result.winner == 2);
  CHECK(result.ratio.gains() == Interval{2, 2});
  CHECK(result.noise == 0);
  REQUIRE(result.own.size() == 1);
  CHECK(result.own[0].to_defaults.gain() == 4);
}

TEST_CASE("workers: one that hangs costs no more than the time that there is, and is not blamed") {
  const Workers workers;
  const auto start = std::chrono::steady_clock::now();
  WorkerEvaluator evaluator(workers.options("0.5"));
  const auto measured = evaluator.measure({0, 1, 2}, 0.7);
  REQUIRE(measured.size() == 3);
  CHECK(!measured[2].known());
  CHECK(evaluator.round({0, 2, 0}, false, 0.3).empty());
  CHECK(!evaluator.check(2, 0.3).known());
  // The worker would hang for a quarter of an hour.
  CHECK(seconds_since(start) < 100);
  // The evaluator can still measure the others.
  CHECK(evaluator.measure({0, 1}, for_ever)[1].seconds == 2);
}

TEST_CASE("workers: a candidate that takes its own time in vain is given up") {
  const Workers workers;
  WorkerEvaluatorOptions options = workers.options("0.5");
  options.timeout = 0.5;
  WorkerEvaluator evaluator(options);
  CHECK(evaluator.measure({0, 2}, for_ever)[1].outcome == Measurement::Outcome::timed_out);
}

TEST_CASE("workers: a problem that is not set up in time is told") {
  WorkerEvaluatorOptions options;
  options.command = {"/bin/sh", "-c", "exec sleep 1000"};
  CHECK_THROWS_AS(WorkerEvaluator(options, 0.2), TimeIsUpError);
  CHECK_THROWS_AS(WorkerEvaluator(options, -1), TimeIsUpError);
}

}  // namespace
}  // namespace tessera
