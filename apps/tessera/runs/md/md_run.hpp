#pragma once

#include <memory>

#include "case_run.hpp"

/// \file
/// Molecular dynamics for `tessera run`.

namespace tessera::command_line {

[[nodiscard]] std::unique_ptr<CaseRun> make_md_run(const cases::Case& c);

}  // namespace tessera::command_line
