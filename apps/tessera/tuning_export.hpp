#ifndef TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP
#define TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP

#include "core/memory/device.hpp"
#include "core/tuning/tuning_record.hpp"

#include <string>
#include <vector>

/// \file
/// Winners as compiled defaults.

namespace tessera::command_line {

enum class ExportKind { policy, select };

/// By the ending of the name. \throws InputError for any other.
[[nodiscard]] ExportKind export_kind(const std::string& file);

/// A C++ header with rows by architecture for the policy of each implementation that was tuned, the
/// evidence beside each. A default knows no problem: of several records of an architecture that of
/// the largest size counts, and the others are named.
[[nodiscard]] std::string policy_header(const std::vector<TuningRecord>& records);

/// A script for `cmake -C` that sets TESSERA_SELECT to the winners on the device of `context`.
[[nodiscard]] std::string select_script(const std::vector<TuningRecord>& records,
                                        const Context& context);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP
