#ifndef TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP
#define TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP

#include "core/memory/transform.hpp"

#include <cstdint>
#include <memory>
#include <string>

/// \file
/// FFTW, loaded for the first transform, so that programs without transforms do not need it.

namespace tessera::fourier_library {

/// Reason why this host has no transforms; empty when it has them.
[[nodiscard]] std::string unavailable();
/// Version text of the library, for example "fftw-3.3.10-sse2-avx"; empty where the library cannot
/// be used.
[[nodiscard]] std::string version();

/// Transforms of a part of a batch, executed by one thread. Results depend bitwise on the batch and
/// the count only, because FFTW estimates its plans instead of measuring them.
class Plan {
 public:
  /// \param count number of transforms, starting with the first of the batch.
  /// \throws DeviceError where FFTW is missing or makes no plan.
  Plan(const TransformBatch& batch, std::int64_t count);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Transforms `in` to `out`, which may be other arrays than those of the batch but must have the
  /// same alignment. Thread-safe.
  void execute(void* in, void* out) const;

 private:
  void* plan_;
  bool in_double_;
  TransformKind kind_;
};

}  // namespace tessera::fourier_library

#endif  // TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP
