#ifndef TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
#define TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP

#include "core/hdf5/hdf5_functions.hpp"

#include <span>
#include <string>

/// \file
/// HDF5 as an optional library.

namespace tessera {
class LoadedLibrary;
}

namespace tessera::hdf5 {

/// The first file of a list that exists as a library; stays loaded until the process ends.
class Library {
 public:
  explicit Library(std::span<const char* const> files);

  /// Reason why the library cannot be used; empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// For example "1.10.8"; empty where the library cannot be used.
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

/// The library of this process, loaded on first use.
[[nodiscard]] const Library& library();

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
