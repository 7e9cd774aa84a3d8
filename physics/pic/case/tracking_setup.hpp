#ifndef TESSERA_PHYSICS_PIC_CASE_TRACKING_SETUP_HPP
#define TESSERA_PHYSICS_PIC_CASE_TRACKING_SETUP_HPP

#include "core/case/case.hpp"
#include "core/state/restart_file.hpp"
#include "physics/pic/simulation/tracking.hpp"

#include <optional>
#include <string>
#include <vector>

/// \file
/// Converts a case to the arguments of Tracking.

namespace tessera::pic {

struct TrackingSetup {
  HostBunch bunch;  ///< generated or from a file; that of a restart file is in `continued`
  TrackingPlan plan;
  TrackingOptions options;
  std::int64_t steps = 0;                ///< number of steps of this run
  std::int64_t begun = 0;                ///< number of steps of earlier runs
  std::optional<RestartFile> continued;  ///< restart file that the run continues
  std::vector<cases::InputFile> inputs;
  std::vector<std::string> warnings;  ///< one line each
};

/// \throws InputError for a case of another kind, and for every error in the case or in the files
/// that it names.
[[nodiscard]] TrackingSetup set_up_tracking(const cases::Case& c);

/// The keys of the effective case that determine the motion of particles, for cases::differences.
[[nodiscard]] std::string physics_of(const cases::Case& c);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_TRACKING_SETUP_HPP
