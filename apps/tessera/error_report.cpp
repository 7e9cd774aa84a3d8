#include "apps/tessera/error_report.hpp"

#include "apps/tessera/command.hpp"
#include "apps/tessera/standard_output.hpp"
#include "core/base/error.hpp"
#include "core/base/printable.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

namespace tessera::command_line {
namespace {

/// Message of the exception that is being handled. Describes the problem for exceptions of the
/// standard library, whose own messages do not help a user.
std::string current_message() {
  const auto words = [](const char* about, const std::exception& error) {
    return printable(std::string(about) + error.what(), most_of_a_message);
  };
  try {
    throw;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory: expected a smaller system or size";
  } catch (const std::length_error&) {
    return "a size exceeds the memory: expected a smaller system or size";
  } catch (const std::system_error& error) {
    return words("the operating system refused: ", error);
  } catch (const std::exception& error) {
    return words("internal error, please report it: ", error);
  }
}

int current_exit_code() {
  try {
    throw;
  } catch (const SimulationError&) {
    return exit_code::failed;
  } catch (...) {
    return exit_code::bad_input;
  }
}

}  // namespace

int report_error(bool json) {
  const std::string message = current_message();
  const int code = current_exit_code();
  print_error(message);
  if (!json) return code;
  nlohmann::ordered_json out;
  out["schema"] = "tessera.error/1";
  out["error"] = message;
  out["exit_code"] = code;
  try {
    print_all([&] { fmt::print("{}\n", out.dump(2)); });
  } catch (const StandardOutputError&) {
    // The message was already printed to the error stream.
  }
  return code;
}

}  // namespace tessera::command_line
