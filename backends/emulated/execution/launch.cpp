#include "backends/emulated/execution/launch.hpp"

#include "core/base/error.hpp"

#include <mutex>
#include <unordered_map>

namespace tessera::emulated {
namespace {

struct Launchers {
  std::mutex mutex;
  std::unordered_map<const void*, Launcher> of_kernel;
};

Launchers& launchers() {
  static Launchers all;
  return all;
}

}  // namespace

void remember(const void* kernel, Launcher launcher) {
  Launchers& all = launchers();
  const std::lock_guard lock(all.mutex);
  all.of_kernel[kernel] = launcher;
}

Launcher launcher_of(const char* name, const void* kernel) {
  Launchers& all = launchers();
  const std::lock_guard lock(all.mutex);
  const auto found = all.of_kernel.find(kernel);
  if (found == all.of_kernel.end())
    throw DeviceError(name, "the emulated device does not know the handle of this kernel");
  return found->second;
}

}  // namespace tessera::emulated
