#include <tessera/md/system.hpp>

namespace tessera::md {

void System::clear_atoms() {
  ids = {};
  type = {};
  positions = {};
  images = {};
  velocities = {};
  charges = {};
  molecules = {};
}

}  // namespace tessera::md
