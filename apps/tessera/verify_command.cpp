#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/command.hpp"
#include "apps/tessera/filter.hpp"
#include "apps/tessera/selection_options.hpp"
#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/table.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/base/reasons.hpp"
#include "core/case/case_registry.hpp"
#include "core/trials/trial.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

/// Result of one implementation.
struct Outcome {
  const ImplementationInfo* info;
  std::string unavailable;  ///< reason why it cannot run on this machine, or empty
  std::vector<Verdict> verdicts;
  bool not_posed = false;  ///< the case has no problem of the operation

  [[nodiscard]] int count(Verdict::Outcome outcome) const {
    int n = 0;
    for (const Verdict& v : verdicts)
      n += v.outcome == outcome;
    return n;
  }
  [[nodiscard]] bool failed() const { return count(Verdict::Outcome::failed) > 0; }

  /// Verdict with the largest ratio of error to tolerance, failures first; null when every input
  /// was refused.
  [[nodiscard]] const Verdict* worst() const {
    const Verdict* worst = nullptr;
    for (const Verdict& v : verdicts) {
      if (v.outcome == Verdict::Outcome::refused) continue;
      if (worst == nullptr || share(v) > share(*worst)) worst = &v;
    }
    return worst;
  }

 private:
  static double share(const Verdict& v) {
    const double of_tolerance =
        v.error == 0 ? 0 : (v.tolerance > 0 ? v.error / v.tolerance : INFINITY);
    // A failure always outranks a pass.
    return v.passed() ? std::fmin(of_tolerance, 1.0) : 2 + of_tolerance;
  }
};

std::string state(const Outcome& outcome) {
  if (!outcome.unavailable.empty()) return "skipped";
  if (outcome.not_posed) return "not posed";
  if (outcome.verdicts.empty()) return "no such size";
  if (outcome.failed()) return "FAILED";
  return outcome.worst() == nullptr ? "refused" : "passed";
}

std::string number(double value) {
  return value == 0 ? "0" : (std::isfinite(value) ? fmt::format("{:.1e}", value) : "not finite");
}

/// Result of a failed comparison, or the reason of a failure that is none, such as a write past the
/// end of an array.
std::string text_of(const Verdict& verdict) {
  if (verdict.tolerance == 0 && !std::isfinite(verdict.error)) return verdict.detail;
  return fmt::format("error {}, tolerance {} ({})", number(verdict.error),
                     number(verdict.tolerance), verdict.detail);
}

class VerifyCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return Usage{"verify",
                 "Compare every built implementation with the oracle on the standard inputs",
                 {{"case", &case_file_, "Case whose state is used instead of the standard inputs",
                   "CASE.toml"},
                  {"--set", &overrides_, "Change a key of the case; may be repeated", "KEY=VALUE"}}}
        .add(filter_.options())
        .add({{"--input", &input_, "Only this standard input", "NAME"},
              {"--size", &size_, "Only this size of the standard inputs", "N",
               Option::Range::not_negative},
              selection_.parameter_option(),
              {"--verbose", &verbose_, "Every implementation, and every input that it refuses"},
              {"--json", &json_, "Print JSON"}})
        .computing();
  }

  int run() override {
    std::unique_ptr<TrialSource> source;
    if (!case_file_.empty())
      source = cases::case_registry().trial_source(app::read_case(case_file_, overrides_));
    const std::vector<const ImplementationBase*> implementations = filter_.implementations();
    Choices choices;
    selection_.add_to(choices, filter_.implementation);
    if (source == nullptr) check_input(implementations);
    std::vector<Outcome> outcomes;
    {
      Progress progress("verify", static_cast<std::int64_t>(implementations.size()), !json_);
      for (const ImplementationBase* implementation : implementations) {
        const ImplementationInfo& info = implementation->info();
        progress.advance_to(
            static_cast<std::int64_t>(outcomes.size()),
            fmt::format("{}={} in {}", info.operation, info.name, name(info.precision)));
        outcomes.push_back(
            verify(*implementation, choices.parameters(info.operation, info.name), source.get()));
        if (outcomes.back().not_posed && filter_.operation.empty()) outcomes.pop_back();
      }
    }
    if (json_)
      print_json(outcomes);
    else
      print_tables(outcomes);
    if (const std::string reason = nothing_verified(outcomes); !reason.empty()) {
      print_error(reason);
      return exit_code::failed;
    }
    for (const Outcome& outcome : outcomes)
      if (outcome.failed()) return exit_code::failed;
    return exit_code::ok;
  }

 private:
  /// Reason why no implementation was compared with the oracle; empty where one was.
  [[nodiscard]] std::string nothing_verified(const std::vector<Outcome>& outcomes) const {
    std::map<std::string, int> states;
    for (const Outcome& outcome : outcomes) {
      if (outcome.worst() != nullptr) return {};
      ++states[state(outcome)];
    }
    if (states.empty())
      return "nothing was verified: the case poses no problem" +
             (filter_.precision.empty() ? "" : " with --precision " + filter_.precision);
    std::string text = "nothing was verified: of " + std::to_string(outcomes.size()) +
                       (outcomes.size() == 1 ? " implementation" : " implementations");
    const char* separator = " ";
    for (const auto& [what, count] : states) {
      text += separator + std::to_string(count) + " '" + what + "'";
      separator = ", ";
    }
    return text;
  }

  void check_input(const std::vector<const ImplementationBase*>& implementations) const {
    if (input_.empty()) return;
    std::vector<std::string> names;
    for (const ImplementationBase* implementation : implementations)
      for (TrialInput& input : registry().trials(implementation->info().operation)->inputs()) {
        if (input.name == input_) return;
        if (std::find(names.begin(), names.end(), input.name) == names.end())
          names.push_back(std::move(input.name));
      }
    throw SelectionError("input", input_, names);
  }

  /// Checks one implementation on the problem of `source` or, where that is null, on the standard
  /// inputs.
  [[nodiscard]] Outcome verify(const ImplementationBase& implementation,
                               const ParameterValues& parameters, const TrialSource* source) const {
    Outcome outcome{&implementation.info(), {}, {}};
    Context context;
    try {
      context = filter_.open(implementation);
    } catch (const RefusalError& error) {
      outcome.unavailable = error.reason();
      return outcome;
    }
    const std::shared_ptr<Trials> trials = registry().trials(outcome.info->operation);
    if (source != nullptr) {
      if (const auto run = trials->make(implementation, context, parameters, *source))
        outcome.verdicts.push_back(check(*run));
      else
        outcome.not_posed = true;
      return outcome;
    }
    for (const TrialInput& input : trials->inputs()) {
      if (!input_.empty() && input.name != input_) continue;
      const std::vector<std::int64_t> sizes = size_ < 0 ? input.checked : std::vector{size_};
      for (const std::int64_t size : sizes) {
        // Without --input, skips inputs that do not have the given size.
        if (input_.empty() && !input.any_size &&
            std::find(input.checked.begin(), input.checked.end(), size) == input.checked.end())
          continue;
        outcome.verdicts.push_back(
            check(*trials->make(implementation, context, parameters, input.name, size)));
      }
    }
    return outcome;
  }

  void print_tables(const std::vector<Outcome>& outcomes) const {
    if (verbose_)
      print_outcomes(outcomes);
    else
      print_summary(outcomes);
    print_notes(outcomes);
    const auto failed =
        std::count_if(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.failed(); });
    if (failed > 0)
      fmt::print("\n{} of {} implementations FAILED\n", failed, outcomes.size());
    else if (nothing_verified(outcomes).empty())
      fmt::print("\nno implementation failed\n");
  }

  /// Prints one row for each implementation in each precision.
  static void print_outcomes(const std::vector<Outcome>& outcomes) {
    Table table({"operation", "implementation", "precision", ">passed", ">refused", ">worst error",
                 ">tolerance", "on input", "result"});
    for (const Outcome& outcome : outcomes) {
      const Verdict* const worst = outcome.worst();
      table.add(
          {outcome.info->operation, outcome.info->name, std::string(name(outcome.info->precision)),
           std::to_string(outcome.count(Verdict::Outcome::passed)),
           std::to_string(outcome.count(Verdict::Outcome::refused)),
           worst == nullptr ? "" : number(worst->error),
           worst == nullptr ? "" : number(worst->tolerance), worst == nullptr ? "" : worst->input,
           state(outcome)},
          outcome.failed()   ? Style::bad
          : worst == nullptr ? Style::dim
                             : Style::good);
    }
    table.print(stdout);
  }

  /// Prints one row for each operation: the number of implementations with each result. Each
  /// precision of an implementation counts separately.
  static void print_summary(const std::vector<Outcome>& outcomes) {
    const std::vector<std::string> states = {"passed", "refused", "skipped", "FAILED"};
    Table table({"operation", ">implementations", ">passed", ">refused", ">skipped", ">failed",
                 ">inputs passed", ">inputs refused"});
    std::vector<std::string> operations;
    for (const Outcome& outcome : outcomes)
      if (operations.empty() || operations.back() != outcome.info->operation)
        operations.push_back(outcome.info->operation);
    for (const std::string& operation : operations) {
      std::map<std::string, int> count;
      int all = 0;
      int passed = 0;
      int refused = 0;
      for (const Outcome& outcome : outcomes) {
        if (outcome.info->operation != operation) continue;
        ++all;
        ++count[state(outcome)];
        passed += outcome.count(Verdict::Outcome::passed);
        refused += outcome.count(Verdict::Outcome::refused);
      }
      std::vector<std::string> cells = {operation, std::to_string(all)};
      for (const std::string& one : states)
        cells.push_back(std::to_string(count[one]));
      cells.push_back(std::to_string(passed));
      cells.push_back(std::to_string(refused));
      table.add(std::move(cells), count["FAILED"] > 0   ? Style::bad
                                  : count["passed"] > 0 ? Style::good
                                                        : Style::dim);
    }
    table.print(stdout);
  }

  /// Prints failures and reasons of refusals, each reason once with its inputs. Reasons for
  /// refusing only some of the inputs are printed with --verbose only.
  void print_notes(const std::vector<Outcome>& outcomes) const {
    Reasons reasons;
    std::vector<std::string> failures;
    for (const Outcome& outcome : outcomes) {
      const std::string subject = outcome.info->operation + "=" + outcome.info->name;
      if (!outcome.unavailable.empty()) reasons.add(subject, "skipped: " + outcome.unavailable);
      if (outcome.not_posed)
        reasons.add(outcome.info->operation, "the case poses no problem of the operation");
      for (const Verdict& v : outcome.verdicts) {
        if (v.outcome == Verdict::Outcome::failed)
          failures.push_back(fmt::format("{} in {} FAILED on '{}': {}", subject,
                                         name(outcome.info->precision), v.input, text_of(v)));
        else if (v.outcome == Verdict::Outcome::refused && (verbose_ || outcome.worst() == nullptr))
          reasons.add(subject + " on '" + v.input + "'", "refused: " + v.detail);
      }
    }
    if (!failures.empty()) fmt::print("\n{}\n", fmt::join(failures, "\n"));
    if (!reasons.empty()) fmt::print("\n");
    for (const Reasons::Entry& entry : reasons.entries())
      fmt::print("{}: {}\n", verbose_ ? entry.names() : entry.names(3), entry.reason);
  }

  static void print_json(const std::vector<Outcome>& outcomes) {
    ordered_json out;
    out["schema"] = "tessera.verify/1";
    out["results"] = ordered_json::array();
    for (const Outcome& outcome : outcomes) {
      ordered_json row;
      row["operation"] = outcome.info->operation;
      row["implementation"] = outcome.info->name;
      row["precision"] = name(outcome.info->precision);
      row["result"] = outcome.failed() ? "failed" : state(outcome);
      if (!outcome.unavailable.empty()) row["reason"] = outcome.unavailable;
      row["inputs"] = ordered_json::array();
      for (const Verdict& v : outcome.verdicts) {
        ordered_json input;
        input["name"] = v.input;
        input["outcome"] = name(v.outcome);
        // JSON has no infinity.
        input["error"] = std::isfinite(v.error) ? ordered_json(v.error) : ordered_json(nullptr);
        input["tolerance"] = v.tolerance;
        input["detail"] = v.detail;
        row["inputs"].push_back(std::move(input));
      }
      out["results"].push_back(std::move(row));
    }
    fmt::print("{}\n", out.dump(2));
  }

  std::string case_file_;
  std::vector<std::string> overrides_;
  Filter filter_;
  SelectionOptions selection_;
  std::string input_;
  std::int64_t size_ = -1;
  bool verbose_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() {
  return std::make_unique<VerifyCommand>();
}

}  // namespace tessera::command_line
