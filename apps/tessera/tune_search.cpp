#include "apps/tessera/tune_search.hpp"

#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/table.hpp"
#include "apps/tessera/tuning_text.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/base/printable.hpp"
#include "core/base/progress.hpp"
#include "core/parameters/parameter_json.hpp"
#include "core/tuning/refused_json.hpp"
#include "core/tuning/search_journal.hpp"
#include "core/tuning/source_hash.hpp"
#include "core/tuning/tuning_database.hpp"
#include "core/tuning/tuning_lookup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace tessera::command_line {
namespace {

using nlohmann::ordered_json;

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.4g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.4g} ms", 1e3 * seconds);
  return fmt::format("{:.4g} s", seconds);
}

std::string parameter_text(const Candidate& candidate) {
  std::string text;
  for (const auto& [parameter, value] : candidate.parameters)
    text += (text.empty() ? "" : " ") + parameter + "=" + to_string(value);
  return text;
}

std::string failure_text(const Candidate& candidate, const Measurement& m) {
  return fmt::format("{}: {}", to_string(candidate), name(m.outcome));
}

Landscape describe(const WorkerEvaluatorOptions& worker, const WorkerEvaluator& evaluator) {
  Landscape l;
  l.operation = worker.operation;
  l.precision = worker.precision;
  l.input = evaluator.label();
  l.device = evaluator.device().name;
  l.architecture = evaluator.device().architecture;
  l.backend = evaluator.device().backend;
  l.build = build_info().version + " " + build_info().commit;
  l.date = utc_date();
  l.key = evaluator.key();
  l.items = evaluator.items();
  l.candidates = evaluator.candidates();
  l.measurements.resize(l.candidates.size());
  l.refused = evaluator.refused();
  return l;
}

std::string percent_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "unknown";
}

void say(const TuneSearchOptions& options, const std::string& text) {
  if (!options.quiet && !options.json) print_all([&] { fmt::print("{}\n", text); });
}

void print_refused(const TuneSearchOptions& options,
                   const std::vector<RefusedCandidates>& refused) {
  constexpr std::size_t most = 10;
  const std::size_t shown = std::min(refused.size(), most);
  for (std::size_t r = 0; r < shown; ++r)
    say(options, "  cannot run: " + printable(to_string(refused[r])));
  if (shown < refused.size()) say(options, fmt::format("  and {} more", refused.size() - shown));
}

/// Search for one problem.
class ProblemSearch final : public PacedSearch {
 public:
  /// \param among_others the search takes turns with others and keeps no process between its turns.
  ProblemSearch(const TuneSearchOptions& options, TuneProblem problem, bool among_others)
      : options_(options),
        problem_(std::move(problem)),
        worker_(options.worker),
        among_others_(among_others) {
    worker_.operation = problem_.operation;
    worker_.input = problem_.input;
    worker_.size = problem_.size;
    worker_.precision = problem_.precision;
    worker_.limits.chosen = problem_.chosen;
    worker_.stop = options.pace.stop;
    worker_.measured = [this](std::size_t candidate, const Measurement& m) {
      ++done_;
      if (progress_ != nullptr)
        progress_->advance_to(
            done_, m.counts() ? seconds_text(m.seconds) : failure_text(candidates()[candidate], m));
    };
  }

  [[nodiscard]] double share() const override { return problem_.share; }
  [[nodiscard]] bool has_more() const override {
    return !ended_ && (search_ == nullptr || search_->has_more());
  }
  [[nodiscard]] std::int64_t measured() const override {
    return search_ == nullptr ? 0 : std::ssize(search_->result().measured);
  }

  void measure(std::size_t most, double seconds) override {
    const double end = options_.pace.clock() + seconds;
    if (search_ == nullptr) {
      open(seconds);
      if (search_ == nullptr) return;
    }
    Progress progress("  measuring " + problem_.operation, total(),
                      !options_.quiet && !options_.json);
    progress_ = &progress;
    done_ = measured();
    (void)search_->measure(most, end - options_.pace.clock());
    progress_ = nullptr;
    if (among_others_) evaluator_->rest();
  }

  [[nodiscard]] double least_seconds_of_comparison() const override {
    return search_ == nullptr ? 0 : search_->least_seconds_of_comparison();
  }
  void compare(double seconds) override { search_->compare(seconds); }

