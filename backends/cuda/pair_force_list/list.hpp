#ifndef TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_HPP
#define TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_HPP

#include "core/operations/implementation.hpp"

#include <memory>

namespace tessera::cuda::pair_force_list {

[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_double();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_mixed();
[[nodiscard]] std::unique_ptr<ImplementationBase> make_list_single();

}  // namespace tessera::cuda::pair_force_list

#endif  // TESSERA_BACKENDS_CUDA_PAIR_FORCE_LIST_LIST_HPP
