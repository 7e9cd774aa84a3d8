#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/parameters.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/step/fused_steps.hpp"

#include <cstdint>
#include <memory>

/// \file
/// Forces over pairs of (atom, cluster of atoms); see README.md for the design.

namespace tessera::openmp::cluster {

/// Results of fused steps.
struct StepsDone {
  std::int64_t steps = 0;  ///< number of steps done
  double furthest = 0;     ///< largest displacement since the list was made; infinite for NaN
  bool blown_up = false;   ///< whether an atom moved too far in the last step
};

/// \tparam Storage type of positions and forces.
/// \tparam Compute type of the pair terms; for float, positions become 32-bit fixed-point numbers,
/// whose
///   differences are exact.
template <class Storage, class Compute>
class ClusterEngine {
 public:
  ClusterEngine(const md::PairPotential& potential, const md::PairKernel& row,
                const Parameters& parameters);
  ~ClusterEngine();
  ClusterEngine(ClusterEngine&&) noexcept;
  ClusterEngine& operator=(ClusterEngine&&) noexcept;

  /// Groups the atoms and makes the pair list for the given positions. The list holds until an atom
  /// has moved by more than skin / 2. The list radius must be at most half of each periodic length.
  /// \throws ArgumentError where there are more than 2^31 - 1 atoms, or where the atoms spread over
  /// more
  ///   than about 10^7 list radii.
  Fault prepare(const ClusterInput<Storage>& input, View<const double, 3> coefficients,
                double skin);

  /// Computes the forces for the given positions. Atoms, types and their order must be as in
  /// prepare(); the box may differ slightly. Allocates nothing. \param energy out: energy; null:
  /// not needed. \param virial out: sum over pairs of r_a F_b (xx yy zz xy xz yz); null: not
  /// needed.
  Fault execute(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces,
                double* energy, double* virial);

  /// Whether the number of atoms permits fused steps, that is load(), step() and rebuild().
  [[nodiscard]] bool can_step() const;
  /// Copies atoms for fused steps from the caller's arrays. Requires the lists and the order of
  /// atoms of the last prepare(). \returns largest displacement of an atom since then.
  double load(const ClusterInput<Storage>& input, const md::FusedStepsArgs<Storage>& args);
  /// Does up to `most` fused steps, until the displacement of an atom since the list was made
  /// exceeds `allowed`, or grows by `longest_step` or more in one step (a blow-up).
  StepsDone step(std::int64_t most, double allowed, double longest_step);
  /// Folds the atoms into the box and makes a new order and list.
  /// \param box the box of the steps. \param reduced the same with reduced tilts.
  /// \returns false after a fault; prepare() with the atoms of store_atoms() then reports it.
  bool rebuild(const md::Box& box, const md::Box& reduced);
  /// Copies the present atoms, or with `when_listed` the atoms when the list was made last, to the
  /// caller's arrays.
  void store_atoms(const md::FusedStepsArgs<Storage>& args, bool when_listed) const;
  /// Number of the caller's atom with the largest displacement since the list was made.
  [[nodiscard]] std::int64_t furthest_atom() const;

  [[nodiscard]] const char* instruction_set() const;
  [[nodiscard]] int lanes() const;
  /// Number of entries of the list, that is of pairs (atom, other cluster or image).
  [[nodiscard]] std::int64_t entries() const;
  [[nodiscard]] std::int64_t clusters() const;
  /// Reports to `skin_budget` the images of the box in which atoms were when the list was made, and
  /// the largest numbers of lattice vectors between two listed atoms.
  void report_images(md::SkinBudget& skin_budget) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP
