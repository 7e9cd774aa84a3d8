#ifndef TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP
#define TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP

#include "core/base/precision.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

/// \file
/// Registry of pair kernels. An implementation of md/pair_force is compiled without any pair
/// potential; its pair loops are compiled separately, one for each pair potential, and found here
/// by name. Pair kernels are added by generated calls, by a library that is loaded later, or by a
/// compiler at run time; plans do not depend on which of these it was.

namespace tessera::md {

/// A pair loop. Each implementation has its own type of function, to which it casts `call`.
struct PairKernel {
  void (*call)() = nullptr;
  unsigned reads = 0;            ///< values of atoms that it loads, a set of AtomData
  const void* opaque = nullptr;  ///< passed to the function unchanged

  template <class Function>
  [[nodiscard]] Function as() const {
    return reinterpret_cast<Function>(call);
  }
};

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
        PairKernel{reinterpret_cast<void (*)()>(function), reads});
  }

  [[nodiscard]] std::optional<PairKernel> find(const std::string& implementation,
                                               Precision precision,
                                               const PairPotential& potential) const;
  /// Names of the pair potentials, and "*" if it was added.
  [[nodiscard]] std::vector<std::string> potentials(const std::string& implementation,
                                                    Precision precision) const;
  /// Names of the pair potentials of all implementations.
  [[nodiscard]] std::set<std::string> potentials() const;

 private:
  std::map<std::tuple<std::string, Precision, std::string>, PairKernel> rows_;
};

[[nodiscard]] PairKernels& pair_kernels();

/// Reason why an implementation cannot run a pair potential; nullopt if it can.
[[nodiscard]] std::optional<std::string> refuse_potential(const std::string& implementation,
                                                          Precision precision,
                                                          const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP
