#ifndef TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_ARGUMENT_HPP
#define TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_ARGUMENT_HPP

#include "core/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// \file
/// An argument of a kernel whose type depends on the potential, built from its members.

namespace tessera::gpu::pair_common {

/// Members in the order of their declaration, each at its alignment, as in the struct.
class KernelArgument {
 public:
  /// Largest size of the arguments of a kernel on every device.
  static constexpr std::size_t most = 4096;

  template <class T>
  void append(const T* values, std::int64_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t begin = (size_ + alignof(T) - 1) / alignof(T) * alignof(T);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (begin + bytes > most)
      throw Error(
          "md/pair_force: the coefficients of the potential exceed the arguments of a "
          "kernel, 4096 bytes");
    std::memcpy(bytes_ + begin, values, bytes);
    size_ = begin + bytes;
  }
  template <class T>
  void append(const T& value) {
    append(&value, 1);
  }

  [[nodiscard]] const void* data() const { return bytes_; }

 private:
  alignas(32) std::byte bytes_[most];
  std::size_t size_ = 0;
};

}  // namespace tessera::gpu::pair_common

#endif  // TESSERA_BACKENDS_GPU_PAIR_COMMON_KERNEL_ARGUMENT_HPP
