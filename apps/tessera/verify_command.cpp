#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/progress.hpp>
#include <tessera/core/operations/open_device.hpp>
#include <tessera/md/pair_force/pair_force_fixture.hpp>

#include "command.hpp"
#include "filter.hpp"
#include "run_setup.hpp"
#include "selection_options.hpp"
#include "table.hpp"

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

/// What became of one implementation.
struct Outcome {
  const ImplementationInfo* info;
  std::string unavailable;  ///< why it cannot run on this machine, else empty
  std::vector<Verdict> verdicts;

  [[nodiscard]] int count(Verdict::Outcome outcome) const {
    int n = 0;
    for (const Verdict& v : verdicts)
      n += v.outcome == outcome;
    return n;
  }
  [[nodiscard]] bool failed() const { return count(Verdict::Outcome::failed) > 0; }

  /// The verdict closest to, or furthest beyond, its tolerance; null when every input was refused.
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
    // A failure always outranks what passed.
    return v.passed() ? std::fmin(of_tolerance, 1.0) : 2 + of_tolerance;
  }
};

std::string state(const Outcome& outcome) {
  if (!outcome.unavailable.empty()) return "skipped";
  if (outcome.failed()) return "FAILED";
  return outcome.worst() == nullptr ? "refused" : "passed";
}

std::string number(double value) {
  return value == 0 ? "0" : (std::isfinite(value) ? fmt::format("{:.1e}", value) : "not finite");
}

class VerifyCommand final : public Command {
 public:
  CLI::App* add_to(CLI::App& program) override {
    CLI::App* const app = program.add_subcommand(
        "verify", "Compare every built implementation with the oracle on the standard inputs");
    app->add_option("case", case_file_,
                    "Case whose atoms are used for md/pair_force instead of the standard inputs")
        ->type_name("CASE.toml");
    app->add_option("--set", overrides_, "Change a key of the case; may be repeated")
        ->allow_extra_args(false)
        ->type_name("KEY=VALUE");
    filter_.add_to(*app);
    app->add_option("--input", input_, "Only this standard input")->type_name("NAME");
    selection_.add_parameter_to(*app);
    app->add_flag("--json", json_, "Print JSON");
    return app;
  }

  int run() override {
    std::optional<md::PairForceCase> system;
    if (!case_file_.empty()) {
      system = pair_force_case(app::read_case(case_file_, overrides_));
      if (filter_.operation.empty()) filter_.operation = "md/pair_force";
      if (registry().operation(filter_.operation) != "md/pair_force")
        throw InputError({{}, 0, "--operation", filter_.operation},
                         "expected md/pair_force: a case poses no other problem");
    }
    const std::vector<const ImplementationBase*> implementations = filter_.implementations();
    Choices choices;
    selection_.add_to(choices, filter_.implementation);
    if (!system) check_input(implementations);
    std::vector<Outcome> outcomes;
    {
      Progress progress("verify", static_cast<std::int64_t>(implementations.size()), !json_);
      for (const ImplementationBase* implementation : implementations) {
        const ImplementationInfo& info = implementation->info();
        progress.advance_to(
            static_cast<std::int64_t>(outcomes.size()),
            fmt::format("{}={} in {}", info.operation, info.name, name(info.precision)));
        outcomes.push_back(
            verify(*implementation, choices.knobs(info.operation, info.name), system));
      }
    }
    if (json_)
      print_json(outcomes);
    else
      print_table(outcomes);
    for (const Outcome& outcome : outcomes)
      if (outcome.failed()) return exit_code::failed;
    return exit_code::ok;
  }

