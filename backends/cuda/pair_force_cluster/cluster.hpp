#pragma once

#include <memory>
#include <tessera/core/operations/implementation.hpp>

namespace tessera::cuda::pair_force_cluster {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_single();

}  // namespace tessera::cuda::pair_force_cluster
