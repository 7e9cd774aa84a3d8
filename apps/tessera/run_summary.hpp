#ifndef TESSERA_APPS_TESSERA_RUN_SUMMARY_HPP
#define TESSERA_APPS_TESSERA_RUN_SUMMARY_HPP

#include "apps/tessera/case_run.hpp"
#include "core/case/case.hpp"
#include "core/memory/device.hpp"
#include "core/state/operation_timer.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// \file
/// Parts of summary.json and of the terminal output that all kinds of runs share.

namespace tessera::command_line {

/// An object with the first entries of a summary: schema, status, title and case.
[[nodiscard]] nlohmann::ordered_json summary_head(const cases::Case& c, const RunResult& result);
/// Precision, backend and device.
void append_device(nlohmann::ordered_json& summary, const cases::Case& c, const Context& context);
/// Implementation of each operation, the source of the choice, and the time.
void append_timings(nlohmann::ordered_json& summary, const std::vector<OperationTime>& timings);
[[nodiscard]] nlohmann::ordered_json build_fingerprint();

/// JSON text in which names of files need not be valid UTF-8.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// Prints the implementation of each operation, and a blank line.
void print_selected(const std::vector<OperationTime>& timings);
/// Prints the time of the run by operation, and a blank line.
void print_timings(const std::vector<OperationTime>& timings, double seconds);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_SUMMARY_HPP
