#include "physics/md/simulation/atom_sums.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace tessera::md {

template <class P>
AtomSums<P>::AtomSums(Domain<P>& domain)
    : domain_(domain),
      forces_(domain.state.context, 3 * domain.state.atoms()),
      energies_(domain.state.context, domain.state.atoms()),
      virials_(domain.state.context, 6 * domain.state.atoms()) {
  for (const auto& term : domain.terms())
    term->expect_by_atom(domain.state);
}

template <class P>
AtomThermo AtomSums<P>::compute() {
  State<P>& state = domain_.state;
  const auto n = static_cast<std::size_t>(state.atoms());
  AtomThermo atoms{std::vector<double>(n), std::vector<std::array<double, 6>>(n)};
  // Sums the terms on the host: at first `stresses` holds the virial of all terms, then the stress.
  for (const auto& term : domain_.terms()) {
    term->by_atom(state, {forces_.rows(3), energies_.view(), virials_.rows(6)});
    const std::vector<double> energies = energies_.to_host();
    const std::vector<double> virials = virials_.to_host();
    for (std::size_t i = 0; i < n; ++i) {
      atoms.energies[i] += energies[i];
      for (std::size_t c = 0; c < 6; ++c)
        atoms.stresses[i][c] += virials[6 * i + c];
    }
  }
  const std::vector<typename P::Storage> velocities = state.columns.to_host(state.velocities);
  const std::vector<std::int32_t> types = state.columns.to_host(state.type);
  constexpr std::size_t axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t i = 0; i < n; ++i) {
    const double mass = state.description.types[static_cast<std::size_t>(types[i])].mass;
    const auto velocity = [&](std::size_t d) { return static_cast<double>(velocities[3 * i + d]); };
    for (std::size_t c = 0; c < 6; ++c) {
      const double kinetic =
          state.units.mv2_to_energy * mass * velocity(axes[c][0]) * velocity(axes[c][1]);
      atoms.stresses[i][c] = -(kinetic + atoms.stresses[i][c]) * state.units.energy_to_pressure;
    }
  }
  return atoms;
}

template class AtomSums<Double>;
template class AtomSums<Mixed>;
template class AtomSums<Single>;

}  // namespace tessera::md
