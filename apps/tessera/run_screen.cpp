#include "apps/tessera/run_screen.hpp"

namespace tessera::command_line {

void Watcher::show(const std::function<void()>& print) {
  if (!watches_) return;
  try {
    print_all(print);
  } catch (const StandardOutputError& error) {
    failure_ = error;
    watches_ = false;
  }
}

}  // namespace tessera::command_line
