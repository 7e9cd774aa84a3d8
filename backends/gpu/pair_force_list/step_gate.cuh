#ifndef TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STEP_GATE_CUH
#define TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STEP_GATE_CUH

/// \file
/// Whether the kernels of a fused step have work.

namespace tessera::gpu::pair_force_list {

/// The numbers of steps that decide it, in device memory. Kernels are idle from the smaller of the
/// two bounds on.
struct StepGate {
  const long long* done = nullptr;  ///< steps before this one; null: the kernel is never idle
  const long long* until = nullptr;
  const long long* stale_after = nullptr;

  [[nodiscard]] __device__ bool is_idle() const {
    if (done == nullptr) return false;
    const long long before = *done;
    return before >= *until || before >= *stale_after;
  }
};

}  // namespace tessera::gpu::pair_force_list

#endif  // TESSERA_BACKENDS_GPU_PAIR_FORCE_LIST_STEP_GATE_CUH
