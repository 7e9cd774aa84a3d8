#include <tessera/core/base/error.hpp>
#include <tessera/core/memory/device.hpp>

namespace tessera {

Device& Context::opened() const {
  if (!device)
    throw ArgumentError("Context", "device",
                        "there is none, expected what registry().open() gives");
  return *device;
}

}  // namespace tessera
