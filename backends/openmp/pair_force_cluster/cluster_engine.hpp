#pragma once

#include <cstdint>
#include <memory>
#include <tessera/backends/openmp/pair_force_cluster/cluster_order.hpp>
#include <tessera/backends/openmp/pair_force_cluster/policy.hpp>
#include <tessera/md/box.hpp>
#include <vector>

/// \file
/// Lennard-Jones 12-6 forces over pairs of (atom, cluster of atoms); see README.md for the design.

namespace tessera::openmp::cluster {

/// Coefficients of one pair of types; pairs at r < cutoff interact, U(r) = 4 epsilon ((sigma/r)^12
/// - (sigma/r)^6) + energy_offset.
struct PairCoefficients {
  double epsilon = 0;
  double sigma = 1;
  double cutoff = 0;
  double energy_offset = 0;
};

template <class Storage>
struct ClusterInput {
  std::int64_t atoms = 0;
  PositionView<Storage> positions;     ///< may lie any number of box lengths outside where periodic
  const std::int32_t* type = nullptr;  ///< 0-based
  std::int64_t type_stride = 1;
  md::Box box;
};

template <class Storage>
struct ForceOutput {
  Storage* data = nullptr;
  std::int64_t atom_stride = 3;
  std::int64_t component_stride = 1;
};

/// What prepare or execute met; execute writes forces in any case.
struct Finding {
  enum class Kind {
    none,
    coincident,  ///< atoms `first` and `second` are at one place
    not_finite   ///< a coordinate of atom `first` is NaN or infinite
  };
  Kind kind = Kind::none;
  std::int64_t first = -1;
  std::int64_t second = -1;
};

/// Storage: type of positions and forces; Compute: type of the pair terms (float: positions become
/// 32-bit fixed-point numbers, from which differences are exact).
template <class Storage, class Compute>
class ClusterEngine {
 public:
  explicit ClusterEngine(const Policy& policy = {});
  ~ClusterEngine();
  ClusterEngine(ClusterEngine&&) noexcept;
  ClusterEngine& operator=(ClusterEngine&&) noexcept;

  /// Groups the atoms and builds the pair list for the positions at hand; it holds until an atom
  /// has moved by more than skin / 2. `coefficients`: types x types, symmetric. \throws
  /// ArgumentError when the list radius exceeds a periodic box length, when there are more
  ///   than 2^31 - 1 atoms, or when the atoms spread over more than about 10^7 list radii.
  Finding prepare(const ClusterInput<Storage>& input, int types,
                  const std::vector<PairCoefficients>& coefficients, double skin);

  /// Forces for the positions at hand; atoms, types and their order as in prepare, the box at most
  /// slightly different. `energy` (one number) and `virial` (xx yy zz xy xz yz, sum over pairs of
  /// r_a F_b) only where not null. Allocates nothing.
  Finding execute(const ClusterInput<Storage>& input, const ForceOutput<Storage>& forces,
                  double* energy, double* virial);

  [[nodiscard]] const char* instruction_set() const;
  [[nodiscard]] int lanes() const;
  /// Rows of the list, for statistics: (atom, cluster) pairs, without those inside a cluster.
  [[nodiscard]] std::int64_t entries() const;
  [[nodiscard]] std::int64_t clusters() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace tessera::openmp::cluster
