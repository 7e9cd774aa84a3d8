#ifndef TESSERA_PHYSICS_MD_ATOMS_SOURCE_HPP
#define TESSERA_PHYSICS_MD_ATOMS_SOURCE_HPP

#include "core/trials/trial.hpp"
#include "physics/md/box.hpp"

#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// Atoms of a running simulation, as input of trials of the operations of md.

namespace tessera::md {

struct PairForceCase;

/// Columns of the source: "positions" (3), "velocities" (3), "mass" (1).
struct AtomsSource : TrialSource {
  Box box;
  std::vector<std::int32_t> types;
  std::vector<double> force_to_accel;  ///< by type, as an argument of md/integrate
  double time_step = 0;
  bool fused_steps = false;  ///< whether the run makes fused steps where its kernel can
  Determinism determinism = Determinism::none;
  std::shared_ptr<const PairForceCase> pair;  ///< input of md/pair_force

  [[nodiscard]] const std::vector<double>& positions() const {
    return columns.at("positions").values;
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_ATOMS_SOURCE_HPP
