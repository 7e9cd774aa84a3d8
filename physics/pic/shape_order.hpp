#ifndef TESSERA_PHYSICS_PIC_SHAPE_ORDER_HPP
#define TESSERA_PHYSICS_PIC_SHAPE_ORDER_HPP

#include "core/parameters/tuning_parameter.hpp"

#include <string>

/// \file
/// Order of the particle shape (physics/pic/particle_shape.hpp) in problems and kernels.

namespace tessera::pic {

inline constexpr int most_shape_order = 3;

/// Calls `function.operator()<Order>()` with `order` as Order; 1 for orders other than 2 and 3.
template <class Function>
void with_shape_order(int order, const Function& function) {
  if (order == 3) return function.template operator()<3>();
  if (order == 2) return function.template operator()<2>();
  function.template operator()<1>();
}

/// Features that an implementation of pic/gather_kick or pic/boosted_kick may lack.
struct ShapeFeatures {
  int shape_orders = 1;  ///< largest order of the particle shape; 1: cloud-in-cell only
};

/// \param most largest order that the implementation supports.
[[nodiscard]] inline Refusal refuse_shape_order(int order, int most) {
  if (order <= most) return {};
  return "takes particle shapes of order " + std::string(most == 1 ? "1" : "1 to ") +
         (most == 1 ? "" : std::to_string(most)) + ", not " + std::to_string(order) +
         "; <backend>.portable takes 1 to " + std::to_string(most_shape_order);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SHAPE_ORDER_HPP
