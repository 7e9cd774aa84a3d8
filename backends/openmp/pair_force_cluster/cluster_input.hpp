#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_INPUT_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_INPUT_HPP

#include "backends/openmp/pair_force_cluster/cluster_order.hpp"
#include "physics/md/box.hpp"
#include "physics/md/pair_force/atom_data.hpp"
#include "physics/md/pair_force/pair_force.hpp"

#include <cstdint>

/// \file
/// Input and output of the engine, and faults of the input that it may find.

namespace tessera::openmp::cluster {

template <class Storage>
struct ClusterInput {
  std::int64_t atoms = 0;
  PositionView<Storage> positions;     ///< in periodic directions any number of periods off the box
  const std::int32_t* type = nullptr;  ///< 0-based
  std::int64_t type_stride = 1;
  md::AtomColumns<Storage> values;  ///< values of the atoms that the potential reads
  md::Exclusions exclusions;        ///< used where lists are made
  md::Box box;                      ///< with the tilts as md::reduced() reduced them in prepare
  std::int64_t ghosts = 0;          ///< number of the last atoms that are no targets
  double largest_charge = 0;        ///< md::PairForceArgs::largest_charge

  [[nodiscard]] std::int64_t targets() const { return atoms - ghosts; }
};

/// An array of forces or torques.
template <class Storage>
struct SumOutput {
  Storage* data = nullptr;
  std::int64_t atom_stride = 3;
  std::int64_t component_stride = 1;
};

template <class Storage>
struct ForceOutput {
  SumOutput<Storage> forces;
  SumOutput<Storage> torques;  ///< used by potentials that write torques
  bool add = false;            ///< whether to add to the arrays, else to overwrite them
};

/// A fault that prepare or execute found; execute writes forces in any case.
struct Fault {
  enum class Kind {
    none,
    coincident,  ///< atoms `first` and `second` are at one position
    not_finite,  ///< a coordinate of atom `first` is NaN or infinite
    far,         ///< ClusterOrder::is_far() is true for coordinate `second` of atom `first`
    excluded     ///< the exclusions of atom `first` contain itself or an atom that does not exist
  };
  Kind kind = Kind::none;
  std::int64_t first = -1;
  std::int64_t second = -1;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_CLUSTER_INPUT_HPP
