#include "backends/cuda/execution/transform.hpp"

#include "backends/cuda/execution/check.hpp"
#include "core/base/loaded_library.hpp"

namespace tessera::cuda {

#if defined(__HIP__)

std::string transforms_unavailable() {
  return "transforms on HIP are not supported";
}
std::unique_ptr<Transform> make_transform(int, Stream, const TransformBatch&) {
  throw DeviceError("making a transform", transforms_unavailable());
}

#else

namespace {

// The part of cuFFT's interface that is used (cuFFT library user's guide, "cuFFT API Reference").
constexpr int success = 0;
constexpr int complex_float = 0x29, real_to_complex_float = 0x2a, complex_to_real_float = 0x2c;
constexpr int complex_double = 0x69, real_to_complex_double = 0x6a, complex_to_real_double = 0x6c;
using Handle = int;

struct Library {
  std::string missing;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*make)(Handle, int rank, long long* n, long long* in_extents, long long in_stride,
              long long in_distance, long long* out_extents, long long out_stride,
              long long out_distance, int type, long long batch, std::size_t* work) = nullptr;
  int (*set_stream)(Handle, gpu::NativeStream) = nullptr;
  int (*run_complex[2])(Handle, void*, void*, int) = {};
  int (*run_real_forward[2])(Handle, void*, void*) = {};
  int (*run_real_backward[2])(Handle, void*, void*) = {};

  Library() {
    // cuFFT 12 is part of CUDA 13, cuFFT 11 of CUDA 12, cuFFT 10 of CUDA 11.
    const std::string file = "libcufft.so." + std::to_string(CUDART_VERSION / 1000 - 1);
    LoadedLibrary library(file, "transforms need cuFFT: " + file +
                                    " was not found; it is part of the CUDA toolkit, put its "
                                    "folder into LD_LIBRARY_PATH");
    library.find(create, "cufftCreate");
    library.find(destroy, "cufftDestroy");
    library.find(make, "cufftMakePlanMany64");
    library.find(set_stream, "cufftSetStream");
    library.find(run_complex[0], "cufftExecC2C");
    library.find(run_complex[1], "cufftExecZ2Z");
    library.find(run_real_forward[0], "cufftExecR2C");
    library.find(run_real_forward[1], "cufftExecD2Z");
    library.find(run_real_backward[0], "cufftExecC2R");
    library.find(run_real_backward[1], "cufftExecZ2D");
    missing = library.missing();
  }
};

const Library& library() {
  static const Library cufft;
  return cufft;
}

void check_transform(int code, const char* what) {
  if (code == success) return;
  throw DeviceError(what, "cuFFT gave the error " + std::to_string(code) +
                              (code == 2 ? ", which is a lack of memory" : ""));
}

int type_of(const TransformBatch& batch) {
  switch (batch.kind) {
    case TransformKind::forward:
    case TransformKind::backward:
      break;
    case TransformKind::real_forward:
      return batch.in_double ? real_to_complex_double : real_to_complex_float;
    case TransformKind::real_backward:
      return batch.in_double ? complex_to_real_double : complex_to_real_float;
  }
  return batch.in_double ? complex_double : complex_float;
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
    const int d = batch_.in_double ? 1 : 0;
    void* const in = batch_.in.data;
    void* const out = batch_.out.data;
    switch (batch_.kind) {
      case TransformKind::forward:
        return check_transform(library().run_complex[d](plan_, in, out, -1), "transform");
      case TransformKind::backward:
        return check_transform(library().run_complex[d](plan_, in, out, 1), "transform");
      case TransformKind::real_forward:
        return check_transform(library().run_real_forward[d](plan_, in, out), "transform");
      case TransformKind::real_backward:
        return check_transform(library().run_real_backward[d](plan_, in, out), "transform");
    }
  }

 private:
  int ordinal_;
  TransformBatch batch_;
  Handle plan_ = 0;
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
