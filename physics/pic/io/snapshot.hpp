#ifndef TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP
#define TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP

#include <string_view>

/// \file
/// Treatment of particles that a file gives at one time and not at the plane of the reference
/// particle.

namespace tessera::pic {

enum class Snapshot {
  drift,     ///< each particle drifts to the plane that the reference particle passes
  as_it_is,  ///< x and y are taken as if all particles were at that plane
};

[[nodiscard]] constexpr std::string_view name(Snapshot snapshot) {
  return snapshot == Snapshot::drift ? "drift" : "as it is";
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP
