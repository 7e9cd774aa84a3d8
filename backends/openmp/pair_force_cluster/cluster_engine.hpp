#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/parameters.hpp"
#include "physics/md/pair_force/skin_budget.hpp"
#include "physics/md/pair_force/verlet_steps.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"

#include <cstdint>
#include <memory>

/// \file
/// Forces over pairs of (atom, cluster of atoms); see README.md for the design.

namespace tessera::openmp::cluster {

/// Results of fused steps.
struct StepsDone {
  std::int64_t steps = 0;  ///< done
  double furthest = 0;     ///< of all atoms, from where lists were made; infinite: of one nowhere
  bool blown_up = false;   ///< in the last of them
};

/// Storage: type of positions and forces; Compute: type of the pair terms (float: positions become
/// 32-bit fixed-point numbers, from which differences are exact).
template <class Storage, class Compute>
class ClusterEngine {
 public:
  ClusterEngine(const md::PairPotential& potential, const md::PairKernel& row,
                const Parameters& parameters);
  ~ClusterEngine();
  ClusterEngine(ClusterEngine&&) noexcept;
  ClusterEngine& operator=(ClusterEngine&&) noexcept;

  /// Groups the atoms and builds the pair list for the positions at hand; it holds until an atom
  /// has moved by more than skin / 2. The list radius is at most half of each periodic length.
  /// \throws ArgumentError when there are more than 2^31 - 1 atoms, or when the atoms spread over
  /// more
  ///   than about 10^7 list radii.
  Fault prepare(const ClusterInput<Storage>& input, View<const double, 3> coefficients,
                double skin);

  /// Forces for the positions at hand; atoms, types and their order as in prepare, the box at most
  /// slightly different. `energy` (one number) and `virial` (xx yy zz xy xz yz, sum over pairs of
  /// r_a F_b) only where not null. Allocates nothing.
  Fault execute(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces,
                double* energy, double* virial);

  /// Whether there are few enough atoms for the following.
  [[nodiscard]] bool can_step() const;
  /// Takes over atoms that shall be moved, with the lists and the order of the last prepare.
  /// Returns how far one of them is at most from where it was then.
  double load(const ClusterInput<Storage>& input, const md::VerletStepsArgs<Storage>& args);
  /// Moves them by fused steps until an atom is further than `allowed` from there, or has moved by
  /// `longest_step` in one.
  StepsDone step(std::int64_t most, double allowed, double longest_step);
  /// Folds them into the box (that of the input, its tilts not reduced) and does what prepare does.
  /// Returns whether all went well: else prepare says what is wrong.
  bool rebuild(const md::Box& box);
  /// Writes what they are now, or were when the list was made last.
  void store_atoms(const md::VerletStepsArgs<Storage>& args, bool when_listed) const;
  /// The caller's atom that has moved furthest.
  [[nodiscard]] std::int64_t furthest_atom() const;

  [[nodiscard]] const char* instruction_set() const;
  [[nodiscard]] int lanes() const;
  /// Rows of the list, for statistics: (atom, cluster) pairs, without those inside a cluster.
  [[nodiscard]] std::int64_t entries() const;
  [[nodiscard]] std::int64_t clusters() const;
  /// In which images of the box atoms were when the list was made, and how many lattice vectors may
  /// lie between two listed atoms of one image.
  void report_images(md::SkinBudget& reach) const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_ENGINE_HPP