 private:
  void check_input(const std::vector<const ImplementationBase*>& implementations) const {
    if (input_.empty()) return;
    std::vector<std::string> names;
    for (const ImplementationBase* implementation : implementations)
      for (std::string& name : registry().fixture(implementation->info().operation)->inputs()) {
        if (name == input_) return;
        if (std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(std::move(name));
      }
    throw SelectionError("input", input_, names);
  }

  [[nodiscard]] Outcome verify(const ImplementationBase& implementation,
                               const KnobValues& parameters,
                               const std::optional<md::PairForceCase>& system) const {
    Outcome outcome{&implementation.info(), {}, {}};
    Context context;
    try {
      context = open_for(registry(), implementation);
    } catch (const RefusalError& error) {
      outcome.unavailable = error.reason();
      return outcome;
    }
    if (system) {
      outcome.verdicts.push_back(verdict_of(system->name, [&] {
        return md::verify_pair_force(implementation, context, *system, parameters);
      }));
      return outcome;
    }
    const std::unique_ptr<Fixture> fixture = registry().fixture(outcome.info->operation);
    for (const std::string& input : fixture->inputs())
      if (input_.empty() || input == input_)
        outcome.verdicts.push_back(verdict_of(
            input, [&] { return fixture->verify(implementation, context, input, parameters); }));
    return outcome;
  }

  /// What an implementation throws is a failure of its own; a bad parameter is the user's.
  template <class Judge>
  static Verdict verdict_of(const std::string& input, const Judge& judge) {
    try {
      return judge();
    } catch (const InputError&) {
      throw;
    } catch (const SelectionError&) {
      throw;
    } catch (const std::exception& error) {
      Verdict verdict;
      verdict.input = input;
      verdict.error = INFINITY;
      verdict.detail = error.what();
      return verdict;
    }
  }

  static md::PairForceCase pair_force_case(const app::Case& c) {
    const RunSetup setup = set_up_run(c);
    const md::System& system = setup.initial.system;
    md::PairForceCase problem;
    problem.name = c.path.filename().string();
    problem.box = system.box;
    for (const auto& position : system.positions)
      problem.positions.insert(problem.positions.end(), position.begin(), position.end());
    problem.types = system.type;
    problem.coefficients = setup.coefficients;
    problem.type_count = static_cast<int>(system.types.size());
    problem.skin = c.neighbor.skin;
    return problem;
  }

  static void print_table(const std::vector<Outcome>& outcomes) {
    Table table({"operation", "implementation", "precision", ">passed", ">refused", ">worst error",
                 ">tolerance", "on input", "result"});
    int failed = 0;
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
      failed += outcome.failed();
    }
    table.print(stdout);
    print_notes(outcomes);
    if (failed > 0)
      fmt::print("\n{} of {} implementations FAILED\n", failed, outcomes.size());
    else
      fmt::print("\nno implementation failed\n");
  }

  /// Failures, refusals and skips with their reasons, each reason once for each implementation.
  static void print_notes(const std::vector<Outcome>& outcomes) {
    std::vector<std::string> notes;
    const auto note = [&](std::string text) {
      if (std::find(notes.begin(), notes.end(), text) == notes.end())
        notes.push_back(std::move(text));
    };
    for (const Outcome& outcome : outcomes) {
      const std::string subject = outcome.info->operation + "=" + outcome.info->name;
      if (!outcome.unavailable.empty()) note(subject + " skipped: " + outcome.unavailable);
      for (const Verdict& v : outcome.verdicts) {
        if (v.outcome == Verdict::Outcome::failed)
          note(fmt::format("{} in {} FAILED on '{}': error {}, tolerance {} ({})", subject,
                           name(outcome.info->precision), v.input, number(v.error),
                           number(v.tolerance), v.detail));
        else if (v.outcome == Verdict::Outcome::refused)
          note(fmt::format("{} refused '{}': {}", subject, v.input, v.detail));
      }
    }
    if (!notes.empty()) fmt::print("\n");
    for (const std::string& text : notes)
      fmt::print("{}\n", text);
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
        input["outcome"] = v.outcome == Verdict::Outcome::passed   ? "passed"
                           : v.outcome == Verdict::Outcome::failed ? "failed"
                                                                   : "refused";
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
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() {
  return std::make_unique<VerifyCommand>();
}

}  // namespace tessera::command_line
