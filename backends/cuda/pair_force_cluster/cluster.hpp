#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_HPP
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_HPP

#include "core/operations/implementation.hpp"

#include <memory>

namespace tessera::cuda::pair_force_cluster {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_cluster_single();

}  // namespace tessera::cuda::pair_force_cluster

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_CLUSTER_CLUSTER_HPP
