#include "apps/tessera/case/read_case.hpp"
#include "apps/tessera/case_calls.hpp"
#include "apps/tessera/command.hpp"
#include "apps/tessera/standard_output.hpp"
#include "core/base/error.hpp"
#include "core/base/progress.hpp"
#include "core/case/case_registry.hpp"
#include "core/trials/trial_line.hpp"
#include "core/trials/trial_session.hpp"
#include "core/tuning/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace tessera::command_line {
namespace {

void print(const std::string& answer) {
  print_all([&] { fmt::print("{}\n", answer); });
}

std::unique_ptr<TrialSource> source_of_changed_case(const std::string& file,
                                                    const std::vector<std::string>& overrides) {
  return cases::case_registry().trial_source(app::read_case(file, overrides));
}

std::unique_ptr<TrialSource> source_of_case(const std::string& file) {
  return source_of_changed_case(file, {});
}

std::string reply_to(const TrialSpec& spec) {
  return to_line(spec, run_trial(registry(), spec, source_of_case));
}

/// Worst exit code so far; failures outweigh bad input.
int exit_code_of(const std::string& outcome, int so_far) {
  if (outcome == "passed" || outcome == "refused") return so_far;
  return std::max(so_far, outcome == "invalid" ? exit_code::bad_input : exit_code::failed);
}

class TrialCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    return {"trial",
            "Check and time trials, each described by a line of JSON (docs/trials.md)",
            {{.name = "line",
              .target = &line_,
              .meaning =
                  "Line of JSON; - reads lines from standard input; with --workers a file of lines",
              .type = "LINE",
              .required = true},
             {"--workers", &workers_,
              "Number of processes that run the lines of a file at the same time", "N",
              Option::Range::positive},
             {"--timeout", &timeout_, "Seconds for one line in a worker (default 60)", "S",
              Option::Range::positive},
             {"--lines-per-worker", &lines_per_worker_,
              "Lines that a process runs before a new one replaces it (default 1)", "N",
              Option::Range::positive}},
            true};
  }

  int run() override {
    if (workers_ > 0) return run_file();
    if (line_ == "-") return run_standard_input();
    const std::string answer = reply_to(trial_spec(registry(), line_));
    print(answer);
    return exit_code_of(outcome_of(answer), exit_code::ok);
  }

 private:
  /// Answers the lines of standard input. A malformed line gets a reply too, so that later lines
  /// are processed.
  static int run_standard_input() {
    int code = exit_code::ok;
    std::string line;
    TrialSession session(registry(), source_of_changed_case);
    while (std::getline(std::cin, line)) {
      std::string answer;
      if (asks_for_calls(line)) {
        print(reply_with_calls(line));
        continue;
      }
      if (TrialSession::knows(line)) {
        print(session.answer(line));
        continue;
      }
      try {
        answer = reply_to(trial_spec(registry(), line));
      } catch (const Error& error) {
        answer = to_line(line, "invalid", error.what());
      }
      print(answer);
      code = exit_code_of(outcome_of(answer), code);
    }
    return code;
  }

  /// Runs the trials of a file. A malformed line is an error before any trial runs.
  int run_file() {
    std::ifstream file(line_);
    if (!file)
      throw InputError({line_, 0, {}, {}}, "cannot be opened, expected a file of trial lines");
    std::vector<std::string> lines;
    std::string line;
    for (std::int64_t number = 1; std::getline(file, line); ++number) {
      if (line.empty()) continue;
      lines.push_back(to_line(trial_spec(registry(), line, {line_, number, {}, {}})));
    }
    WorkerOptions options;
    options.command = {path_of_this_program(), "trial", "-"};
    options.workers = workers_;
    options.timeout = timeout_;
    options.lines_per_worker = lines_per_worker_;
    std::vector<WorkerReply> answers;
    {
      Progress progress("trial", static_cast<std::int64_t>(lines.size()), true);
      std::int64_t done = 0;
      answers = run_in_workers(lines, options, [&](std::size_t index, const WorkerReply&) {
        progress.advance_to(++done, fmt::format("line {}", index + 1));
      });
    }
    int code = exit_code::ok;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const WorkerReply& answer = answers[i];
      const bool crashed = answer.end == WorkerReply::End::crashed;
      const std::string text =
          answer.end == WorkerReply::End::answered
              ? answer.text
              : to_line(lines[i], crashed ? "crashed" : "timed out", answer.text);
      print(text);
      code = exit_code_of(outcome_of(text), code);
    }
    return code;
  }

  std::string line_;
  int workers_ = 0;
  double timeout_ = 60;
  int lines_per_worker_ = 1;
};

}  // namespace

std::unique_ptr<Command> make_trial_command() {
  return std::make_unique<TrialCommand>();
}

}  // namespace tessera::command_line
