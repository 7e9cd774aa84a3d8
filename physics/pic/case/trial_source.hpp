#ifndef TESSERA_PHYSICS_PIC_CASE_TRIAL_SOURCE_HPP
#define TESSERA_PHYSICS_PIC_CASE_TRIAL_SOURCE_HPP

#include "core/case/case.hpp"
#include "core/trials/trial.hpp"

#include <memory>

/// \file
/// Input of trials from the initial state of a case: a BunchSource. Registered for the cases of
/// this module (core/case/case_registry.hpp).

namespace tessera::pic {

/// \throws InputError for every error in the case or in the files that it names.
[[nodiscard]] std::unique_ptr<TrialSource> trial_source(const cases::Case& c);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_TRIAL_SOURCE_HPP
