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
/// The pair loops that kernels have for forms, as plain functions. A kernel is compiled without any
/// form; its loop over pairs is compiled apart, once for each form, and found here by name. Rows
/// are added by generated calls, by a library that is loaded later, or by a compiler at run time: a
/// plan does not notice the difference.

namespace tessera::md {

/// A pair loop. Each kernel has a type of function of its own and casts to it.
struct PairKernel {
  void (*call)() = nullptr;
  const void* opaque = nullptr;  ///< handed to the function as it is

  template <class Function>
  [[nodiscard]] Function as() const {
    return reinterpret_cast<Function>(call);
  }
};

class PairKernels {
 public:
  /// Adds a row, or replaces it. The name "*" stands for every form that the row which switches at
  /// run time knows.
  void add(const std::string& implementation, Precision precision, const std::string& potential,
           PairKernel row);
  template <class Function>
  void add(const std::string& implementation, Precision precision, const std::string& potential,
           Function* function) {
    add(implementation, precision, potential,
        PairKernel{reinterpret_cast<void (*)()>(function), nullptr});
  }

  [[nodiscard]] std::optional<PairKernel> find(const std::string& implementation,
                                               Precision precision,
                                               const PairPotential& potential) const;
  /// Names of the forms, "*" among them.
  [[nodiscard]] std::vector<std::string> potentials(const std::string& implementation,
                                                    Precision precision) const;
  /// Names of the forms of all implementations, each once.
  [[nodiscard]] std::set<std::string> potentials() const;

 private:
  std::map<std::tuple<std::string, Precision, std::string>, PairKernel> rows_;
};

[[nodiscard]] PairKernels& pair_kernels();

/// Why an implementation cannot run a form, or nothing.
[[nodiscard]] std::optional<std::string> refuse_potential(const std::string& implementation,
                                                          Precision precision,
                                                          const std::string& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_POTENTIAL_PAIR_KERNELS_HPP
