#ifndef TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
#define TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP

#include "core/hdf5/hdf5_functions.hpp"

#include <span>
#include <string>

/// \file
/// HDF5 as a library that may not be there.

namespace tessera {
class LoadedLibrary;
}

namespace tessera::hdf5 {

/// The first of some files that is there; stays loaded until the process ends.
class Library {
 public:
  explicit Library(std::span<const char* const> files);

  /// Why it cannot be used, empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// As in "1.10.8", empty where it cannot be used.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// \throws RefusalError
  [[nodiscard]] const Functions& functions() const;

 private:
  void find_functions(LoadedLibrary& library);
  void start(LoadedLibrary& library);

  Functions functions_{};
  std::string file_, version_, missing_;
};

/// That of this process, loaded when it is first asked for.
[[nodiscard]] const Library& library();

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
