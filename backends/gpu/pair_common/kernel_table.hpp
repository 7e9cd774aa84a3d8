#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_TABLE_HPP
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_TABLE_HPP

#if defined(TESSERA_EMULATED_GPU)
#include "backends/emulated/execution/launch.hpp"
#endif
#include "core/base/error.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>

/// \file
/// A pair loop as data: the handles of its kernels, and what a launcher has to know of the
/// potential for which they are compiled. A launcher is compiled with its plan, without any
/// potential. The table is filled by the compiler (kernels.cuh of a plan) or from a library that
/// was compiled at run time.

namespace tessera::gpu::pair_common {

/// Numbers of a potential that give the layout of the arguments of its kernels.
struct PotentialLayout {
  int width = 0;         ///< packed coefficients of a pair of types, with the square of its cutoff
  unsigned reads = 0;    ///< values of atoms, a set of AtomData
  bool torques = false;  ///< whether the potential writes torques
  int width_of_first = -1;  ///< of the sum of two potentials, that of the first alone; else -1
};

template <class Potential>
[[nodiscard]] constexpr PotentialLayout layout_of() {
  return {1 + Potential::traits.width, Potential::traits.reads, Potential::traits.torques()};
}

/// The kernels of a pair loop.
/// \tparam Variant template arguments of a kernel besides potential, coordinates and precision;
///   ordered.
template <class Variant>
class KernelTable {
 public:
  explicit KernelTable(const PotentialLayout& layout) : layout_(layout) {}

  /// \param kernel address of a function, or a kernel of a library that was loaded at run time.
  void add(const Variant& variant, const void* kernel) { kernels_[variant] = kernel; }
  template <class... Parameters>
  void add(const Variant& variant, void (*kernel)(Parameters...)) {
#if defined(TESSERA_EMULATED_GPU)
    emulated::remember(kernel);
#endif
    add(variant, reinterpret_cast<const void*>(kernel));
  }
  /// Keeps what the handles belong to, as a loaded library, as long as the table lives.
  void keep(std::shared_ptr<const void> owner) {
    owner_ = std::move(owner);
  }

  [[nodiscard]] bool has(const Variant& variant) const {
    return kernels_.contains(variant);
  }
  /// \param name of the kernel, for the message.
  /// \throws RefusalError where the table lacks the variant.
  [[nodiscard]] const void* at(const char* name, const Variant& variant) const {
    const auto found = kernels_.find(variant);
    if (found == kernels_.end())
      throw RefusalError("md/pair_force", std::string("the pair loop of this potential lacks the "
                                                      "kernel ") +
                                              name + " for the parameters of this call");
    return found->second;
  }
  [[nodiscard]] std::size_t size() const {
    return kernels_.size();
  }
  [[nodiscard]] const PotentialLayout& layout() const {
    return layout_;
  }

 private:
  PotentialLayout layout_;
  std::map<Variant, const void*> kernels_;
  std::shared_ptr<const void> owner_;
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_TABLE_HPP
