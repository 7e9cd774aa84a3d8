#include <algorithm>
#include <tessera/md/system.hpp>

namespace tessera::md {

std::int64_t System::frozen_atoms() const {
  return std::count_if(frozen.begin(), frozen.end(), [](std::uint8_t flag) { return flag != 0; });
}

void System::clear_atoms() {
  ids = {};
  type = {};
  positions = {};
  images = {};
  velocities = {};
  charges = {};
  molecules = {};
  frozen = {};
}

}  // namespace tessera::md
