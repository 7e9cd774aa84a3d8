#include "core/memory/device.hpp"

#include "core/base/error.hpp"

namespace tessera {

Device& Context::opened() const {
  if (!device)
    throw ArgumentError("Context", "device",
                        "there is none, expected what registry().open() gives");
  return *device;
}

}  // namespace tessera
