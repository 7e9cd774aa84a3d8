#include "tests/run_time_loops/nvrtc.hpp"

#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <utility>

/// \file
/// Compiles a kernel of each CUDA pair loop with the run-time compiler, from few lines of the
/// project and without host headers. Needs no GPU.
///
/// usage: compile_loops ROOT LIBNVRTC

namespace tessera::test {
namespace {

/// Largest number of lines of headers of the project that a kernel may need.
constexpr int most_lines = 1500;

bool compiles(const Nvrtc& nvrtc, const std::string& root, const std::string& name,
              const KernelText& kernel) {
  const Headers headers = headers_of(root, kernel.headers);
  std::printf("%s: %d lines in %zu headers\n", name.c_str(), headers.lines, headers.names.size());
  bool good = true;
  if (headers.lines > most_lines) {
    std::printf("  FAILED: expected at most %d lines\n", most_lines);
    good = false;
  }
  const std::set<std::string> allowed{"cmath", "cstddef", "cstdint", "type_traits"};
  for (const std::string& header : headers.standard)
    if (!allowed.contains(header)) {
      std::printf("  FAILED: a header of the kernel includes <%s>\n", header.c_str());
      good = false;
    }
  try {
    const CompiledKernel compiled = nvrtc.compile(headers, kernel, "sm_90");
    std::printf("  %zu bytes of machine code, %s\n", compiled.code.size(), compiled.name.c_str());
    good = good && !compiled.code.empty() && !compiled.name.empty();
  } catch (const std::exception& error) {
    std::printf("  FAILED: %s\n", error.what());
    good = false;
  }
  return good;
}

}  // namespace
}  // namespace tessera::test

int main(int argc, char** argv) {
  using namespace tessera::test;
  if (argc < 2) return 2;
  const Nvrtc nvrtc(argc > 2 ? argv[2] : "");
  if (!nvrtc.missing().empty()) {
    std::printf("skipped: %s\n", nvrtc.missing().c_str());
    return 77;
  }
  bool good = true;
  for (const auto& [name, kernel] : {std::pair<std::string, KernelText>{"cuda.list", list_kernel()},
                                     {"cuda.cluster", cluster_kernel()},
                                     {"cuda.patch", patch_kernel()}})
    good = compiles(nvrtc, argv[1], name, kernel) && good;
  return good ? 0 : 1;
}
