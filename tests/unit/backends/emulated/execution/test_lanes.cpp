#include "backends/gpu/execution/memory.hpp"
#include "backends/gpu/execution/warp_size.cuh"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace tessera::gpu {
namespace {

TEST_CASE("A device with a number of lanes that no kernel was compiled for is refused") {
  const std::string other = warp_size == 32 ? "64" : "32";
  setenv("TESSERA_EMULATED_LANES", other.c_str(), 1);
  const std::string refusal = test::message_of([] { require_kernels(0); });
  CHECK(lanes_of_devices(1) == std::stoi(other));
  setenv("TESSERA_EMULATED_LANES", "many", 1);
  const std::string no_number = test::message_of([] { require_kernels(0); });
  unsetenv("TESSERA_EMULATED_LANES");
  CHECK(refusal.find("this build has no kernels for emulated GPU") != std::string::npos);
  CHECK(refusal.find(other + " lanes a warp): add them to TESSERA_EMULATED_LANES") !=
        std::string::npos);
  CHECK(no_number.find("TESSERA_EMULATED_LANES") != std::string::npos);
  CHECK_NOTHROW(require_kernels(0));
  CHECK(lanes_of_devices(1) == warp_size);
}

}  // namespace
}  // namespace tessera::gpu
