#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_THREAD_ORDER_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_THREAD_ORDER_HPP

#include <cstdint>
#include <span>

/// \file
/// The order in which blocks, warps and lanes run where a kernel leaves it open.

namespace tessera::emulated {

/// The order that the environment variable TESSERA_EMULATED_ORDER names: "forward" (the default),
/// "backward", or a number, the seed of random orders.
class ThreadOrder {
 public:
  /// \throws InputError where the variable has another value.
  [[nodiscard]] static ThreadOrder of_environment();

  /// Writes the numbers 0, 1, 2, ... to `places` in the order, a new one at each call where the
  /// order is random.
  void arrange(std::span<unsigned> places);

 private:
  enum class Kind { forward, backward, random };

  Kind kind_ = Kind::forward;
  std::uint64_t state_ = 0;
};

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_THREAD_ORDER_HPP
