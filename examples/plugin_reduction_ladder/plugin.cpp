#include "add_steps.hpp"
#include <tessera/core/base/precision.hpp>
#include <tessera/core/operations/plugin.hpp>

TESSERA_PLUGIN(registry) {
  ladder::add_steps<tessera::Double>(registry);
  ladder::add_steps<tessera::Single>(registry);
  ladder::add_steps<tessera::Int32>(registry);
}
