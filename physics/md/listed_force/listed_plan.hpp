#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_PLAN_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_PLAN_HPP

#include "physics/md/box.hpp"

#include <limits>

/// \file
/// Interface of the plans of md/listed_force and md/special_force.

namespace tessera::md {

class ListedPlanInterface {
 public:
  /// Distance that any atom may move after prepare() until the nearest image of a listed neighbor
  /// may change, and prepare() must run again. Negative: prepare() must run again in this box even
  /// if no atom has moved.
  [[nodiscard]] virtual double allowed_displacement(const Box&) const {
    return std::numeric_limits<double>::infinity();
  }

 protected:
  ~ListedPlanInterface() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_PLAN_HPP
