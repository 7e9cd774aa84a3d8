#ifndef TESSERA_APPS_TESSERA_RUN_SCREEN_HPP
#define TESSERA_APPS_TESSERA_RUN_SCREEN_HPP

#include "apps/tessera/standard_output.hpp"
#include "core/base/progress.hpp"

#include <functional>
#include <optional>

/// \file
/// Terminal output of a run.

namespace tessera::command_line {

/// Prints tables to a terminal or a pipe. Failures of the output do not end a run, whose results
/// are worth more than its tables.
class TableOutput {
 public:
  explicit TableOutput(bool is_open) : is_open_(is_open) {}

  [[nodiscard]] bool is_open() const { return is_open_; }
  /// Whether the reader of the pipe ended, as in `| head`.
  [[nodiscard]] bool left() const { return failure_ && failure_->reader_left(); }
  [[nodiscard]] const std::optional<StandardOutputError>& failure() const { return failure_; }

  void show(const std::function<void()>& print);

 private:
  bool is_open_;
  std::optional<StandardOutputError> failure_;
};

/// Tables, printed above a line with the progress of the run.
struct RunScreen {
  TableOutput& table_output;
  Progress& progress;

  void show(const std::function<void()>& print) const {
    progress.clear();
    table_output.show(print);
  }
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_SCREEN_HPP
