#ifndef TESSERA_PHYSICS_MD_COINCIDENT_ATOMS_HPP
#define TESSERA_PHYSICS_MD_COINCIDENT_ATOMS_HPP

#include "core/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The error of two atoms at the same position, the same for every implementation of a pair force
/// and for the oracle.

namespace tessera::md {

class CoincidentAtoms : public ParticleError {
 public:
  /// \param ids of all atoms, by which the message then names the two; empty: it names indices
  CoincidentAtoms(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& ids = {})
      : ParticleError({std::min(a, b), std::max(a, b)}, text(std::min(a, b), std::max(a, b), ids)) {
  }

  [[nodiscard]] std::int64_t first() const { return particles()[0]; }
  [[nodiscard]] std::int64_t second() const { return particles()[1]; }

 private:
  static std::string text(std::int64_t a, std::int64_t b, const std::vector<std::int64_t>& ids) {
    const auto id = [&](std::int64_t atom) {
      return std::to_string(ids.empty() ? atom : ids[static_cast<std::size_t>(atom)]);
    };
    return (ids.empty() ? "atoms " : "atoms with ids ") + id(a) + " and " + id(b) +
           " have the same position: their force is not defined";
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_COINCIDENT_ATOMS_HPP
