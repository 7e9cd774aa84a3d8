#include "physics/md/case/continued_case.hpp"

#include <array>

namespace tessera::md {

std::string physics_of(const cases::Case& c) {
  constexpr std::array<std::string_view, 9> physical = {
      "precision",   "run.time_step",   "pair.",         "bond.",        "exclusions.",
      "integrator.", "groups.excluded", "groups.frozen", "groups.group."};
  return cases::physics_of(c, physical);
}

}  // namespace tessera::md
