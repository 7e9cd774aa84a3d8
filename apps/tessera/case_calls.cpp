#include "apps/tessera/case_calls.hpp"

#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case_choices.hpp"
#include "apps/tessera/case_run.hpp"
#include "core/base/error.hpp"
#include "core/operations/tuned_choices.hpp"
#include "core/tuning/problem_key_json.hpp"
#include "core/tuning/recorded_choices.hpp"
#include "core/tuning/worker.hpp"
#include "core/tuning/worker_evaluator.hpp"
#include "core/tuning/workers.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

/// Returns the choices of the user's database and records the queries for them.
class RecordingChoices final : public TunedChoices {
 public:
  struct Query {
    std::string operation;
    Precision precision;
    ProblemKey problem;
  };

  [[nodiscard]] std::optional<TunedChoice> find(const std::string& operation, Precision precision,
                                                const ProblemKey& problem,
                                                const DeviceProperties& device,
                                                const std::string& implementation) const override {
    const std::lock_guard lock(mutex_);
    const bool known = std::any_of(queries_.begin(), queries_.end(), [&](const Query& q) {
      return q.operation == operation && q.precision == precision && q.problem == problem;
    });
    if (!known) queries_.push_back({operation, precision, problem});
    return users_ ? users_->find(operation, precision, problem, device, implementation)
                  : std::optional<TunedChoice>();
  }
  [[nodiscard]] std::vector<TunedChoice> known(const std::string& operation, Precision precision,
                                               const DeviceProperties& device) const override {
    return users_ ? users_->known(operation, precision, device) : std::vector<TunedChoice>();
  }

  [[nodiscard]] const std::vector<Query>& queries() const { return queries_; }

 private:
  std::shared_ptr<const TunedChoices> users_ = users_tuned_choices();
  mutable std::mutex mutex_;
  mutable std::vector<Query> queries_;
};

/// Makes steps until the time has passed.
void make_steps(CaseRun& run, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  const auto late = [&] { return Clock::now() >= end; };
  TableOutput no_output(false);
  Progress progress("", 1, false);
  const RunScreen screen{no_output, progress};
  run.reset_timings();
  // All steps at once, as in a run: single steps may take a different code path.
  while (run.steps_done() < run.steps() && !late())
    run.advance(run.steps() - run.steps_done(), late, screen);
}

/// The executed operations with the times of their parts "(prepare)" and "(fused steps)". Leaves
/// out parts with any other remark, which have problems of their own.
std::vector<OperationTime> executed(const std::vector<OperationTime>& timings) {
  constexpr std::string_view parts[] = {" (prepare)", " (fused steps)"};
  std::vector<OperationTime> all;
  const auto add = [&](const OperationTime& time, const std::string& operation) {
    for (OperationTime& known : all)
      if (known.operation == operation && known.precision == time.precision) {
        known.calls += time.calls;
        known.seconds += time.seconds;
        return;
      }
    all.push_back(time);
    all.back().operation = operation;
  };
  for (const OperationTime& time : timings)
    if (time.calls > 0 && time.operation.find(' ') == std::string::npos) add(time, time.operation);
  for (const OperationTime& time : timings)
    for (const std::string_view part : parts)
      if (time.calls > 0 && time.operation.ends_with(part))
        add(time, time.operation.substr(0, time.operation.size() - part.size()));
  return all;
}

