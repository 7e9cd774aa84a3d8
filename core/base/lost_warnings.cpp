#include "core/base/lost_warnings.hpp"

#include "core/base/logging.hpp"

#include <exception>

namespace tessera {

LostWarnings::LostWarnings(const std::vector<std::string>& warnings)
    : warnings_(warnings), exceptions_(std::uncaught_exceptions()) {}

LostWarnings::~LostWarnings() {
  if (std::uncaught_exceptions() == exceptions_) return;
  try {
    for (const std::string& warning : warnings_)
      log_warning(warning);
  } catch (const std::exception&) {
    // A failure to log must not replace the exception in flight.
  }
}

}  // namespace tessera