  /// Reason why no implementation can run the problem; nullopt where one can.
  [[nodiscard]] const std::optional<RefusalError>& refusal() const { return refusal_; }
  [[nodiscard]] const std::string& operation() const { return problem_.operation; }
  [[nodiscard]] bool out_of_budget() const {
    return out_of_time_ || (!ended_ && (search_ == nullptr || !compared()));
  }
  /// Whether candidates were measured and the final comparison is done.
  [[nodiscard]] bool compared() const {
    return search_ != nullptr && !search_->result().stopped && !result().measured.empty() &&
           (!result().doubtful || !result().compared.empty());
  }
  [[nodiscard]] bool opened() const { return search_ != nullptr; }

  [[nodiscard]] Landscape landscape() const {
    Landscape l = landscape_;
    l.order = result().order;
    l.compared = result().compared;
    return l;
  }

  /// \throws Error where no candidate passed.
  void finish() {
    if (std::none_of(result().measured.begin(), result().measured.end(),
                     [](const auto& one) { return one.second.counts(); }))
      throw Error("no candidate passed its checks; " +
                  (result().note.empty() ? std::string("see --json") : result().note));
    print();
    remember();
    // Keeps the journal of a search without a complete comparison, so that the same command
    // continues it.
    if (std::isfinite(result().noise)) journal_->remove();
  }

  [[nodiscard]] ordered_json json() const;

 private:
  [[nodiscard]] const std::vector<Candidate>& candidates() const {
    return evaluator_->candidates();
  }
  [[nodiscard]] const TuningResult& result() const { return search_->result(); }
  [[nodiscard]] std::int64_t total() const {
    const auto all = std::ssize(candidates());
    return options_.pace.evaluations > 0 ? std::min(all, options_.pace.evaluations) : all;
  }
  [[nodiscard]] std::string what() const {
    return fmt::format("{} in {}, {}", problem_.operation, problem_.precision, evaluator_->label());
  }

  void open(double seconds) {
    try {
      evaluator_ = std::make_unique<WorkerEvaluator>(worker_, seconds);
    } catch (const RefusalError& error) {
      ended_ = true;
      refusal_ = error;
      return;
    } catch (const TimeIsUpError&) {
      ended_ = true;
      out_of_time_ = true;
      return;
    }
    ended_ = !is_worth_it();
    if (ended_) return;
    landscape_ = describe(worker_, *evaluator_);
    journal_ = std::make_unique<SearchJournal>(tuning_location().path, landscape_);
    Measured known = options_.fresh ? Measured{} : journal_->former();
    if (!known.empty())
      say(options_, fmt::format("{}: continues with {} candidates that were measured before",
                                problem_.operation, known.size()));
    say(options_, fmt::format("{}, {}: {} candidates", what(), evaluator_->device().name,
                              candidates().size()));
    print_refused(options_, landscape_.refused);
    TunerOptions options;
    options.strategy = options_.strategy;
    options.seed = static_cast<std::uint64_t>(options_.seed);
    options.clock = options_.pace.clock;
    options.stop = options_.pace.stop;
    options.progress = [this](const Measured& all) {
      landscape_.strategy = options_.strategy;
      for (const auto& [candidate, m] : all)
        landscape_.measurements[candidate] = m;
      journal_->keep(landscape_);
    };
    search_ = std::make_unique<Search>(*evaluator_, options, std::move(known));
  }

  /// Whether there is more than one candidate and, in the search for a case, the problem of the
  /// trial is close to one that the run has. Otherwise prints the reason, except for an input
  /// without a case that has no candidates.
  [[nodiscard]] bool is_worth_it() const {
    if (candidates().empty()) {
      if (!problem_.asked.empty())
        say(options_, problem_.operation + ": the case has no trial of this operation");
      return false;
    }
    TuningRecord like;
    like.problem = evaluator_->key();
    like.device = tuned_device(evaluator_->device());
    const auto found_for = [&](const ProblemKey& asked) {
      return distance(like, asked, like.device).has_value();
    };
    if (!problem_.asked.empty() &&
        std::none_of(problem_.asked.begin(), problem_.asked.end(), found_for)) {
      say(options_, what() + ": left out, the run has another problem than its trial");
      return false;
    }
    if (candidates().size() > 1) return true;
    say(options_, what() + ": nothing to choose");
    print_refused(options_, evaluator_->refused());
    return false;
  }

