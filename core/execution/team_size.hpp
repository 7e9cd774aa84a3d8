#ifndef TESSERA_CORE_EXECUTION_TEAM_SIZE_HPP
#define TESSERA_CORE_EXECUTION_TEAM_SIZE_HPP

#include "core/parameters/tuning_parameter.hpp"

#include <array>

/// \file
/// GPU block size as a tuning parameter of portable bodies.

namespace tessera {

/// Candidate values; 0 leaves the size to the adapter of the backend (execution_space.hpp).
inline constexpr std::array team_sizes_to_try{0, 32, 64, 128, 256};

/// Reason why a block size is invalid; empty where it is valid.
[[nodiscard]] inline Refusal refuse_team_size(int size) {
  if (size >= 0 && size <= 256 && size % 32 == 0) return {};
  return "a team_size of 0 (as the backend has it) or a multiple of 32 up to 256";
}

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_TEAM_SIZE_HPP
