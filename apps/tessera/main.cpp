#include "apps/tessera/command.hpp"
#include "apps/tessera/error_report.hpp"
#include "apps/tessera/standard_output.hpp"
#include "apps/tessera/threads.hpp"
#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/operations/plugin_library.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

namespace tessera::command_line {
namespace {

struct Entry {
  std::unique_ptr<Command> command;
  CLI::App* app = nullptr;
  bool computes = false;
};

CLI::Option* add_option(CLI::App& app, const Option& option) {
  return std::visit(
      [&](auto* target) {
        using Value = std::decay_t<decltype(*target)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return app.add_flag(option.name, *target, option.meaning);
        } else {
          CLI::Option* const added = app.add_option(option.name, *target, option.meaning);
          // One value per occurrence: a further word is a positional argument.
          if constexpr (std::is_same_v<Value, std::vector<std::string>> ||
                        std::is_same_v<Value, std::vector<std::int64_t>>)
            added->allow_extra_args(false);
          return added;
        }
      },
      option.target);
}

/// Error message for `text` as the value of an option of type T; empty where it is valid.
template <class T>
std::string refusal_of_number(const std::string& text, Option::Range range) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool read = error == std::errc() && end == text.data() + text.size();
  const bool in_range = range == Option::Range::any ||
                        (range == Option::Range::positive ? value > T{0} : value >= T{0});
  if (read && in_range && value <= std::numeric_limits<T>::max()) return {};
  std::string expected = std::is_integral_v<T> ? "a whole number" : "a number";
  if (error == std::errc::result_out_of_range)
    expected += fmt::format(" up to {:.7g}", static_cast<double>(std::numeric_limits<T>::max()));
  if (range == Option::Range::positive) expected += " greater than zero";
  if (range == Option::Range::not_negative) expected += " of zero or more";
  return "'" + printable(text) + "': expected " + expected;
}

void check_number(CLI::Option& added, const Option& option) {
  std::visit(
      [&](auto* target) {
        using Value = std::decay_t<decltype(*target)>;
        const auto check = [&]<class T>(T) {
          added.check([range = option.range](const std::string& text) {
            return refusal_of_number<T>(text, range);
          });
        };
        if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>)
          check(std::int64_t{});
        else if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
          check(Value{});
      },
      option.target);
}

CLI::App* add_command(CLI::App& program, const Usage& usage) {
  CLI::App* const app = program.add_subcommand(usage.command, usage.summary);
  app->fallthrough();
  for (const Option& option : usage.options) {
    CLI::Option* const added = add_option(*app, option);
    check_number(*added, option);
    if (!option.type.empty()) added->type_name(option.type);
    added->required(option.required);
    if (option.hidden) added->group("");
  }
  return app;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
  return names;
}

/// Throws where a word remains after parsing: it is a misspelt command or option.
void refuse_leftovers(const CLI::App& program, const std::vector<Entry>& entries,
                      const Entry* chosen) {
  for (const std::string& text : program.remaining(true)) {
    if (text.rfind('-', 0) == 0) {
      std::vector<std::string> names = option_names(program);
      if (chosen != nullptr)
        for (std::string& name : option_names(*chosen->app))
          names.push_back(std::move(name));
      throw SelectionError("option", text, names);
    }
    if (chosen != nullptr)
      throw InputError({{}, 0, {}, text},
                       "'" + chosen->app->get_name() + "' takes no such argument");
    if (std::error_code ignored; std::filesystem::is_regular_file(text, ignored))
      throw InputError({{}, 0, {}, text},
                       "expected a command before the file, as in tessera run " + text);
    std::vector<std::string> names;
    for (const Entry& entry : entries)
      names.push_back(entry.app->get_name());
    throw SelectionError("command", text, names);
  }
}

/// Makes worker processes load the same plugins.
void export_plugin_paths(const std::vector<std::string>& plugins) {
  const char* const before = std::getenv("TESSERA_PLUGINS");
  std::string list = before == nullptr ? "" : before;
  for (const std::string& path : plugins)
    list += (list.empty() ? "" : ":") + path;
  if (!plugins.empty()) ::setenv("TESSERA_PLUGINS", list.c_str(), 1);
}

int run(int argc, char** argv) {
  CLI::App program("Portable performance layer for particle physics", "tessera");
  program.set_version_flag("--version", "tessera " + build_info().version);
  program.footer(
      "'tessera help COMMAND' shows the options of a command, 'tessera help case' every key of a "
      "case file.");
  program.allow_extras();
  program.require_subcommand(0, 1);  // a second name is an argument of the first command
  program.get_formatter()->column_width(36);
  std::vector<std::string> plugins;
  program
      .add_option("--plugin", plugins,
                  "Plugin library to load; may be repeated (also TESSERA_PLUGINS=a.so:b.so)")
      ->allow_extra_args(false)
      ->type_name("FILE");
  int threads = 0;
  program
      .add_option("--threads", threads, "Threads of the host (default: OMP_NUM_THREADS, or all)")
      ->check(CLI::Range(1, most_threads).description(""))
      ->type_name("N");

  // Not program.help(), which prints the help of the parsed command.
  const auto overview = [&] {
    return program.get_formatter()->make_help(&program, program.get_name(),
                                              CLI::AppFormatMode::Normal);
  };
  HelpPages pages = {{"", overview}};
  std::vector<Entry> entries;
  const auto add = [&](std::unique_ptr<Command> command) {
    const Usage usage = command->usage();
    CLI::App* const app = add_command(program, usage);
    pages.emplace_back(usage.command, [app] { return app->help("tessera"); });
    entries.push_back({std::move(command), app, usage.computes});
  };
  for (auto make : {make_run_command, make_list_command, make_verify_command, make_bench_command,
                    make_tune_command, make_trial_command, make_info_command})
    add(make());
  add(make_help_command(pages));

  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // Help of the given subcommand, if any.
    fmt::print("{}", program.help());
    return exit_code::ok;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return exit_code::ok;
  } catch (const CLI::ParseError& error) {
    throw InputError({}, error.what());
  }

  const Entry* chosen = nullptr;
  for (const Entry& entry : entries)
    if (entry.app->parsed()) chosen = &entry;
  refuse_leftovers(program, entries, chosen);
  if (chosen == nullptr) {
    fmt::print("{}", overview());
    throw InputError({}, "no command was given, expected one that 'tessera help' lists");
  }

  if (chosen->computes) resolve_threads(argv, threads);

  if (const char* const list = std::getenv("TESSERA_PLUGINS"))
    for (const std::string& path : plugin_paths(list))
      load_plugin_library(registry(), path);
  for (const std::string& path : plugins)
    load_plugin_library(registry(), path);
  export_plugin_paths(plugins);
  return chosen->command->run();
}

}  // namespace
}  // namespace tessera::command_line

int main(int argc, char** argv) {
  using namespace tessera;
  using namespace tessera::command_line;
  prepare_standard_streams();
  try {
    int code = exit_code::ok;
    print_all([&] { code = run(argc, argv); });
    return code;
  } catch (const StandardOutputError& error) {
    if (!error.reader_left()) print_error(error.what());
    return error.exit_code();
  } catch (const std::exception&) {
    // Parsing stops at the first wrong option, so --json may not have been parsed.
    const bool json = std::find(argv, argv + argc, std::string_view("--json")) != argv + argc;
    return report_error(json);
  }
}
