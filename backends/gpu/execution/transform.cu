#include "backends/gpu/execution/transform.hpp"

#include "backends/gpu/execution/check.hpp"
#include "core/base/loaded_library.hpp"

// The libraries of the two runtimes have the same functions.
#if defined(__HIP__)
#if __has_include(<hipfft/hipfft.h>)
#include <hipfft/hipfft.h>
#define TESSERA_FFT(symbol) hipfft##symbol
#define TESSERA_FFT_VALUE(symbol) HIPFFT_##symbol
#endif
#elif __has_include(<cufft.h>)
#include <cufft.h>
#define TESSERA_FFT(symbol) cufft##symbol
#define TESSERA_FFT_VALUE(symbol) CUFFT_##symbol
#endif

namespace tessera::gpu {

#if !defined(TESSERA_FFT)

std::string transforms_unavailable() {
#if defined(__HIP__)
  return "transforms need hipFFT: this program was built without its header, hipfft/hipfft.h of "
         "ROCm";
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

/// Functions of cuFFT (cuFFT library user's guide, "cuFFT API Reference") or hipFFT with the
/// signatures of its header, found when the library is loaded.
struct Library {
#if defined(__HIP__)
  static constexpr const char* name = "hipFFT";
  static constexpr const char* toolkit = "ROCm";
  static std::string file() {
    return "libhipfft.so.0";
  }
#define TESSERA_FFT_NAME(symbol) "hipfft" symbol
#else
  static constexpr const char* name = "cuFFT";
  static constexpr const char* toolkit = "the CUDA toolkit";
  static std::string file() {
    return "libcufft.so." + std::to_string(CUFFT_VER_MAJOR);
  }
#define TESSERA_FFT_NAME(symbol) "cufft" symbol
#endif

  std::string missing;
  decltype(&TESSERA_FFT(GetVersion)) version = nullptr;
  decltype(&TESSERA_FFT(Create)) create = nullptr;
  decltype(&TESSERA_FFT(Destroy)) destroy = nullptr;
  decltype(&TESSERA_FFT(MakePlanMany64)) make = nullptr;
  decltype(&TESSERA_FFT(SetStream)) set_stream = nullptr;
  decltype(&TESSERA_FFT(ExecC2C)) complex_float = nullptr;
  decltype(&TESSERA_FFT(ExecZ2Z)) complex_double = nullptr;
  decltype(&TESSERA_FFT(ExecR2C)) forward_float = nullptr;
  decltype(&TESSERA_FFT(ExecD2Z)) forward_double = nullptr;
  decltype(&TESSERA_FFT(ExecC2R)) backward_float = nullptr;
  decltype(&TESSERA_FFT(ExecZ2D)) backward_double = nullptr;

  Library() {
    const std::string need = std::string("transforms need ") + name + ": ";
    LoadedLibrary library(file(), need + file() + " was not found; it is part of " + toolkit +
                                      ", put its folder into LD_LIBRARY_PATH");
    library.find(version, TESSERA_FFT_NAME("GetVersion"));
    library.find(create, TESSERA_FFT_NAME("Create"));
    library.find(destroy, TESSERA_FFT_NAME("Destroy"));
    library.find(make, TESSERA_FFT_NAME("MakePlanMany64"));
    library.find(set_stream, TESSERA_FFT_NAME("SetStream"));
    library.find(complex_float, TESSERA_FFT_NAME("ExecC2C"));
    library.find(complex_double, TESSERA_FFT_NAME("ExecZ2Z"));
    library.find(forward_float, TESSERA_FFT_NAME("ExecR2C"));
    library.find(forward_double, TESSERA_FFT_NAME("ExecD2Z"));
    library.find(backward_float, TESSERA_FFT_NAME("ExecC2R"));
    library.find(backward_double, TESSERA_FFT_NAME("ExecZ2D"));
    missing = library.missing();
#if !defined(__HIP__)
    if (missing.empty()) missing = other_version(need);
#endif
  }

#if !defined(__HIP__)
  /// Reason why the version of the library cannot be used; empty when it can.
  [[nodiscard]] std::string other_version(const std::string& need) const {
    int found = 0;
    if (version(&found) != CUFFT_SUCCESS) return need + file() + " does not give its version";
    if (found / 1000 == CUFFT_VER_MAJOR) return {};
    return need + file() + " is version " + text_of(found) +
           ", but this program was built with the header of " + text_of(CUFFT_VERSION);
  }
  static std::string text_of(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version / 100 % 10) + "." +
           std::to_string(version % 100);
  }
#endif
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

void check_transform(TESSERA_FFT(Result) code, const char* what) {
  if (code == TESSERA_FFT_VALUE(SUCCESS)) return;
  throw DeviceError(
      what, std::string(Library::name) + " gave the error " + std::to_string(code) +
                (code == TESSERA_FFT_VALUE(ALLOC_FAILED) ? ", which is a lack of memory" : ""));
}

TESSERA_FFT(Type) type_of(const TransformBatch& batch) {
  switch (batch.kind) {
    case TransformKind::forward:
    case TransformKind::backward:
      break;
    case TransformKind::real_forward:
      return batch.in_double ? TESSERA_FFT_VALUE(D2Z) : TESSERA_FFT_VALUE(R2C);
    case TransformKind::real_backward:
      return batch.in_double ? TESSERA_FFT_VALUE(Z2D) : TESSERA_FFT_VALUE(C2R);
  }
  return batch.in_double ? TESSERA_FFT_VALUE(Z2Z) : TESSERA_FFT_VALUE(C2C);
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
      long long in_extent = n;  // in one dimension the library uses the distances, not the extents
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
    if (runtime::get_device(&former) != runtime::success) return;
    (void)runtime::set_device(ordinal_);
    library().destroy(plan_);
    (void)runtime::set_device(former);
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

  [[nodiscard]] TESSERA_FFT(Result) run_float() const {
    switch (batch_.kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        break;
      case TransformKind::real_forward:
        return library().forward_float(plan_, in<TESSERA_FFT(Real)>(), out<TESSERA_FFT(Complex)>());
      case TransformKind::real_backward:
        return library().backward_float(plan_, in<TESSERA_FFT(Complex)>(),
                                        out<TESSERA_FFT(Real)>());
    }
    return library().complex_float(plan_, in<TESSERA_FFT(Complex)>(), out<TESSERA_FFT(Complex)>(),
                                   direction());
  }
  [[nodiscard]] TESSERA_FFT(Result) run_double() const {
    switch (batch_.kind) {
      case TransformKind::forward:
      case TransformKind::backward:
        break;
      case TransformKind::real_forward:
        return library().forward_double(plan_, in<TESSERA_FFT(DoubleReal)>(),
                                        out<TESSERA_FFT(DoubleComplex)>());
      case TransformKind::real_backward:
        return library().backward_double(plan_, in<TESSERA_FFT(DoubleComplex)>(),
                                         out<TESSERA_FFT(DoubleReal)>());
    }
    return library().complex_double(plan_, in<TESSERA_FFT(DoubleComplex)>(),
                                    out<TESSERA_FFT(DoubleComplex)>(), direction());
  }
  [[nodiscard]] int direction() const {
#if defined(__HIP__)
    constexpr int inverse = HIPFFT_BACKWARD;
#else
    constexpr int inverse = CUFFT_INVERSE;
#endif
    return batch_.kind == TransformKind::forward ? TESSERA_FFT_VALUE(FORWARD) : inverse;
  }

  int ordinal_;
  TransformBatch batch_;
  TESSERA_FFT(Handle) plan_ = {};
};

}  // namespace

std::string transforms_unavailable() {
  return library().missing;
}

std::unique_ptr<Transform> make_transform(int ordinal, Stream stream, const TransformBatch& batch) {
  return std::make_unique<GpuTransform>(ordinal, stream, batch);
}

#endif

}  // namespace tessera::gpu
