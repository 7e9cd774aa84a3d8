#ifndef TESSERA_APPS_TESSERA_RUN_SCREEN_HPP
#define TESSERA_APPS_TESSERA_RUN_SCREEN_HPP

#include "apps/tessera/standard_output.hpp"
#include "core/base/progress.hpp"

#include <functional>
#include <optional>

/// \file
/// The terminal that a run is watched on.

namespace tessera::command_line {

/// Tables for whoever watches. A run is worth more than its tables: it goes on when they cannot be
/// written.
class Watcher {
 public:
  explicit Watcher(bool watches) : watches_(watches) {}

  [[nodiscard]] bool watches() const { return watches_; }
  /// Went away, as in `| head`.
  [[nodiscard]] bool left() const { return failure_ && failure_->reader_left(); }
  [[nodiscard]] const std::optional<StandardOutputError>& failure() const { return failure_; }

  void show(const std::function<void()>& print);

 private:
  bool watches_;
  std::optional<StandardOutputError> failure_;
};

/// Tables above a line that tells how far the run has come.
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
