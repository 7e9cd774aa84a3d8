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
  [[nodiscard]] Usage usage() override {
    return {"help",
            "Print every key of a case file",
            {{.name = "topic",
              .target = &topic_,
              .meaning = "case",
              .type = "TOPIC",
              .required = true}}};
  }

  int run() override {
    if (topic_ != "case") throw SelectionError("topic", topic_, {"case"});
    print_case_tables();
    return exit_code::ok;
  }

 private:
  std::string topic_;
};

}  // namespace

std::unique_ptr<Command> make_help_command() {
  return std::make_unique<HelpCommand>();
}

}  // namespace tessera::command_line
