#ifndef TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP
#define TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP

#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Names of hardware where the name of a backend is expected.

namespace tessera {

/// Which backend serves what `name` stands for ("gpu", "cpu", "hip"), and whether this build has
/// it: "cuda is for NVIDIA GPUs, and not built: ...". Empty for any other name.
[[nodiscard]] std::string backend_hint(const std::string& name,
                                       const std::vector<BackendInfo>& backends);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP
