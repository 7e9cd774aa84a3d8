#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_positions.hpp"
#include "backends/openmp/pair_force_cluster/force_store.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "physics/md/box.hpp"
#include "physics/md/langevin/bath.hpp"
#include "physics/md/step/fused_steps.hpp"

#include <cstdint>

/// \file
/// Positions and velocities of the atoms in fused steps (md/step/fused_steps.hpp), in the
/// order of the clusters, so that a thread moves atoms right after it has added up their forces.
/// Arrays of vectors consist of blocks x[lanes] y[lanes] z[lanes], one per cluster.

namespace tessera::openmp::cluster {

/// Numbers of a bath that a step reads besides the atoms.
template <class Storage>
struct BathStep {
  Storage keep = 1;
  Storage half_step = 0;
  const double* noise = nullptr;      ///< by slot
  const double* half_mass = nullptr;  ///< by slot
  double push[3] = {};  ///< opposite of the velocity that the noise gives to the center of mass
  int dimensions = 3;
};

template <class Storage, class T>
class MovingClusters {
 public:
  using Args = md::FusedStepsArgs<Storage>;

  /// Whether the number of slots of an order fits into 32 bits, which fused steps require.
  [[nodiscard]] static bool can_step(const ClusterOrder& order);
  /// Allocates the memory for the atoms of an order, and sets the arguments of steps. The caller
  /// must load() all clusters afterwards.
  void begin(const ClusterInput<Storage>& input, const ClusterOrder& order, const Args& args);
  /// Copies the atoms of a range of clusters from the caller's arrays.
  /// \param ahead prefetch distance in the caller's memory, in atoms.
  /// \returns the largest squared displacement of these atoms since the list was made.
  double load(const ClusterOrder& order, ClusterRange range, int ahead);
  [[nodiscard]] const ClusterInput<Storage>& input() const { return input_; }
  /// Sets the box of the input, with reduced tilts.
  void set_box(const md::Box& box) { input_.box = box; }

  /// Whether forces are added to those of the pairs, by add_forces() before each step.
  [[nodiscard]] bool adds_forces() const { return args_.added != nullptr; }
  void add_forces();
  /// Whether the noise of the bath must carry no momentum. step() then needs the sum of
  /// sum_noise() over all clusters.
  [[nodiscard]] bool balances_noise() const {
    return args_.bath && args_.bath->total_half_mass != 0;
  }
  /// \param step number of fused steps before, since begin().
  [[nodiscard]] md::NoiseSum sum_noise(ClusterRange range, std::int64_t step) const;
  /// Noise of the bath in one step.
  struct Noise {
    std::int64_t step = 0;  ///< number of fused steps before, since begin()
    md::NoiseSum of_all;    ///< momentum, if balances_noise()
  };

  /// Sums the forces of all threads on the atoms of the chunks of `thread`, applies both half kicks
  /// and the drift (md/integrate/kick_and_drift.hpp), or what the bath makes of them
  /// (md/langevin/bath.hpp), and updates the coordinates in `places`.
  /// \param first value of at_list(). The caller calls leave_list() after all threads have done a
  /// step. \returns as load(); infinity where a position is not finite.
  double step(const ForceSums<Storage, T>& sums, ClusterPositions<T>& places, int thread,
              bool first, const Noise& noise);
  /// Whether the next step is the first one since the last rebuild of the list.
  [[nodiscard]] bool at_list() const { return at_list_; }
  void leave_list() { at_list_ = false; }

  /// Folds atoms into the box, as md/wrap does.
  void fold(const md::Box& box, int threads);
  /// Present positions by slot, and the groups of the caller's atoms as groups of slots. Input of
  /// ClusterOrder::build() for a new order.
  [[nodiscard]] BlockView<Storage> positions() const { return {now_.positions.data(), lanes_}; }
  [[nodiscard]] AtomGroups groups(const AtomGroups& given, int threads);
  /// Sorts the atoms into a new order of slots, and replaces the slots in `order` by the numbers of
  /// the caller's atoms.
  void reorder(ClusterOrder& order, int threads);
  /// Writes the coordinates of a range of clusters, with the positions from which the list is made,
  /// to `places`.
  void place(const ClusterOrder& order, const ClusterImages& images, ClusterPositions<T>& places,
             ClusterRange range) const;

  /// Copies the present atoms, or with `when_listed` the atoms when the list was made last, to the
  /// caller's arrays.
  void store_atoms(const Args& args, bool when_listed, int threads) const;

  /// Number of the caller's atom with the largest displacement since the list was made; the
  /// smallest number among equals. The displacement of an atom with a non-finite position counts as
  /// infinite.
  [[nodiscard]] std::int64_t furthest_atom() const;

 private:
  struct Atoms {
    ScratchArray<Storage> positions, velocities;
    ScratchArray<std::int32_t> images;  ///< crossings of the faces of the box, in blocks
    ScratchArray<std::int32_t> names;   ///< number of the caller's atom in each slot
    ScratchArray<std::uint8_t> count;   ///< number of atoms of each cluster, without padding
    ScratchArray<double> heat;          ///< of each slot, from the bath; empty without one

    void require(std::int64_t clusters, int lanes, bool heated);
  };

  template <int Lanes>
  double load_lanes(const ClusterOrder& order, ClusterRange range, int ahead);
  template <int Lanes, bool Tilted, bool Bath>
  double step_lanes(const ForceSums<Storage, T>& sums, ClusterPositions<T>& places, int thread,
                    bool first, const Noise& noise);
  /// Draws the normal deviates of the atoms of a cluster.
  template <int Lanes>
  void draw(std::int64_t cluster, std::int64_t step, double (&deviates)[3][Lanes]) const;
  template <int Lanes, bool Tilted>
  void place_lanes(const ClusterOrder& order, const ClusterImages& images,
                   ClusterPositions<T>& places, ClusterRange range) const;
  template <int Lanes>
  void reorder_lanes(const ClusterOrder& order, ClusterRange range);
  void require_kinds();
  [[nodiscard]] BathStep<Storage> bath_step(const Noise& noise) const;
  [[nodiscard]] bool heated() const { return args_.bath && args_.bath->heat.given(); }
  /// Sets what steps read of the atoms of a range of clusters besides positions and velocities.
  void set_kinds(const std::int32_t* names, const std::uint8_t* counts, ClusterRange range);

  ClusterInput<Storage> input_;
  Args args_;
  int lanes_ = 1;
  std::int64_t clusters_ = 0;
  Storage time_step_ = 0;
  Atoms now_;     ///< present atoms; where at_list_, only images, names and counts are valid
  Atoms listed_;  ///< atoms when the list was made
  bool at_list_ = false;  ///< whether no step was done since then
  /// Velocity change of a half kick per unit of force, for each slot; for one cluster where alike_.
  ScratchArray<Storage> half_kicks_;
  bool alike_ = true;  ///< whether all atoms have the same mass
  /// By slot, in a bath: id of the atom, standard deviation of the noise, and half of the mass; 0
  /// for padding.
  ScratchArray<std::int64_t> ids_;
  ScratchArray<double> noise_;
  ScratchArray<double> half_mass_;
  double largest_noise_ = 0;         ///< largest product of noise and half of the mass of all types
  ScratchArray<Storage> added_;      ///< forces of AddedForces, in blocks
  ScratchArray<std::int32_t> rows_;  ///< OrderedAtoms::rows
  ScratchArray<std::int32_t> slots_;   ///< slots that are not padding
  ScratchArray<std::int32_t> places_;  ///< slot of each of the caller's atoms
  AtomGroups::Reordered reordered_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP
