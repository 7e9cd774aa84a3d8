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
/// What summary.json says of every run, and what the terminal shows of it.

namespace tessera::command_line {

/// Schema, status, title and case: what comes first.
[[nodiscard]] nlohmann::ordered_json summary_head(const cases::Case& c, const RunResult& result);
/// Precision, backend and device.
void append_device(nlohmann::ordered_json& summary, const cases::Case& c, const Context& context);
/// What ran each operation, who said so, and the time that it took.
void append_timings(nlohmann::ordered_json& summary, const std::vector<OperationTime>& timings);
[[nodiscard]] nlohmann::ordered_json build_fingerprint();

/// The name of a file may be no UTF-8.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

/// What runs each operation, and a blank line.
void print_selected(const std::vector<OperationTime>& timings);
/// Where the time of the run went, by operation, and a blank line.
void print_timings(const std::vector<OperationTime>& timings, double seconds);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_SUMMARY_HPP
