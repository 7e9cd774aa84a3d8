#ifndef TESSERA_CORE_MEMORY_TRANSFORM_HPP
#define TESSERA_CORE_MEMORY_TRANSFORM_HPP

#include "core/memory/stream.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

/// \file
/// Discrete Fourier transforms in one dimension, many at a time, by the library that a device has:
/// FFTW on hosts, cuFFT on CUDA. Both are looked for when a program asks for the first transform.
///
///     out(k) = sum over j of in(j) exp(-+ 2 pi i j k / n),  j from 0 to n - 1
///
/// with the minus sign forward; nothing is divided by n. Of n real numbers n / 2 + 1 coefficients
/// are kept. (FFTW 3.3.10 manual, "What FFTW Really Computes"; cuFFT library user's guide.)

namespace tessera {

enum class TransformKind {
  forward,        ///< complex to complex
  backward,       ///< complex to complex
  real_forward,   ///< real to complex
  real_backward,  ///< complex to real
};

/// Element i of transform t lies at data + i * stride + t * distance. All in elements: a complex
/// number is one, the real part first.
struct TransformSide {
  void* data = nullptr;
  std::int64_t stride = 1;
  std::int64_t distance = 0;
};

/// Arrays on the memory of a device, aligned as Device::allocate() does it. Input and output are
/// apart, or the same array with the same layout, and then complex.
struct TransformBatch {
  TransformKind kind = TransformKind::forward;
  bool in_double = true;
  std::int64_t length = 0;  ///< n: at least 1
  std::int64_t count = 0;   ///< transforms: at least 1
  TransformSide in, out;
};

/// What a batch needs is made once; execute() allocates nothing and does not wait. real_backward
/// may write into its input, the others leave it as it is.
class Transform {
 public:
  virtual ~Transform() = default;
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  virtual void execute() = 0;

 protected:
  Transform() = default;
};

/// The transforms of a device.
class DeviceTransforms {
 public:
  virtual ~DeviceTransforms() = default;
  DeviceTransforms(const DeviceTransforms&) = delete;
  DeviceTransforms& operator=(const DeviceTransforms&) = delete;

  /// Why the device has no transforms, empty when it has: the library that makes them is loaded at
  /// the first call.
  [[nodiscard]] virtual std::string unavailable() const = 0;

  /// Transforms on the queue, to be executed again and again on the same arrays.
  /// \throws DeviceError where there are none, or their memory cannot be allocated.
  [[nodiscard]] virtual std::unique_ptr<Transform> make(Stream, const TransformBatch&) = 0;

 protected:
  DeviceTransforms() = default;
};

/// The least even number from `least` on that has no prime factor above 7, for which every library
/// is fast.
[[nodiscard]] constexpr std::int64_t good_transform_length(std::int64_t least) {
  for (std::int64_t n = least + least % 2;; n += 2) {
    std::int64_t rest = n;
    for (const std::int64_t prime : {2, 3, 5, 7})
      while (rest > 0 && rest % prime == 0)
        rest /= prime;
    if (rest == 1) return n;
  }
}

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_TRANSFORM_HPP
