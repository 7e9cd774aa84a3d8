#include "core/execution/fourier_library.hpp"

#include "core/base/error.hpp"
#include "core/base/loaded_library.hpp"

#include <cstddef>
#include <mutex>

/// \file
/// The part of FFTW's interface in use, unchanged since version 3.0 (FFTW 3.3.10 manual, "Guru
/// Interface" and "New-array Execute Functions").

namespace tessera::fourier_library {
namespace {

struct Dimension {
  std::ptrdiff_t n, in_stride, out_stride;
};
using PlanComplex = void* (*)(int, const Dimension*, int, const Dimension*, void*, void*, int,
                              unsigned);
using PlanReal = void* (*)(int, const Dimension*, int, const Dimension*, void*, void*, unsigned);
using Execute = void (*)(const void*, void*, void*);
using Destroy = void (*)(void*);

constexpr unsigned destroy_input = 1u << 0u;
constexpr unsigned preserve_input = 1u << 4u;
constexpr unsigned estimate = 1u << 6u;

struct Library {
  std::string missing;
  PlanComplex complex = nullptr;
  PlanReal real_forward = nullptr, real_backward = nullptr;
  Execute run_complex = nullptr, run_real_forward = nullptr, run_real_backward = nullptr;
  Destroy destroy = nullptr;

  Library(const std::string& file, const std::string& prefix, const std::string& package) {
    LoadedLibrary library(
        file, "transforms need FFTW: " + file + " was not found (Debian: " + package + ")");
    const auto find = [&](auto& function, const char* name) {
      library.find(function, prefix + name);
    };
    find(complex, "_plan_guru64_dft");
    find(real_forward, "_plan_guru64_dft_r2c");
    find(real_backward, "_plan_guru64_dft_c2r");
    find(run_complex, "_execute_dft");
    find(run_real_forward, "_execute_dft_r2c");
    find(run_real_backward, "_execute_dft_c2r");
    find(destroy, "_destroy_plan");
    missing = library.missing();
  }
};

const Library& library(bool in_double) {
  static const Library doubles("libfftw3.so.3", "fftw", "libfftw3-double3");
  static const Library floats("libfftw3f.so.3", "fftwf", "libfftw3-single3");
  return in_double ? doubles : floats;
}

/// Creating and destroying FFTW plans is not thread-safe.
std::mutex& planning() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::string unavailable() {
  for (const bool in_double : {true, false})
    if (const Library& found = library(in_double); !found.missing.empty()) return found.missing;
  return {};
}

Plan::Plan(const TransformBatch& batch, std::int64_t count)
    : plan_(nullptr), in_double_(batch.in_double), kind_(batch.kind) {
  const Library& fftw = library(in_double_);
  if (!fftw.missing.empty()) throw DeviceError("making a transform", fftw.missing);
  const Dimension of_one{batch.length, batch.in.stride, batch.out.stride};
  const Dimension of_all{count, batch.in.distance, batch.out.distance};
  const bool apart = batch.in.data != batch.out.data;
  const std::lock_guard lock(planning());
  switch (kind_) {
    case TransformKind::forward:
    case TransformKind::backward:
      plan_ = fftw.complex(1, &of_one, 1, &of_all, batch.in.data, batch.out.data,
                           kind_ == TransformKind::forward ? -1 : 1,
                           estimate | (apart ? preserve_input : 0u));
      break;
    case TransformKind::real_forward:
      plan_ = fftw.real_forward(1, &of_one, 1, &of_all, batch.in.data, batch.out.data,
                                estimate | preserve_input);
      break;
    case TransformKind::real_backward:
      plan_ = fftw.real_backward(1, &of_one, 1, &of_all, batch.in.data, batch.out.data,
                                 estimate | destroy_input);
      break;
  }
  if (plan_ == nullptr)
    throw DeviceError("making a transform", "FFTW has no plan for " + std::to_string(count) +
                                                " transforms of length " +
                                                std::to_string(batch.length));
}

Plan::~Plan() {
  const std::lock_guard lock(planning());
  library(in_double_).destroy(plan_);
}

void Plan::execute(void* in, void* out) const {
  const Library& fftw = library(in_double_);
  switch (kind_) {
    case TransformKind::forward:
    case TransformKind::backward:
      return fftw.run_complex(plan_, in, out);
    case TransformKind::real_forward:
      return fftw.run_real_forward(plan_, in, out);
    case TransformKind::real_backward:
      return fftw.run_real_backward(plan_, in, out);
  }
}

}  // namespace tessera::fourier_library
