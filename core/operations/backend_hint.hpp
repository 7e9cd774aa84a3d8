#pragma once

#include <string>
#include <tessera/core/operations/registry.hpp>
#include <vector>

/// \file
/// Names of hardware where the name of a backend is expected.

namespace tessera {

/// Which backend serves what `name` stands for ("gpu", "cpu", "hip"), and whether this build has
/// it: "cuda is for NVIDIA GPUs, and not built: ...". Empty for any other name.
[[nodiscard]] std::string backend_hint(const std::string& name,
                                       const std::vector<BackendInfo>& backends);

}  // namespace tessera
