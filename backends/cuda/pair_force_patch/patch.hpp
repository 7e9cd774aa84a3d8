#pragma once

#include <memory>
#include <tessera/core/operations/implementation.hpp>

namespace tessera::cuda::pair_force_patch {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_patch_single();

}  // namespace tessera::cuda::pair_force_patch
