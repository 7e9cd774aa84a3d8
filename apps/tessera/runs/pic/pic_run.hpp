#pragma once

#include <memory>

#include "case_run.hpp"

/// \file
/// Beams in lattices for `tessera run`.

namespace tessera::command_line {

[[nodiscard]] std::unique_ptr<CaseRun> make_pic_run(const cases::Case& c);

}  // namespace tessera::command_line
