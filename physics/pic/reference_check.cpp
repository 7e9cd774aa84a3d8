#include "physics/pic/reference_check.hpp"

#include "core/base/shortest_number.hpp"

#include <cmath>

namespace tessera::pic {

void check_reference(const ArgumentCheck& check, const ReferenceParticle& reference) {
  const double momentum = reference.beta_gamma;
  check.require(momentum > 0 && std::isfinite(momentum * momentum) && momentum * momentum > 0,
                "reference", [&] {
                  return "beta_gamma is " + shortest_number(momentum) +
                         ", expected a positive number with a positive finite square";
                });
}

}  // namespace tessera::pic
