#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP

#include "core/base/precision.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// \file
/// Registry of pair kernels. An implementation of md/pair_force is compiled without any pair
/// potential; its pair loops are compiled separately, one for each pair potential, and found here
/// by name. Pair kernels are added by generated calls, by a library that is loaded later, or by a
/// compiler at run time; plans do not depend on which of these it was.

namespace tessera {
class Registry;
}

namespace tessera::md {

/// A pair loop: a function, or a table of the kernels that the launcher of the implementation
/// starts. Each implementation has its own type of function or table. A plan holds a copy, which
/// keeps the table and what it belongs to.
struct PairKernel {
  void (*call)() = nullptr;          ///< null where there is a table
  unsigned reads = 0;                ///< values of atoms that it loads, a set of AtomData
  std::shared_ptr<const void> data;  ///< the table, or what a function needs

  template <class Function>
  [[nodiscard]] Function as() const {
    return reinterpret_cast<Function>(call);
  }
  template <class Table>
  [[nodiscard]] const Table& table() const {
    return *static_cast<const Table*>(data.get());
  }
};

/// The pair kernels of a Registry. All members may be called by several threads, also while plans
/// are made.
class PairKernels {
 public:
  /// Adds a pair kernel, or replaces it. The name "*" stands for all pair potentials among which a
  /// kernel that selects at run time can choose.
  void add(const std::string& implementation, Precision precision, const std::string& potential,
           PairKernel row);
  /// \param reads potentials::Traits::reads of the potential for which the function is compiled.
  template <class Function>
  void add(const std::string& implementation, Precision precision, const std::string& potential,
           unsigned reads, Function* function) {
    add(implementation, precision, potential,
        PairKernel{reinterpret_cast<void (*)()>(function), reads, nullptr});
  }
  /// \param table of the type that the implementation expects.
  void add(const std::string& implementation, Precision precision, const std::string& potential,
           unsigned reads, std::shared_ptr<const void> table) {
    add(implementation, precision, potential, PairKernel{nullptr, reads, std::move(table)});
  }

  /// Removes a pair kernel; does nothing where there is none. Plans that hold it go on with it.
  void remove(const std::string& implementation, Precision precision, const std::string& potential);

  [[nodiscard]] std::optional<PairKernel> find(const std::string& implementation,
                                               Precision precision,
                                               const PairPotential& potential) const;
  /// Names of the pair potentials, and "*" if it was added.
  [[nodiscard]] std::vector<std::string> potentials(const std::string& implementation,
                                                    Precision precision) const;
  /// Names of the pair potentials of all implementations.
  [[nodiscard]] std::set<std::string> potentials() const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::tuple<std::string, Precision, std::string>, PairKernel> rows_;
};

/// The loops of the registry of this process, and those of any registry. While the registry of the
/// process is filled, only the second function may be called.
[[nodiscard]] PairKernels& pair_kernels();
[[nodiscard]] PairKernels& pair_kernels(Registry& registry);

/// Reason why an implementation cannot run a pair potential; nullopt if it can.
[[nodiscard]] std::optional<std::string> refuse_potential(const std::string& implementation,
                                                          Precision precision,
                                                          const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP
