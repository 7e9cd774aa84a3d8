#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP

#include "backends/openmp/pair_force_cluster/cluster_input.hpp"
#include "backends/openmp/pair_force_cluster/cluster_positions.hpp"
#include "backends/openmp/pair_force_cluster/force_store.hpp"
#include "backends/openmp/pair_force_cluster/scratch_array.hpp"
#include "physics/md/box.hpp"
#include "physics/md/pair_force/verlet_steps.hpp"

#include <cstdint>

/// \file
/// Atoms that are moved where their forces are added up, in the order of the clusters, instead of
/// in passes through the caller's arrays: see md/pair_force/verlet_steps.hpp. Blocks are those of
/// coordinates: x[lanes] y[lanes] z[lanes] of each cluster.

namespace tessera::openmp::cluster {

template <class Storage, class T>
class MovingClusters {
 public:
  using Args = md::VerletStepsArgs<Storage>;

  /// Whether slots of an order are numbers of 32 bits, as those of its atoms are.
  [[nodiscard]] static bool can_step(const ClusterOrder& order);
  /// How the atoms of an order are moved. Then load() those of all clusters.
  void begin(const ClusterInput<Storage>& input, const ClusterOrder& order, const Args& args);
  /// The caller's atoms of some clusters.
  /// \param ahead prefetch distance in the caller's memory, in atoms.
  /// \returns the square of how far one of them is at most from where the list was made.
  double load(const ClusterOrder& order, ClusterRange range, int ahead);
  [[nodiscard]] const ClusterInput<Storage>& input() const { return input_; }

  /// Both half kicks and the drift (md/integrate/kick_and_drift.hpp) of the atoms of a thread's
  /// chunks by what threads have added up, and their places then. Behind the first such step of all
  /// threads since the last list: leave_list().
  /// \returns as load(); infinity where a position is no number.
  double step(const ForceSums<Storage, T>& sums, ClusterPositions<T>& places, int thread,
              bool first);
  /// Whether the next step is the first.
  [[nodiscard]] bool at_list() const { return at_list_; }
  void leave_list() { at_list_ = false; }

  /// Puts atoms back into the box, as md/wrap does.
  void fold(const md::Box& box, int threads);
  /// Where they are, and their groups as the caller's atoms have them, to make an order of slots.
  [[nodiscard]] BlockView<Storage> positions() const { return {now_.positions.data(), lanes_}; }
  [[nodiscard]] AtomGroups groups(const AtomGroups& given, int threads);
  /// Into an order of slots, which gets the names of the caller's atoms.
  void reorder(ClusterOrder& order, int threads);
  /// Where the atoms of some clusters are when the list is made.
  void place(const ClusterOrder& order, const ClusterImages& images, ClusterPositions<T>& places,
             ClusterRange range) const;

  /// Writes what atoms are now, or were when the list was made last.
  void store_atoms(const Args& args, bool when_listed, int threads) const;

  /// The atom that is furthest from where the list was made, the first of several; one whose
  /// position is no number is further than any.
  [[nodiscard]] std::int64_t furthest_atom() const;

 private:
  struct Atoms {
    ScratchArray<Storage> positions, velocities;
    ScratchArray<std::int32_t> images;  ///< crossings of faces, in blocks too
    ScratchArray<std::int32_t> names;   ///< the caller's atom in each slot
    ScratchArray<std::uint8_t> count;   ///< of a cluster that are not padding

    void require(std::int64_t clusters, int lanes);
  };

  template <int Lanes>
  double load_lanes(const ClusterOrder& order, ClusterRange range, int ahead);
  template <int Lanes, bool Tilted>
  double step_lanes(const ForceSums<Storage, T>& sums, ClusterPositions<T>& places, int thread,
                    bool first);
  template <int Lanes, bool Tilted>
  void place_lanes(const ClusterOrder& order, const ClusterImages& images,
                   ClusterPositions<T>& places, ClusterRange range) const;
  template <int Lanes>
  void reorder_lanes(const ClusterOrder& order, ClusterRange range);
  void set_half_kicks(const std::int32_t* names, ClusterRange range);

  ClusterInput<Storage> input_;
  Args args_;
  int lanes_ = 1;
  std::int64_t clusters_ = 0;
  Storage time_step_ = 0;
  Atoms now_;
  Atoms listed_;          ///< when the list was made
  bool at_list_ = false;  ///< they are there still: nothing was moved
  /// Change of the velocity for a unit of force, lanes per cluster; for one where all are alike.
  ScratchArray<Storage> half_kicks_;
  bool alike_ = true;
  ScratchArray<std::int32_t> slots_;   ///< those that are no padding
  ScratchArray<std::int32_t> places_;  ///< slot of each of the caller's atoms
  AtomGroups::Reordered reordered_;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_MOVING_CLUSTERS_HPP
