#ifndef TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP
#define TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP

#include "core/operations/registry.hpp"

#include <string>
#include <vector>

/// \file
/// Hints for names of hardware in place of the name of a backend.

namespace tessera {

/// Text that names the backend for a kind of hardware ("gpu", "cpu", "hip"), and says whether this
/// build has it: "cuda is for NVIDIA GPUs, and not built: ...". Empty for any other name.
[[nodiscard]] std::string backend_hint(const std::string& name,
                                       const std::vector<BackendInfo>& backends);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_BACKEND_HINT_HPP
