#ifndef TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_REFERENCE_HPP
#define TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_REFERENCE_HPP

#include "physics/pic/green_function/green_function.hpp"

namespace tessera::pic {

/// Oracle of pic/green_function.
template <class Storage>
void green_function_reference(const GreenFunctionProblem& problem, const GreenFunctionArgs& args);

/// One value of the oracle: integrals by products of one-dimensional rules; cells near the charge
/// are divided into cells that become smaller towards it.
[[nodiscard]] double green_value_reference(const GreenFunctionProblem& problem, const Grid& grid,
                                           std::int64_t i, std::int64_t j, std::int64_t k);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_REFERENCE_HPP
