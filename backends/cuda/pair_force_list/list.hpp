#pragma once

#include <memory>
#include <tessera/core/operations/implementation.hpp>

namespace tessera::cuda::pair_force_list {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_single();

}  // namespace tessera::cuda::pair_force_list
