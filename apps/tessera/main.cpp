#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <string>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/plugin_library.hpp>

#include "command.hpp"
#include "standard_output.hpp"

namespace tessera::command_line {
namespace {

struct Entry {
  std::unique_ptr<Command> command;
  CLI::App* app = nullptr;
};

CLI::Option* add_option(CLI::App& app, const Option& option) {
  return std::visit(
      [&](auto* target) {
        using Value = std::decay_t<decltype(*target)>;
        if constexpr (std::is_same_v<Value, bool>) {
          return app.add_flag(option.name, *target, option.meaning);
        } else {
          CLI::Option* const added = app.add_option(option.name, *target, option.meaning);
          // One value each time: what follows is an argument.
          if constexpr (std::is_same_v<Value, std::vector<std::string>> ||
                        std::is_same_v<Value, std::vector<std::int64_t>>)
            added->allow_extra_args(false);
          return added;
        }
      },
      option.target);
}

CLI::App* add_command(CLI::App& program, const Usage& usage) {
  CLI::App* const app = program.add_subcommand(usage.command, usage.summary);
  app->fallthrough();
  for (const Option& option : usage.options) {
    CLI::Option* const added = add_option(*app, option);
    if (option.range == Option::Range::positive) added->check(CLI::PositiveNumber);
    if (option.range == Option::Range::not_negative) added->check(CLI::NonNegativeNumber);
    if (!option.type.empty()) added->type_name(option.type);
    added->required(option.required);
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

/// What is left over after parsing is a misspelt command or option.
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
    std::vector<std::string> names;
    for (const Entry& entry : entries)
      names.push_back(entry.app->get_name());
    throw SelectionError("command", text, names);
  }
}

/// Workers of this program load the same plugins.
void hand_on(const std::vector<std::string>& plugins) {
  const char* const before = std::getenv("TESSERA_PLUGINS");
  std::string list = before == nullptr ? "" : before;
  for (const std::string& path : plugins)
    list += (list.empty() ? "" : ":") + path;
  if (!plugins.empty()) ::setenv("TESSERA_PLUGINS", list.c_str(), 1);
}

int run(int argc, char** argv) {
  CLI::App program("Portable performance layer for particle physics", "tessera");
  program.set_version_flag("--version", "tessera " + build_info().version);
  program.allow_extras();
  program.get_formatter()->column_width(36);
  std::vector<std::string> plugins;
  program
      .add_option("--plugin", plugins,
                  "Plugin library to load; may be repeated (also TESSERA_PLUGINS=a.so:b.so)")
      ->allow_extra_args(false)
      ->type_name("FILE");

  std::vector<Entry> entries;
  for (auto make : {make_run_command, make_list_command, make_verify_command, make_bench_command,
                    make_trial_command, make_info_command, make_help_command}) {
    Entry entry{make()};
    entry.app = add_command(program, entry.command->usage());
    entries.push_back(std::move(entry));
  }

  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // The help of the subcommand that was named, if any.
    fmt::print("{}", program.help());
    return exit_code::ok;
  } catch (const CLI::CallForVersion& version) {
    fmt::print("{}\n", version.what());
    return exit_code::ok;
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    for (char& c : text)
      if (c == '\n') c = ' ';
    throw InputError({}, text);
  }

  const Entry* chosen = nullptr;
  for (const Entry& entry : entries)
    if (entry.app->parsed()) chosen = &entry;
  refuse_leftovers(program, entries, chosen);
  if (chosen == nullptr) {
    fmt::print("{}", program.help());
    return exit_code::bad_input;
  }

  if (const char* const list = std::getenv("TESSERA_PLUGINS"))
    for (const std::string& path : plugin_paths(list))
      load_plugin_library(registry(), path);
  for (const std::string& path : plugins)
    load_plugin_library(registry(), path);
  hand_on(plugins);
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
  } catch (const SimulationError& error) {
    print_error(error.what());
    return exit_code::failed;
  } catch (const std::exception& error) {
    print_error(error.what());
    return exit_code::bad_input;
  }
}
