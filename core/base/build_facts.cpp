#include "core/base/build_info.hpp"

namespace tessera {

std::vector<BuildFact> build_facts() {
  const BuildInfo& build = build_info();
  return {{"compiler", "compiler", build.compiler},
          {"cuda_compiler", "CUDA compiler", build.cuda_compiler},
          {"cuda_architectures", "CUDA architectures", build.cuda_architectures},
          {"build_type", "build type", build.build_type},
          {"flags", "flags", build.flags},
          {"backends_built", "backends", build.backends, false},
          {"kokkos", "Kokkos", build.kokkos},
          {"selection", "selection", build.selection, false},
          {"tune_space", "tune space", build.tune_space},
          {"plugin_contract", "plugin contract", abi_fingerprint(), false}};
}

}  // namespace tessera
