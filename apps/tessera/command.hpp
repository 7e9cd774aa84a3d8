#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

/// \file
/// A subcommand of the program.

namespace tessera::command_line {

/// Exit codes of every command.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int failed = 1;     ///< a verification failed, or a simulation had to stop
inline constexpr int bad_input = 2;  ///< one line on the error stream says what was expected
}  // namespace exit_code

class Command {
 public:
  virtual ~Command() = default;

  /// Adds the subcommand with its options to the program.
  virtual CLI::App* add_to(CLI::App& program) = 0;

  /// Called after parsing when the subcommand was given. Returns an exit code; throws
  /// tessera::Error for bad input.
  virtual int run() = 0;
};

[[nodiscard]] std::unique_ptr<Command> make_run_command();
[[nodiscard]] std::unique_ptr<Command> make_list_command();
[[nodiscard]] std::unique_ptr<Command> make_verify_command();
[[nodiscard]] std::unique_ptr<Command> make_bench_command();
[[nodiscard]] std::unique_ptr<Command> make_trial_command();
[[nodiscard]] std::unique_ptr<Command> make_info_command();
[[nodiscard]] std::unique_ptr<Command> make_help_command();

}  // namespace tessera::command_line
