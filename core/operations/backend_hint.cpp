#include "core/operations/backend_hint.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tessera {
namespace {

constexpr std::string_view for_nvidia = "cuda";

constexpr std::array<std::string_view, 4> of_nvidia = {"gpu", "gpus", "nvidia", "device"};
constexpr std::array<std::string_view, 9> of_others = {
    "hip", "rocm", "amd", "sycl", "intel", "oneapi", "opencl", "metal", "vulkan"};
constexpr std::array<std::string_view, 6> of_hosts = {"cpu",    "cpus",    "host",
                                                      "thread", "threads", "omp"};

template <std::size_t n>
bool is_among(const std::string& name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string about_nvidia(const std::vector<BackendInfo>& backends) {
  std::string text = std::string(for_nvidia) + " is for NVIDIA GPUs";
  for (const BackendInfo& backend : backends)
    if (backend.name == for_nvidia)
      return text + (backend.not_built.empty() ? ", and this build has it"
                                               : ", and not built: " + backend.not_built);
  return text + ", which this build does not know";
}

std::string about_hosts(const std::vector<BackendInfo>& backends) {
  std::string text;
  for (const BackendInfo& backend : backends)
    if (backend.not_built.empty() && backend.memory == MemorySpace::host)
      text += (text.empty() ? "" : ", ") + backend.name;
  return "for processors there are " + text + ", of which auto selects the best";
}

}  // namespace

std::string backend_hint(const std::string& name, const std::vector<BackendInfo>& backends) {
  std::string small = name;
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (is_among(small, of_nvidia)) return about_nvidia(backends);
  if (is_among(small, of_others))
    return "no backend supports such devices; " + about_nvidia(backends);
  if (is_among(small, of_hosts)) return about_hosts(backends);
  return {};
}

}  // namespace tessera
