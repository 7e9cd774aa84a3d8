#include "core/execution/fourier_library.hpp"

#include "core/base/error.hpp"

#if defined(TESSERA_FFTW_HEADERS)

#include "core/base/loaded_library.hpp"

#include <fftw3.h>

#include <cstddef>
#include <mutex>

/// \file
/// FFTW's interface (FFTW 3.3.10 manual, "Guru Interface" and "New-array Execute Functions") as its
/// header declares it, for functions that are found when the library is loaded. The number in the
/// name of the library is that of the interface; the header has no version to compare with.

namespace tessera::fourier_library {
namespace {

/// \param p fftw or fftwf, the prefix of the functions of a precision.
#define TESSERA_FFTW(p)                                         \
  struct p##_functions {                                        \
    using Complex = p##_complex;                                \
    using Handle = p##_plan;                                    \
    using Dimension = p##_iodim64;                              \
    decltype(&p##_plan_guru64_dft) plan_complex = nullptr;      \
    decltype(&p##_plan_guru64_dft_r2c) plan_forward = nullptr;  \
    decltype(&p##_plan_guru64_dft_c2r) plan_backward = nullptr; \
    decltype(&p##_execute_dft) execute_complex = nullptr;       \
    decltype(&p##_execute_dft_r2c) execute_forward = nullptr;   \
    decltype(&p##_execute_dft_c2r) execute_backward = nullptr;  \
    decltype(&p##_destroy_plan) destroy = nullptr;              \
    decltype(&p##_version) version = nullptr;                   \
                                                                \
    void find_in(LoadedLibrary& library) {                      \
      library.find(plan_complex, #p "_plan_guru64_dft");        \
      library.find(plan_forward, #p "_plan_guru64_dft_r2c");    \
      library.find(plan_backward, #p "_plan_guru64_dft_c2r");   \
      library.find(execute_complex, #p "_execute_dft");         \
      library.find(execute_forward, #p "_execute_dft_r2c");     \
      library.find(execute_backward, #p "_execute_dft_c2r");    \
      library.find(destroy, #p "_destroy_plan");                \
      library.find(version, #p "_version");                     \
    }                                                           \
  }
TESSERA_FFTW(fftw);
TESSERA_FFTW(fftwf);
#undef TESSERA_FFTW

/// Creating and destroying FFTW plans is not thread-safe.
std::mutex& planning() {
  static std::mutex mutex;
  return mutex;
}

template <class Real, class Functions>
class Library {
 public:
  Library(const std::string& file, const std::string& package) {
    LoadedLibrary library(
        file, "transforms need FFTW: " + file + " was not found (Debian: " + package + ")");
    f_.find_in(library);
    missing_ = library.missing();
  }

  [[nodiscard]] const std::string& missing() const { return missing_; }
  [[nodiscard]] std::string version() const { return missing_.empty() ? *f_.version : ""; }

  [[nodiscard]] void* make(const TransformBatch& batch, std::int64_t count) const {
    if (!missing_.empty()) throw DeviceError("making a transform", missing_);
    const typename Functions::Dimension of_one{batch.length, batch.in.stride, batch.out.stride};
    const typename Functions::Dimension of_all{count, batch.in.distance, batch.out.distance};
    const bool apart = batch.in.data != batch.out.data;
    const std::lock_guard lock(planning());
    switch (batch.kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        return f_.plan_complex(1, &of_one, 1, &of_all, complex(batch.in.data),
                               complex(batch.out.data),
                               batch.kind == TransformKind::forward ? FFTW_FORWARD : FFTW_BACKWARD,
                               FFTW_ESTIMATE | (apart ? FFTW_PRESERVE_INPUT : 0u));
      case TransformKind::real_forward:
        return f_.plan_forward(1, &of_one, 1, &of_all, real(batch.in.data), complex(batch.out.data),
                               FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
      case TransformKind::real_backward:
        return f_.plan_backward(1, &of_one, 1, &of_all, complex(batch.in.data),
                                real(batch.out.data), FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    }
    return nullptr;
  }

  void execute(void* plan, TransformKind kind, void* in, void* out) const {
    const auto handle = static_cast<typename Functions::Handle>(plan);
    switch (kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        return f_.execute_complex(handle, complex(in), complex(out));
      case TransformKind::real_forward:
        return f_.execute_forward(handle, real(in), complex(out));
      case TransformKind::real_backward:
        return f_.execute_backward(handle, complex(in), real(out));
    }
  }

  void destroy(void* plan) const {
    const std::lock_guard lock(planning());
    f_.destroy(static_cast<typename Functions::Handle>(plan));
  }

 private:
  static typename Functions::Complex* complex(void* data) {
    return static_cast<typename Functions::Complex*>(data);
  }
  static Real* real(void* data) { return static_cast<Real*>(data); }

  Functions f_;
  std::string missing_;
};

const auto& doubles() {
  static const Library<double, fftw_functions> library("libfftw3.so.3", "libfftw3-double3");
  return library;
}
const auto& floats() {
  static const Library<float, fftwf_functions> library("libfftw3f.so.3", "libfftw3-single3");
  return library;
}

}  // namespace

std::string unavailable() {
  return doubles().missing().empty() ? floats().missing() : doubles().missing();
}

std::string version() {
  return doubles().version();
}

Plan::Plan(const TransformBatch& batch, std::int64_t count)
    : plan_(batch.in_double ? doubles().make(batch, count) : floats().make(batch, count)),
      in_double_(batch.in_double),
      kind_(batch.kind) {
  if (plan_ == nullptr)
    throw DeviceError("making a transform", "FFTW has no plan for " + std::to_string(count) +
                                                " transforms of length " +
                                                std::to_string(batch.length));
}

Plan::~Plan() {
  in_double_ ? doubles().destroy(plan_) : floats().destroy(plan_);
}

void Plan::execute(void* in, void* out) const {
  in_double_ ? doubles().execute(plan_, kind_, in, out) : floats().execute(plan_, kind_, in, out);
}

}  // namespace tessera::fourier_library

#else

namespace tessera::fourier_library {

std::string unavailable() {
  return "transforms need FFTW: this program was built without its header (Debian: libfftw3-dev)";
}

std::string version() {
  return {};
}

Plan::Plan(const TransformBatch& batch, std::int64_t)
    : plan_(nullptr), in_double_(batch.in_double), kind_(batch.kind) {
  throw DeviceError("making a transform", unavailable());
}
Plan::~Plan() = default;
void Plan::execute(void*, void*) const {}

}  // namespace tessera::fourier_library

#endif
