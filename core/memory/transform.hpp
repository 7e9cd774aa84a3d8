#ifndef TESSERA_CORE_MEMORY_TRANSFORM_HPP
#define TESSERA_CORE_MEMORY_TRANSFORM_HPP

#include "core/memory/stream.hpp"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

/// \file
/// Batched one-dimensional discrete Fourier transforms by the library of a device: FFTW on hosts,
/// cuFFT on CUDA. Both libraries are loaded for the first transform.
///
///     out(k) = sum over j of in(j) exp(-+ 2 pi i j k / n),  j from 0 to n - 1
///
/// The sign is minus for forward transforms; no transform divides by n. A real transform keeps n /
/// 2 + 1 coefficients of n real numbers. (FFTW 3.3.10 manual, "What FFTW Really Computes"; cuFFT
/// library user's guide.)

namespace tessera {

enum class TransformKind {
  forward,        ///< complex to complex
  backward,       ///< complex to complex
  real_forward,   ///< real to complex
  real_backward,  ///< complex to real
};

/// Element i of transform t lies at data + i * stride + t * distance. Stride and distance count
/// elements; a complex number, real part first, is one element.
struct TransformSide {
  void* data = nullptr;
  std::int64_t stride = 1;
  std::int64_t distance = 0;
};

/// Arrays in device memory, aligned like those of Device::allocate(). Input and output do not
/// overlap, or they are the same complex array with the same layout.
struct TransformBatch {
  TransformKind kind = TransformKind::forward;
  bool in_double = true;
  std::int64_t length = 0;  ///< n, at least 1
  std::int64_t count = 0;   ///< number of transforms, at least 1
  TransformSide in, out;
};

/// A plan for a batch. execute() allocates nothing and does not block. real_backward may overwrite
/// its input; the other kinds preserve it.
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

  /// Reason why this device has no Fourier transforms; empty when it has them. The first call
  /// searches for the transform library.
  [[nodiscard]] virtual std::string unavailable() const = 0;

  /// Fourier transforms on the queue, for repeated execution on the same arrays.
  /// \throws DeviceError where the device has no transforms or not enough memory.
  [[nodiscard]] virtual std::unique_ptr<Transform> make(Stream, const TransformBatch&) = 0;

 protected:
  DeviceTransforms() = default;
};

/// The smallest even number not below `least` that has no prime factor above 7. Such lengths are
/// fast in every library.
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
