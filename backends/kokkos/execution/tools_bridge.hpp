#pragma once

namespace tessera::kokkos {

/// From now on a Kokkos Tools tuner that is loaded is asked for knobs that nobody has set
/// (core/operations/knob_adviser.hpp). Does nothing where Kokkos was built without
/// Kokkos_ENABLE_TUNING.
void offer_knobs_to_tools();

}  // namespace tessera::kokkos
