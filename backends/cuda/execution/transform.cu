#include "backends/cuda/execution/transform.hpp"

#include "backends/cuda/execution/check.hpp"
#include "core/base/loaded_library.hpp"

#if !defined(__HIP__) && __has_include(<cufft.h>)
#include <cufft.h>
#define TESSERA_CUFFT_HEADERS
#endif

namespace tessera::cuda {

#if !defined(TESSERA_CUFFT_HEADERS)

std::string transforms_unavailable() {
#if defined(__HIP__)
  return "transforms on HIP are not supported";
#else
  return "transforms need cuFFT: this program was built without its header, cufft.h of the CUDA "
         "toolkit";
#endif
}
std::unique_ptr<Transform> make_transform(int, Stream, const TransformBatch&) {
  throw DeviceError("making a transform", transforms_unavailable());
}

#else

namespace {

/// cuFFT's functions (cuFFT library user's guide, "cuFFT API Reference") with the signatures of its
/// header, found when the library is loaded.
struct Library {
  std::string missing;
  decltype(&cufftGetVersion) version = nullptr;
  decltype(&cufftCreate) create = nullptr;
  decltype(&cufftDestroy) destroy = nullptr;
  decltype(&cufftMakePlanMany64) make = nullptr;
  decltype(&cufftSetStream) set_stream = nullptr;
  decltype(&cufftExecC2C) complex_float = nullptr;
  decltype(&cufftExecZ2Z) complex_double = nullptr;
  decltype(&cufftExecR2C) forward_float = nullptr;
  decltype(&cufftExecD2Z) forward_double = nullptr;
  decltype(&cufftExecC2R) backward_float = nullptr;
  decltype(&cufftExecZ2D) backward_double = nullptr;

  Library() {
    const std::string file = "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
    LoadedLibrary library(file, "transforms need cuFFT: " + file +
                                    " was not found; it is part of the CUDA toolkit, put its "
                                    "folder into LD_LIBRARY_PATH");
    library.find(version, "cufftGetVersion");
    library.find(create, "cufftCreate");
    library.find(destroy, "cufftDestroy");
    library.find(make, "cufftMakePlanMany64");
    library.find(set_stream, "cufftSetStream");
    library.find(complex_float, "cufftExecC2C");
    library.find(complex_double, "cufftExecZ2Z");
    library.find(forward_float, "cufftExecR2C");
    library.find(forward_double, "cufftExecD2Z");
    library.find(backward_float, "cufftExecC2R");
    library.find(backward_double, "cufftExecZ2D");
    missing = library.missing();
    if (missing.empty()) missing = other_version(file);
  }

  /// Reason why the version of the library cannot be used; empty when it can.
  [[nodiscard]] std::string other_version(const std::string& file) const {
    int found = 0;
    if (version(&found) != CUFFT_SUCCESS) return file + " does not give its version";
    if (found / 1000 == CUFFT_VER_MAJOR) return {};
    return "transforms need cuFFT: " + file + " is version " + text_of(found) +
           ", but this program was built with the header of " + text_of(CUFFT_VERSION);
  }
  static std::string text_of(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
           std::to_string(version % 100);
  }
};

const Library& library() {
  static const Library cufft;
  return cufft;
}

void check_transform(cufftResult code, const char* what) {
  if (code == CUFFT_SUCCESS) return;
  throw DeviceError(what, "cuFFT gave the error " + std::to_string(code) +
                              (code == CUFFT_ALLOC_FAILED ? ", which is a lack of memory" : ""));
}

cufftType type_of(const TransformBatch& batch) {
  switch (batch.kind) {
    case TransformKind::forward:
    case TransformKind::backward:
      break;
    case TransformKind::real_forward:
      return batch.in_double ? CUFFT_D2Z : CUFFT_R2C;
    case TransformKind::real_backward:
      return batch.in_double ? CUFFT_Z2D : CUFFT_C2R;
  }
  return batch.in_double ? CUFFT_Z2Z : CUFFT_C2C;
}

class GpuTransform final : public Transform {
 public:
  GpuTransform(int ordinal, Stream stream, const TransformBatch& batch)
      : ordinal_(ordinal), batch_(batch) {
    if (!library().missing.empty()) throw DeviceError("making a transform", library().missing);
    const CurrentDevice current(ordinal);
    check_transform(library().create(&plan_), "making a transform");
    try {
      long long n = batch.length;
      long long in_extent = n;  // in one dimension cuFFT uses the distances, not the extents
      long long out_extent = n;
      std::size_t work = 0;
      check_transform(
          library().make(plan_, 1, &n, &in_extent, batch.in.stride, batch.in.distance, &out_extent,
                         batch.out.stride, batch.out.distance, type_of(batch), batch.count, &work),
          "making a transform");
      check_transform(library().set_stream(plan_, static_cast<gpu::NativeStream>(stream.handle)),
                      "setting the queue of a transform");
    } catch (...) {
      library().destroy(plan_);
      throw;
    }
  }
  ~GpuTransform() override {
    int former = 0;
    if (gpu::get_device(&former) != gpu::success) return;
    gpu::set_device(ordinal_);
    library().destroy(plan_);
    gpu::set_device(former);
  }

  void execute() override {
    const CurrentDevice current(ordinal_);
    check_transform(batch_.in_double ? run_double() : run_float(), "transform");
  }

 private:
  template <class T>
  [[nodiscard]] T* in() const {
    return static_cast<T*>(batch_.in.data);
  }
  template <class T>
  [[nodiscard]] T* out() const {
    return static_cast<T*>(batch_.out.data);
  }

  [[nodiscard]] cufftResult run_float() const {
    switch (batch_.kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        break;
      case TransformKind::real_forward:
        return library().forward_float(plan_, in<cufftReal>(), out<cufftComplex>());
      case TransformKind::real_backward:
        return library().backward_float(plan_, in<cufftComplex>(), out<cufftReal>());
    }
    return library().complex_float(plan_, in<cufftComplex>(), out<cufftComplex>(), direction());
  }
  [[nodiscard]] cufftResult run_double() const {
    switch (batch_.kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        break;
      case TransformKind::real_forward:
        return library().forward_double(plan_, in<cufftDoubleReal>(), out<cufftDoubleComplex>());
      case TransformKind::real_backward:
        return library().backward_double(plan_, in<cufftDoubleComplex>(), out<cufftDoubleReal>());
    }
    return library().complex_double(plan_, in<cufftDoubleComplex>(), out<cufftDoubleComplex>(),
                                    direction());
  }
  [[nodiscard]] int direction() const {
    return batch_.kind == TransformKind::forward ? CUFFT_FORWARD : CUFFT_INVERSE;
  }

  int ordinal_;
  TransformBatch batch_;
  cufftHandle plan_ = 0;
};

}  // namespace

std::string transforms_unavailable() {
  return library().missing;
}

std::unique_ptr<Transform> make_transform(int ordinal, Stream stream, const TransformBatch& batch) {
  return std::make_unique<GpuTransform>(ordinal, stream, batch);
}

#endif

}  // namespace tessera::cuda
