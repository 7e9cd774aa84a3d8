#include "apps/tessera/command.hpp"
#include "core/base/error.hpp"
#include "core/case/case_registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tessera::command_line {
namespace {

/// Prints the tables of all kinds of cases, or those of one path, between the same markers as in
/// docs/case_reference.md.
/// \throws SelectionError where there is no such table.
void print_case_tables(const std::string& wanted) {
  std::vector<std::string> paths;
  bool found = false;
  for (const std::string& kind : cases::case_registry().kinds()) {
    for (const auto& [path, markdown] :
         cases::reference_tables(cases::case_registry().info(kind))) {
      if (!path.empty() && std::find(paths.begin(), paths.end(), path) == paths.end())
        paths.push_back(path);
      if (!wanted.empty() && path != wanted) continue;
      found = true;
      fmt::print("<!-- table {}: {} -->\n{}<!-- end of table -->\n", kind,
                 path.empty() ? "top level" : path, markdown);
    }
  }
  if (!found) throw SelectionError("table of a case", wanted, paths);
}

class HelpCommand final : public Command {
 public:
  explicit HelpCommand(const HelpPages& pages) : pages_(pages) {}

  [[nodiscard]] Usage usage() override {
    return {"help",
            "Explain a command, or every key of a case file",
            {{.name = "topic",
              .target = &topic_,
              .meaning = "A command, or 'case'; without it the list of commands",
              .type = "TOPIC"},
             {"table", &table_,
              "With the topic 'case': only this table, for instance pair.coefficients", "TABLE"}}};
  }

  int run() override {
    if (topic_ == "case") {
      print_case_tables(table_);
      return exit_code::ok;
    }
    if (!table_.empty())
      throw InputError({{}, 0, {}, table_}, "only 'help case' takes the name of a table");
    std::vector<std::string> topics = {"case"};
    for (const auto& [topic, text] : pages_) {
      if (topic == topic_) {
        fmt::print("{}", text());
        return exit_code::ok;
      }
      if (!topic.empty()) topics.push_back(topic);
    }
    throw SelectionError("topic", topic_, topics);
  }

 private:
  const HelpPages& pages_;
  std::string topic_;
  std::string table_;
};

}  // namespace

std::unique_ptr<Command> make_help_command(const HelpPages& pages) {
  return std::make_unique<HelpCommand>(pages);
}

}  // namespace tessera::command_line
