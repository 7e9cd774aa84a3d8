// Counts the transfers between host and device of any CUDA program, with the activity records of
// CUPTI. Command line, in one line, that builds the library:
//
//   g++ -std=c++20 -shared -fPIC -I$CUDA_HOME/include transfer_trace.cpp -o libtransfer_trace.so
//   -lcupti
//
// Command line of a program with the library:
//
//   CUDA_INJECTION64_PATH=$PWD/libtransfer_trace.so tessera run ...
//
// When the program ends, it prints the number of kernels, and a line for each direction and size of
// transfers: bytes of a transfer, and number of transfers.
#include <cupti.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace {

struct Totals {
  std::mutex mutex;
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> copies;  // {(kind, bytes): number}
  std::uint64_t kernels = 0;
};

Totals& totals() {
  static Totals instance;
  return instance;
}

const char* kind_name(int kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "host to device";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "device to host";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "device to device";
    default:
      return "other";
  }
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
  *size = std::size_t{8} << 20;
  *records = 0;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
}

void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid) {
  CUpti_Activity* record = nullptr;
  const std::lock_guard lock(totals().mutex);
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      ++totals().copies[{copy->copyKind, copy->bytes}];
    } else {
      ++totals().kernels;
    }
  }
  std::free(buffer);
}

void print() {
  cuptiActivityFlushAll(1);
  const std::lock_guard lock(totals().mutex);
  std::fprintf(stderr, "transfers of this process, %llu kernels\n",
               static_cast<unsigned long long>(totals().kernels));
  for (const auto& [what, count] : totals().copies)
    std::fprintf(stderr, "  %-18s %12llu bytes  x %llu\n", kind_name(what.first),
                 static_cast<unsigned long long>(what.second),
                 static_cast<unsigned long long>(count));
}

}  // namespace

extern "C" int InitializeInjection() {
  (void)totals();
  cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  std::atexit(print);
  return 1;
}
