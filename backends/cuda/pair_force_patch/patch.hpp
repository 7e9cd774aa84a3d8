#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_HPP
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_HPP

#include "core/operations/implementation.hpp"

#include <memory>

namespace tessera::cuda::pair_force_patch {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_single();

}  // namespace tessera::cuda::pair_force_patch

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_PATCH_PATCH_HPP
