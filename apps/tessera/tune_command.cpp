#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/choices.hpp>

#include "command.hpp"
#include "tune_memory.hpp"

namespace tessera::command_line {
namespace {

class TuneCommand final : public Command {
 public:
  [[nodiscard]] Usage usage() override {
    Usage usage{
        "tune",
        "Measure what runs a problem fastest on this machine, and remember it (docs/tuning.md)",
        {{"--precision", &precision_, "double, mixed or single", "P"},
         {"--backend", &backend_, "Backend that keeps the state, or auto", "B"},
         {"--json", &json_, "Print JSON"}},
        true};
    return usage.add(memory_.options());
  }

  int run() override {
    if (!memory_.asked())
      throw InputError({}, "expected one of --show, --export, --import, --pin and --forget");
    memory_.run(registry().open(backend_),
                precision_.empty() ? Precision::double_precision : precision_from_name(precision_),
                json_);
    return exit_code::ok;
  }

 private:
  TuneMemory memory_;
  std::string precision_;
  std::string backend_ = "auto";
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_tune_command() {
  return std::make_unique<TuneCommand>();
}

}  // namespace tessera::command_line
