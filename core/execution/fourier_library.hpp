#ifndef TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP
#define TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP

#include "core/memory/transform.hpp"

#include <cstdint>
#include <memory>
#include <string>

/// \file
/// FFTW, loaded when the first transform is asked for: a program that needs none needs no FFTW.

namespace tessera::fourier_library {

/// Why there are no transforms on this host, empty when there are.
[[nodiscard]] std::string unavailable();

/// Some transforms of a batch, by one thread. Bits depend on the batch and the number alone: plans
/// are estimated, not measured.
class Plan {
 public:
  /// \param count transforms, from the first of the batch on.
  /// \throws DeviceError where FFTW is missing or makes no plan.
  Plan(const TransformBatch& batch, std::int64_t count);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// On arrays that are aligned as those of the batch; from several threads at once.
  void execute(void* in, void* out) const;

 private:
  void* plan_;
  bool in_double_;
  TransformKind kind_;
};

}  // namespace tessera::fourier_library

#endif  // TESSERA_CORE_EXECUTION_FOURIER_LIBRARY_HPP