  void print() const;
  void remember() const;

  const TuneSearchOptions& options_;
  TuneProblem problem_;
  WorkerEvaluatorOptions worker_;
  bool among_others_;
  std::unique_ptr<WorkerEvaluator> evaluator_;
  std::unique_ptr<SearchJournal> journal_;
  std::unique_ptr<Search> search_;
  Landscape landscape_;
  Progress* progress_ = nullptr;  ///< progress of the group that is being measured
  std::int64_t done_ = 0;
  bool ended_ = false;  ///< nothing to search: refused, out of time, or only one candidate
  bool out_of_time_ = false;
  std::optional<RefusalError> refusal_;
};

std::map<std::string, std::int64_t> rejected_of(const TuningResult& result) {
  std::map<std::string, std::int64_t> rejected;
  for (const auto& [candidate, m] : result.measured)
    if (!m.counts()) ++rejected[std::string(name(m.outcome))];
  return rejected;
}

ordered_json ProblemSearch::json() const {
  const TuningResult& r = result();
  const Candidate& winner = candidates()[r.winner];
  ordered_json rejections = ordered_json::array();
  for (const auto& [candidate, m] : r.measured)
    if (!m.counts())
      rejections.push_back({{"implementation", candidates()[candidate].implementation},
                            {"parameters", parameters_as_json(candidates()[candidate].parameters)},
                            {"outcome", name(m.outcome)},
                            {"reason", m.reason}});
  const auto number = [](double value) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json();
  };
  return {{"operation", landscape_.operation},
          {"precision", landscape_.precision},
          {"input", landscape_.input},
          {"device", landscape_.device},
          {"candidates", candidates().size()},
          {"refused", refused_as_json(landscape_.refused)},
          {"evaluated", r.measured.size()},
          {"rejected", rejected_of(r)},
          {"rejections", std::move(rejections)},
          {"kept_default", r.kept_default},
          {"gain", r.ratio.gain()},
          {"gain_interval", {number(r.ratio.gains().low), number(r.ratio.gains().high)}},
          {"rounds", r.ratio.rounds},
          {"looked", r.looked},
          {"noise", number(r.noise)},
          {"remembered", !r.doubtful},
          {"reason", r.doubtful.value_or(r.not_kept.value_or(""))},
          {"implementation", winner.implementation},
          {"parameters", parameters_as_json(winner.parameters)}};
}

void ProblemSearch::print() const {
  if (options_.quiet || options_.json) return;
  const TuningResult& r = result();
  print_all([&] {
    fmt::print("{}\n", what());
    for (const auto& [outcome, count] : rejected_of(r))
      fmt::print("  {} {}\n", count, outcome);
    for (const auto& [candidate, m] : r.measured)
      if (!m.counts() && m.outcome != Measurement::Outcome::refused)
        fmt::print("    {}: {}: {}\n", to_string(candidates()[candidate]), name(m.outcome),
                   m.reason);
    if (!r.note.empty()) fmt::print("  {}\n", r.note);
    const auto untuned = r.measured.find(0);
    const double seconds = untuned != r.measured.end() ? untuned->second.seconds : 0;
    Table table({"", ">a step", ">gain", "between", "implementation", "parameters"});
    table.add({"untuned", seconds_text(seconds), "1", "", candidates()[0].implementation,
               parameter_text(candidates()[0])});
    if (!r.kept_default)
      table.add({"tuned", seconds_text(seconds * r.ratio.median),
                 fmt::format("{:.3f}", r.ratio.gain()), text_of_gains(r.ratio.gains()),
                 candidates()[r.winner].implementation, parameter_text(candidates()[r.winner])},
                Style::good);
    table.print(stdout);
    fmt::print("  {} of {} candidates measured, noise {}\n", r.measured.size(), candidates().size(),
               percent_text(r.noise));
    if (r.not_kept) fmt::print("  not kept: {}\n", *r.not_kept);
    if (r.doubtful)
      fmt::print(
          "  nothing is recorded: {}; tune again while the machine is idle, or with a longer "
          "--budget\n",
          *r.doubtful);
    else if (r.kept_default)
      fmt::print("  the untuned choice stays: no candidate is faster by more than the noise\n");
  });
}

