#ifndef TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP
#define TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP

#include "core/memory/device.hpp"
#include "core/tuning/tuning_record.hpp"

#include <string>
#include <vector>

/// \file
/// Exports winners as compiled defaults.

namespace tessera::command_line {

enum class ExportKind { parameters, select };

/// Kind of export by the ending of the name. \throws InputError for any other ending.
[[nodiscard]] ExportKind export_kind(const std::string& file);

/// A C++ header with rows by architecture for the parameters of each tuned implementation, with the
/// evidence beside each. A default does not depend on the problem: of several records for an
/// architecture, the one with the largest size counts, and comments list the others.
[[nodiscard]] std::string parameters_header(const std::vector<TuningRecord>& records);

/// A script for `cmake -C` that sets TESSERA_SELECT to the winners on the device of `context`.
[[nodiscard]] std::string select_script(const std::vector<TuningRecord>& records,
                                        const Context& context);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNING_EXPORT_HPP
