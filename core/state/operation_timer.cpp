#include "core/state/operation_timer.hpp"

#include <chrono>

namespace tessera {

double OperationTimer::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace tessera
