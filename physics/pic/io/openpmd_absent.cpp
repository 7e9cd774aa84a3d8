#include "core/base/error.hpp"
#include "core/hdf5/hdf5_library.hpp"
#include "physics/pic/io/openpmd_read.hpp"
#include "physics/pic/io/openpmd_write.hpp"

/// \file
/// Compiled instead of openpmd_read.cpp and openpmd_write.cpp if the build found no headers of HDF5
/// (cmake/loaded_libraries.cmake).

namespace tessera::pic {
namespace {

[[noreturn]] void refuse() {
  throw RefusalError("openPMD input and output", hdf5::library().missing());
}

}  // namespace

BunchFromFile read_openpmd(const std::filesystem::path&, const OpenPmdQuery&) {
  refuse();
}

template <class Storage>
std::filesystem::path write_openpmd(const std::filesystem::path&, const OpenPmdOutput<Storage>&) {
  refuse();
}
template std::filesystem::path write_openpmd(const std::filesystem::path&,
                                             const OpenPmdOutput<double>&);
template std::filesystem::path write_openpmd(const std::filesystem::path&,
                                             const OpenPmdOutput<float>&);

}  // namespace tessera::pic