void ProblemSearch::remember() const {
  const TuningResult& r = result();
  const TuningLocation location = tuning_location();
  if (!location.path) log_warning(fmt::format("nothing is recorded: {}", location.reason));
  if (!location.path || r.doubtful) return;
  TuningRecord record;
  record.operation = worker_.operation;
  record.precision = precision_from_name(worker_.precision);
  record.problem = evaluator_->key();
  record.device = tuned_device(evaluator_->device());
  record.build = tuned_build();
  // The time of the winner replaces that of an untuned candidate that fails: the gain is then 1.
  const bool fails = !r.measured.at(0).counts();
  const double untuned = fails ? r.measured.at(r.winner).seconds : r.measured.at(0).seconds;
  const auto tuned = [&](std::size_t candidate, const Ratio& ratio, const Interval& gains) {
    const Candidate& c = candidates()[candidate];
    const auto m = r.measured.find(candidate);
    const ImplementationInfo& info =
        registry().find(record.operation, record.precision, c.implementation).info();
    return TunedCandidate{c.implementation,
                          c.parameters,
                          untuned * ratio.median,
                          m == r.measured.end() ? 0 : m->second.spread,
                          ratio.rounds,
                          source_hash(info),
                          gains};
  };
  record.untuned = tuned(fails ? r.winner : 0, Ratio{}, {});
  const bool gained = !r.kept_default && !fails;
  record.best.push_back(tuned(r.winner, r.ratio, gained ? r.ratio.gains() : Interval{}));
  for (const OwnValues& own : r.own)
    if (candidates()[own.candidate].implementation != record.winner().implementation)
      record.best.push_back(tuned(own.candidate, own.to_untuned, own.to_defaults.gains()));
  record.noise = r.noise;
  record.candidates = static_cast<int>(candidates().size());
  record.evaluated = static_cast<int>(r.measured.size());
  record.strategy = options_.strategy;
  record.input = evaluator_->label();
  record.date = utc_date();
  record.kept_default = r.kept_default;
  TuningDatabase(*location.path).add({record});
  say(options_, fmt::format("  recorded in {}", location.path->string()));
}

/// The file of a landscape in `folder`. A number makes the name different from all in `used`, to
/// which it is added.
std::filesystem::path landscape_file(const std::string& folder, const Landscape& landscape,
                                     std::set<std::string>& used) {
  std::string stem =
      fmt::format("{}_{}_{:.0f}", landscape.operation, landscape.precision, landscape.items);
  std::replace(stem.begin(), stem.end(), '/', '_');
  std::string name = stem;
  for (int number = 2; !used.insert(name).second; ++number)
    name = fmt::format("{}_{}", stem, number);
  return std::filesystem::path(folder) / (name + ".json");
}

}  // namespace

bool is_landscape_folder(const std::string& path) {
  std::error_code ignored;
  return path.ends_with('/') || std::filesystem::is_directory(path, ignored);
}

TuneSearch::TuneSearch(TuneSearchOptions options) : options_(std::move(options)) {}

TuneSearch::Outcome TuneSearch::run(const std::vector<TuneProblem>& problems) {
  std::vector<std::unique_ptr<ProblemSearch>> searches;
  std::vector<PacedSearch*> paced;
  for (const TuneProblem& problem : problems) {
    searches.push_back(std::make_unique<ProblemSearch>(options_, problem, problems.size() > 1));
    paced.push_back(searches.back().get());
  }
  run_paced(paced, options_.pace);
  Outcome outcome;
  std::set<std::string> names;
  for (const auto& search : searches) {
    if (search->refusal()) {
      // Other operations of a case may run.
      if (problems.size() == 1) throw RefusalError(*search->refusal());
      outcome.refusals.emplace_back(search->refusal()->what());
    }
    if (search->out_of_budget()) outcome.out_of_budget.push_back(search->operation());
    if (!search->opened()) continue;
    if (!options_.landscape.empty()) {
      const Landscape landscape = search->landscape();
      write_landscape(landscape, is_landscape_folder(options_.landscape)
                                     ? landscape_file(options_.landscape, landscape, names)
                                     : std::filesystem::path(options_.landscape));
      ++outcome.landscapes;
    }
    if (!search->compared()) continue;
    search->finish();
    if (options_.json) results_.push_back(search->json());
    ++outcome.tuned;
  }
  return outcome;
}

}  // namespace tessera::command_line
