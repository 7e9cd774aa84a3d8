#ifndef TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
#define TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP

#include <memory>
#include <span>
#include <string>

/// \file
/// HDF5 as an optional library.

namespace tessera {
class LoadedLibrary;
}

namespace tessera::hdf5 {

struct Functions;  // hdf5_functions.hpp

/// The first of `files` that can be loaded; it stays loaded until the process ends. Its major and
/// minor version have to be those of the headers that the build used.
class Library {
 public:
  explicit Library(std::span<const char* const> files);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Reason why the library cannot be used; empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }
  /// For example "1.10.8"; empty where the library cannot be used.
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  /// \throws RefusalError
  [[nodiscard]] const Functions& functions() const;

 private:
  void start(LoadedLibrary& library);

  std::unique_ptr<Functions> functions_;
  std::string file_, version_, missing_;
};

/// The library of this process, loaded on first use.
[[nodiscard]] const Library& library();

/// Functions of the library of this process. \throws RefusalError where HDF5 cannot be used.
const Functions& functions();

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_LIBRARY_HPP
