#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_CASES_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_CASES_HPP

#include "core/trials/typed_trials.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/topology/listed_lists.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Standard inputs of md/listed_force.

namespace tessera::md::listed_force_trial {

struct Data {
  std::array<ListedTypes, listed_classes> classes;
  Write write = Write::overwrite;
  Box box;
  std::vector<double> positions, forces;
  std::vector<ListedTerm> terms;
  std::array<std::vector<double>, listed_classes> coefficients;  ///< types x fields
  bool by_atom = false;
  Determinism determinism = Determinism::none;
  std::int64_t ghosts = 0;  ///< number of the last atoms that are no targets

  [[nodiscard]] std::int64_t atoms() const { return std::ssize(positions) / 3; }
  [[nodiscard]] std::int64_t targets() const { return atoms() - ghosts; }
};

[[nodiscard]] std::vector<TrialRow<Data>> rows();

}  // namespace tessera::md::listed_force_trial

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_CASES_HPP
