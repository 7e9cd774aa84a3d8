#include "core/base/error.hpp"
#include "core/operations/registry.hpp"

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>
#include <vector>

/// \file
/// Kokkos has one device in a process. This program initialises Kokkos itself, on the last device:
/// Tessera must open the device with this number, refuse any other with the reason, and not
/// finalise Kokkos.

namespace {

int failures = 0;

void check(bool holds, const std::string& what) {
  if (holds) return;
  ++failures;
  std::printf("failed: %s\n", what.c_str());
}

void check_devices(int last) {
  using namespace tessera;
  check(registry().open("kokkos").device->properties().ordinal == last,
        "without a number the device of the program is opened");
  for (int k = 0; k <= last; ++k) {
    std::string reason;
    try {
      check(registry().open("kokkos", k).device->properties().ordinal == k,
            "the device that was opened says its number");
    } catch (const RefusalError& error) {
      reason = error.reason();
    }
    if (k == last)
      check(reason.empty(), "the device of the program is opened by its number: " + reason);
    else
      check(reason.find("runs on device " + std::to_string(last)) != std::string::npos &&
                reason.find("the program initialised it") != std::string::npos,
            "device " + std::to_string(k) + " is refused with the reason, not: " + reason);
  }
  try {
    (void)registry().open("kokkos", last + 1);
    check(false, "a device that does not exist is refused");
  } catch (const OrdinalError& error) {
    check(error.count() == last + 1, "the refusal says how many devices there are");
  }
}

/// Checks that the description of the backend names every device that its Kokkos was built for.
void check_description() {
  std::string text;
  for (const tessera::BackendInfo& backend : tessera::registry().backends())
    if (backend.name == "kokkos") text = backend.description;
  std::vector<std::string> devices;
#if defined(KOKKOS_ENABLE_CUDA)
  devices.emplace_back("CUDA");
#endif
#if defined(KOKKOS_ENABLE_HIP)
  devices.emplace_back("HIP");
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
  devices.emplace_back("OPENMP");
#endif
#if defined(KOKKOS_ENABLE_SERIAL)
  devices.emplace_back("SERIAL");
#endif
  for (const std::string& device : devices)
    check(text.find(device) != std::string::npos, device + " is in the description, not: " + text);
}

}  // namespace

int main() {
  if (const std::string reason = tessera::registry().unavailable("kokkos"); !reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  check_description();
  // Describing a GPU does not initialise Kokkos; reporting the number of host threads does.
  int last = 0;
  for (const tessera::BackendInfo& backend : tessera::registry().backends())
    if (backend.name == "kokkos" && backend.memory != tessera::MemorySpace::host)
      last = static_cast<int>(tessera::registry().devices("kokkos").size()) - 1;
  check(!Kokkos::is_initialized(), "listing GPUs does not initialise Kokkos");
  Kokkos::initialize(Kokkos::InitializationSettings().set_device_id(last));
  check_devices(last);
  check(Kokkos::is_initialized(), "Kokkos is left to the program");
  Kokkos::finalize();
  std::printf("%d devices, %d failures\n", last + 1, failures);
  return failures == 0 ? 0 : 1;
}
