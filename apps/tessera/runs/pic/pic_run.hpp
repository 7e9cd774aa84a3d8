#ifndef TESSERA_APPS_TESSERA_RUNS_PIC_PIC_RUN_HPP
#define TESSERA_APPS_TESSERA_RUNS_PIC_PIC_RUN_HPP

#include "apps/tessera/case_run.hpp"

#include <memory>

/// \file
/// Beams in lattices for `tessera run`.

namespace tessera::command_line {

[[nodiscard]] std::unique_ptr<CaseRun> make_pic_run(const cases::Case& c);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUNS_PIC_PIC_RUN_HPP