ordered_json reply_to(const ordered_json& query) {
  cases::Case c = app::read_case(query.at("file").get<std::string>(),
                                 query.at("set").get<std::vector<std::string>>(),
                                 query.at("precision").get<std::string>());
  if (const auto backend = query.at("backend").get<std::string>(); !backend.empty())
    c.backend = backend;
  Choices choices = choices_of(c);
  const auto noted = std::make_shared<RecordingChoices>();
  choices.use_tuned(noted);
  choices.use_external_tuner(false);
  Context context = registry().open(c.backend, query.at("device").get<int>());
  context.choices = std::make_shared<const Choices>(choices);
  const std::unique_ptr<CaseRun> run = make_case_run(c);
  run->start(context, false);
  make_steps(*run, query.at("seconds").get<double>());
  ordered_json out{{"outcome", "ran"}, {"operations", ordered_json::array()}};
  for (const OperationTime& time : executed(run->timings())) {
    ordered_json problems = ordered_json::array();
    for (const RecordingChoices::Query& q : noted->queries())
      if (q.operation == time.operation && q.precision == time.precision)
        problems.push_back(problem_key_as_json(q.problem));
    const std::string& implementation = time.choice.implementation;
    out["operations"].push_back(
        {{"operation", time.operation},
         {"precision", name(time.precision)},
         {"implementation", implementation},
         {"source", name(time.choice.source)},
         {"parameters_set", !choices.parameters(time.operation, implementation).empty()},
         {"seconds", time.seconds},
         {"problems", std::move(problems)}});
  }
  return out;
}

CalledOperation called_from(const ordered_json& row, double seconds) {
  CalledOperation called;
  called.operation = row.at("operation").get<std::string>();
  called.precision = row.at("precision").get<std::string>();
  called.implementation = row.at("implementation").get<std::string>();
  called.source = row.at("source").get<std::string>();
  called.parameters_set = row.at("parameters_set").get<bool>();
  called.share = seconds > 0 ? row.at("seconds").get<double>() / seconds : 0;
  for (const JsonValue& problem : JsonValue(row).at("problems").items())
    called.problems.push_back(problem_key_from_json(problem));
  return called;
}

}  // namespace

bool asks_for_calls(const std::string& line) {
  const ordered_json object = ordered_json::parse(line, nullptr, false);
  return object.is_object() && object.contains("run");
}

std::string reply_with_calls(const std::string& line) {
  ordered_json out;
  const auto ended = [&](const char* outcome, const std::string& detail) {
    out = {{"outcome", outcome}, {"detail", detail}};
  };
  try {
    out = reply_to(ordered_json::parse(line).at("run"));
  } catch (const RefusalError& error) {
    ended("refused", error.what());
  } catch (const InputError& error) {
    ended("invalid", error.what());
  } catch (const SelectionError& error) {
    ended("invalid", error.what());
  } catch (const std::exception& error) {
    ended("failed", error.what());
  }
  return out.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<CalledOperation> calls_of_run(const CaseToCall& run, double seconds, double most) {
  Worker worker({path_of_this_program(), "trial", "-"});
  const ordered_json query{{"file", run.file},           {"set", run.overrides},
                           {"precision", run.precision}, {"backend", run.backend},
                           {"device", run.device},       {"seconds", seconds}};
  constexpr double for_ever = 1e6;
  const WorkerReply answer =
      worker.ask(ordered_json{{"run", query}}.dump(), std::min(most, for_ever));
  if (answer.end == WorkerReply::End::timed_out)
    throw TimeIsUpError("the time ended before the first steps of the run were made");
  const ordered_json reply = ordered_json::parse(answer.text, nullptr, false);
  if (answer.end != WorkerReply::End::answered || !reply.is_object())
    throw Error("the run of " + run.file + " could not be tried: " + answer.text);
  const std::string outcome = reply.value("outcome", "");
  const std::string detail = reply.value("detail", "");
  if (outcome == "refused" || outcome == "invalid") throw InputError({}, detail);
  if (outcome != "ran") throw Error("the run of " + run.file + " could not be tried: " + detail);
  double total = 0;
  for (const ordered_json& row : reply.at("operations"))
    total += row.at("seconds").get<double>();
  std::vector<CalledOperation> all;
  for (const ordered_json& row : reply.at("operations"))
    all.push_back(called_from(row, total));
  std::stable_sort(all.begin(), all.end(), [](const CalledOperation& a, const CalledOperation& b) {
    return a.share > b.share;
  });
  return all;
}

}  // namespace tessera::command_line
