#include "core/base/logging.hpp"

#include "core/base/error.hpp"
#include "core/base/printable.hpp"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string>

namespace tessera {
namespace {

spdlog::level::level_enum native(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  return spdlog::level::warn;
}

spdlog::logger& logger() {
  static spdlog::logger instance = [] {
    spdlog::logger made("tessera", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made.set_pattern("tessera: %^%l%$: %v");
    const char* const wanted = std::getenv("TESSERA_LOG");
    made.set_level(native(wanted == nullptr ? LogLevel::warning : log_level_from_name(wanted)));
    return made;
  }();
  return instance;
}

}  // namespace

LogLevel log_level_from_name(std::string_view name) {
  if (name == "debug") return LogLevel::debug;
  if (name == "info") return LogLevel::info;
  if (name == "warning") return LogLevel::warning;
  if (name == "error") return LogLevel::error;
  if (name == "off") return LogLevel::off;
  throw SelectionError("log level", std::string(name),
                       {"debug", "info", "warning", "error", "off"});
}

void set_log_level(LogLevel level) {
  logger().set_level(native(level));
}

void log_debug(std::string_view message) {
  logger().debug(printable(message, most_of_a_message));
}
void log_info(std::string_view message) {
  logger().info(printable(message, most_of_a_message));
}
void log_warning(std::string_view message) {
  logger().warn(printable(message, most_of_a_message));
}
void log_error(std::string_view message) {
  logger().error(printable(message, most_of_a_message));
}

}  // namespace tessera
