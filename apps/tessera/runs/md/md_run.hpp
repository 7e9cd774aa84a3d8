#ifndef TESSERA_APPS_TESSERA_RUNS_MD_MD_RUN_HPP
#define TESSERA_APPS_TESSERA_RUNS_MD_MD_RUN_HPP

#include "apps/tessera/case_run.hpp"

#include <memory>

/// \file
/// Molecular dynamics for `tessera run`.

namespace tessera::command_line {

[[nodiscard]] std::unique_ptr<CaseRun> make_md_run(const cases::Case& c);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUNS_MD_MD_RUN_HPP
