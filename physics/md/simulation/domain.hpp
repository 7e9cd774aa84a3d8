#ifndef TESSERA_PHYSICS_MD_SIMULATION_DOMAIN_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_DOMAIN_HPP

#include "core/state/restart_scalars.hpp"
#include "physics/md/simulation/force_term.hpp"
#include "physics/md/simulation/integrator.hpp"
#include "physics/md/simulation/simulation.hpp"
#include "physics/md/simulation/state.hpp"
#include "physics/md/simulation/step_totals.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// \file
/// The atoms of one device, with the terms that act on them and the integrator that moves them.

namespace tessera::md {

template <class P>
class Domain {
 public:
  using Storage = typename P::Storage;
  using Terms = std::vector<std::unique_ptr<ForceTerm<P>>>;

  /// Declares a slot of `totals` for the tally of each term.
  /// \throws ArgumentError if two terms have one name.
  Domain(State<P> state, const SimulationParts& parts, StepTotals& totals);

  State<P> state;

  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] Integrator<P>& integrator() { return *integrator_; }
  [[nodiscard]] const Integrator<P>& integrator() const { return *integrator_; }
  /// The term whose fused steps are used, and that is executed after the others; null: none.
  [[nodiscard]] ForceTerm<P>* step_term() { return step_term_; }
  [[nodiscard]] StepTotals::Slot tally(std::size_t term) const { return tallies_[term]; }

  /// Computes the forces of all terms, and with `with_energy` their tallies.
  void compute_forces(bool with_energy);
  /// Whether the tallies are those of the present positions.
  [[nodiscard]] bool has_energies() const { return has_energies_; }
  void forget_energies() { has_energies_ = false; }
  /// \throws ParticleError that names the atoms, by id, with forces that are not finite, and the
  /// terms with energies that are not.
  void require_finite_forces();
  void prepare_terms();
  /// Prepares the terms that have lists, except step_term().
  void prepare_other_terms();

  /// The smallest ForceTerm::allowed_displacement() and ForceTerm::longest_step() of all terms.
  [[nodiscard]] double allowed_displacement() const;
  [[nodiscard]] double longest_step() const;
  [[nodiscard]] double skin() const;
  [[nodiscard]] double neighbors_per_atom() const;
  [[nodiscard]] std::vector<std::array<double, 3>> forces() const;

  /// Scalars of terms and integrator.
  [[nodiscard]] RestartScalars scalars() const;
  void set_scalars(const RestartScalars& scalars);

 private:
  Terms terms_;
  std::unique_ptr<Integrator<P>> integrator_;
  ForceTerm<P>* step_term_ = nullptr;
  StepTotals& totals_;
  std::vector<StepTotals::Slot> tallies_;
  bool has_energies_ = false;
};

/// Whether every step is timed: on the host, where this requires no waiting, or with exact timings.
template <class P>
[[nodiscard]] bool always_timed(const State<P>& state, const SimulationOptions& options) {
  return state.context.memory() == MemorySpace::host || options.exact_timings;
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_DOMAIN_HPP
