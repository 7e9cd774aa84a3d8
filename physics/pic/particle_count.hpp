#ifndef TESSERA_PHYSICS_PIC_PARTICLE_COUNT_HPP
#define TESSERA_PHYSICS_PIC_PARTICLE_COUNT_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Reduction that counts the particles with some property while it runs over all of them.

namespace tessera::pic {

struct JoinCounts {
  TESSERA_FUNCTION void operator()(std::int64_t& into, const std::int64_t& from) const {
    into += from;
  }
};

struct StoreCount {
  View<std::int64_t, 1> result;
  TESSERA_FUNCTION void operator()(const std::int64_t& count) const { result(0) = count; }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_PARTICLE_COUNT_HPP
