#include <fmt/format.h>

#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/case/case_registry.hpp>

#include "command.hpp"

namespace tessera::command_line {
namespace {

/// The tables between markers, as docs/case_reference.md holds them.
void print_case_tables() {
  for (const std::string& kind : cases::case_registry().kinds()) {
    for (const auto& [path, markdown] : cases::reference_tables(cases::case_registry().info(kind)))
      fmt::print("<!-- table {}: {} -->\n{}<!-- end of table -->\n", kind,
                 path.empty() ? "top level" : path, markdown);
  }
}

class HelpCommand final : public Command {
 public:
  explicit HelpCommand(const HelpPages& pages) : pages_(pages) {}

  [[nodiscard]] Usage usage() override {
    return {"help",
            "Explain a command, or every key of a case file",
            {{.name = "topic",
              .target = &topic_,
              .meaning = "A command, or case; nothing: what there is",
              .type = "TOPIC"}}};
  }

  int run() override {
    if (topic_ == "case") {
      print_case_tables();
      return exit_code::ok;
    }
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
};

}  // namespace

std::unique_ptr<Command> make_help_command(const HelpPages& pages) {
  return std::make_unique<HelpCommand>(pages);
}

}  // namespace tessera::command_line
