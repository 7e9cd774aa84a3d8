// Entry point of libFuzzer for one format, TESSERA_FUZZ_FORMAT. For restart files the input is the
// body of a file, to which a header with valid length and checksum is added: otherwise no code
// after their check would be reached.

#include "tests/campaigns/mutate.hpp"
#include "tests/campaigns/outside_input.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using namespace tessera::campaign;

/// A file in memory, with a path for readers.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("input", 0)) {}

  std::string with(std::string_view contents) {
    if (::ftruncate(descriptor_, 0) != 0) std::abort();
    if (::pwrite(descriptor_, contents.data(), contents.size(), 0) !=
        static_cast<::ssize_t>(contents.size()))
      std::abort();
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  static const Format& format = tessera::campaign::format(TESSERA_FUZZ_FORMAT);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    const bool restart = format.name == "restart";
    static_cast<void>(read_outside_input(format, file.with(restart ? restart_with(input) : input)));
  } catch (const Fault& fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    std::abort();
  }
  return 0;
}
