#ifndef TESSERA_PHYSICS_MD_SIMULATION_NAMED_ATOMS_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_NAMED_ATOMS_HPP

#include "core/base/error.hpp"
#include "physics/md/coincident_atoms.hpp"
#include "physics/md/simulation/state.hpp"

#include <string>
#include <vector>

/// \file
/// Errors that name atoms: operations number atoms by their rows, users by their ids.

namespace tessera::md {

/// Runs `call`. Adds the ids of the atoms to a ParticleError that `call` throws.
template <class P, class Call>
void with_ids(const State<P>& state, const Call& call) {
  try {
    call();
  } catch (const CoincidentAtoms& atoms) {
    throw CoincidentAtoms(atoms.first(), atoms.second(), state.columns.to_host(state.ids));
  } catch (const ParticleError& error) {
    if (error.particles().empty()) throw;
    const std::vector<std::int64_t> ids = state.columns.to_host(state.ids);
    std::string list;
    for (const std::int64_t place : error.particles())
      list += (list.empty() ? "" : " and ") + std::to_string(ids[static_cast<std::size_t>(place)]);
    throw ParticleError(error.particles(),
                        std::string(error.what()) + " (counted from 0; by id: " + list + ")");
  }
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_NAMED_ATOMS_HPP
