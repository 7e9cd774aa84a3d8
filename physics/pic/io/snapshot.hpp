#ifndef TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP
#define TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP

#include <string_view>

/// \file
/// What becomes of particles that a file has at one time, or somewhere else than where the
/// reference particle is.

namespace tessera::pic {

enum class Snapshot {
  drift,     ///< each drifts to the plane that the reference particle passes
  as_it_is,  ///< x and y as if all were at that plane
};

[[nodiscard]] constexpr std::string_view name(Snapshot snapshot) {
  return snapshot == Snapshot::drift ? "drift" : "as it is";
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_SNAPSHOT_HPP
