#include "apps/tessera/run_screen.hpp"

namespace tessera::command_line {

void TableOutput::show(const std::function<void()>& print) {
  if (!is_open_) return;
  try {
    print_all(print);
  } catch (const StandardOutputError& error) {
    failure_ = error;
    is_open_ = false;
  }
}

}  // namespace tessera::command_line
