#ifndef TESSERA_PHYSICS_REDUCTION_SUM_SUM_OVERFLOW_HPP
#define TESSERA_PHYSICS_REDUCTION_SUM_SUM_OVERFLOW_HPP

#include "core/base/error.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <array>
#include <string>
#include <type_traits>

/// \file
/// Provides overflow flags of integer sums if the caller does not.

namespace tessera::reduction {

template <class Storage, ExecutionSpace Space>
class SumOverflow {
 public:
  explicit SumOverflow(const Space& space)
      : space_(space), overflow_(space, integers ? max_terms : 0) {}

  /// Calls `run` with arguments that contain overflow flags; sums of floating-point numbers need
  /// none.
  /// \throws OverflowError if the caller provided no flags and a sum does not fit.
  template <class Run>
  void execute(SumArgs<Storage> args, const Run& run) {
    if (!integers || args.overflow.given()) return run(args);
    args.overflow = {overflow_.data(), {max_terms}};
    run(args);
    std::array<std::int32_t, max_terms> found{};
    const auto terms = static_cast<std::size_t>(args.terms.count);
    if (terms > 0)
      space_.copy_to_host(found.data(), overflow_.data(), terms * sizeof(std::int32_t));
    for (std::size_t t = 0; t < terms; ++t)
      if (found[t] != 0)
        throw OverflowError(std::string(Sum::name) + ": term " + std::to_string(t) +
                            " does not fit in an integer of 64 bits");
  }

 private:
  static constexpr bool integers = std::is_integral_v<Storage>;

  Space space_;
  Buffer<std::int32_t, Space> overflow_;
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_SUM_SUM_OVERFLOW_HPP
