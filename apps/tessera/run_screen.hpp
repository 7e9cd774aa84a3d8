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
class Watcher {
 public:
  explicit Watcher(bool watches) : watches_(watches) {}

  [[nodiscard]] bool watches() const { return watches_; }
  /// Whether the reader went away, as in `| head`.
  [[nodiscard]] bool left() const { return failure_ && failure_->reader_left(); }
  [[nodiscard]] const std::optional<StandardOutputError>& failure() const { return failure_; }

  void show(const std::function<void()>& print);

 private:
  bool watches_;
  std::optional<StandardOutputError> failure_;
};

/// Tables above a line with the progress of the run.
struct RunScreen {
  Watcher& watcher;
  Progress& progress;

  void show(const std::function<void()>& print) const {
    progress.clear();
    watcher.show(print);
  }
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_SCREEN_HPP
