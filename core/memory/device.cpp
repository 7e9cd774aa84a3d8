#include "core/memory/device.hpp"

#include "core/base/error.hpp"

namespace tessera {

Device& Context::opened() const {
  if (!device)
    throw ArgumentError("Context", "device",
                        "there is none, expected a device of registry().open()");
  return *device;
}

}  // namespace tessera
