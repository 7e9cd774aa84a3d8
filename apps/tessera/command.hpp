#ifndef TESSERA_APPS_TESSERA_COMMAND_HPP
#define TESSERA_APPS_TESSERA_COMMAND_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// Interface of a subcommand of the program. Its options are plain data, so that only main.cpp
/// includes the headers of the parser.

namespace tessera::command_line {

/// Exit codes of every command.
namespace exit_code {
inline constexpr int ok = 0;
inline constexpr int failed = 1;     ///< a verification failed, or a simulation had to stop
inline constexpr int bad_input = 2;  ///< one line on the error stream states the expectation
}  // namespace exit_code

/// An option, or a positional argument where the name has no dashes.
struct Option {
  enum class Range { any, not_negative, positive };
  /// A flag sets a bool; a list takes one value per occurrence of the option.
  using Target = std::variant<bool*, std::string*, int*, std::int64_t*, double*,
                              std::vector<std::string>*, std::vector<std::int64_t>*>;

  std::string name;
  Target target;
  std::string meaning;
  std::string type = {};  ///< type of the value, as in the help
  Range range = Range::any;
  bool required = false;
  bool hidden = false;  ///< not in the help: a former option, whose error names its replacement
};

struct Usage {
  std::string command;
  std::string summary;
  std::vector<Option> options = {};
  /// Whether the command opens devices, so that --threads and the wait policy of threads apply to
  /// it.
  bool computes = false;

  Usage& add(std::vector<Option> more) {
    for (Option& option : more)
      options.push_back(std::move(option));
    return *this;
  }
  Usage& computing() {
    computes = true;
    return *this;
  }
};

class Command {
 public:
  virtual ~Command() = default;

  /// Option::target of the options points to members of the command.
  [[nodiscard]] virtual Usage usage() = 0;

  /// Called after parsing when the subcommand was given. Returns an exit code; throws
  /// tessera::Error for bad input.
  virtual int run() = 0;
};

[[nodiscard]] std::unique_ptr<Command> make_run_command();
[[nodiscard]] std::unique_ptr<Command> make_list_command();
[[nodiscard]] std::unique_ptr<Command> make_verify_command();
[[nodiscard]] std::unique_ptr<Command> make_bench_command();
[[nodiscard]] std::unique_ptr<Command> make_trial_command();
[[nodiscard]] std::unique_ptr<Command> make_tune_command();
[[nodiscard]] std::unique_ptr<Command> make_info_command();
/// Help text of each command and, under an empty name, of the program. The parser writes the text
/// and must outlive the command.
using HelpPages = std::vector<std::pair<std::string, std::function<std::string()>>>;
[[nodiscard]] std::unique_ptr<Command> make_help_command(const HelpPages& pages);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_COMMAND_HPP
