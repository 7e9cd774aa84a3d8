#ifndef TESSERA_CORE_HDF5_HDF5_WRITE_HPP
#define TESSERA_CORE_HDF5_HDF5_WRITE_HPP

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// \file
/// HDF5 files that are written atomically: a part file beside the final path
/// (core/base/atomic_file.hpp) is moved into place when it is complete and on the storage device.

namespace tessera::hdf5 {

class Handle;  // hdf5_session.hpp

/// A group or a dataset that is being written. It must not be used after the commit of its file.
class NewObject {
 public:
  /// Adds a group. Names of members have to be unique.
  /// \throws FileError here and below where the library or the system refuses.
  [[nodiscard]] NewObject group(const std::string& name) const;
  /// Adds a dataset with elements in row-major order. Nothing is written where there are no
  /// elements.
  [[nodiscard]] NewObject dataset(const std::string& name,
                                  const std::vector<std::uint64_t>& extents,
                                  const double* elements) const;
  [[nodiscard]] NewObject dataset(const std::string& name,
                                  const std::vector<std::uint64_t>& extents,
                                  const float* elements) const;
  [[nodiscard]] NewObject dataset(const std::string& name,
                                  const std::vector<std::uint64_t>& extents,
                                  const std::uint64_t* elements) const;

  void attribute(const std::string& name, double value) const;
  void attribute(const std::string& name, float value) const;
  void attribute(const std::string& name, std::uint32_t value) const;
  void attribute(const std::string& name, std::uint64_t value) const;
  void attribute(const std::string& name, const std::string& value) const;
  void attribute(const std::string& name, const char* value) const {
    attribute(name, std::string(value));
  }
  void attribute(const std::string& name, const std::vector<double>& values) const;
  void attribute(const std::string& name, const std::vector<std::uint64_t>& values) const;
  /// All texts get the length of the longest one, padded with zero bytes.
  void attribute(const std::string& name, const std::vector<std::string>& values) const;

 private:
  friend class NewFile;
  NewObject(const std::string* file, std::string path, Handle handle);

  /// Reports that writing `name` failed. \throws FileError
  [[noreturn]] void fail(const std::string& name) const;
  /// \param type hid_t of HDF5, here and below.
  [[nodiscard]] NewObject dataset(const std::string& name, std::int64_t type,
                                  const std::vector<std::uint64_t>& extents,
                                  const void* elements) const;
  void attribute(const std::string& name, std::int64_t type, std::int64_t count,
                 const void* values) const;

  const std::string* file_;
  std::string path_;
  std::shared_ptr<Handle> handle_;
};

class NewFile {
 public:
  /// \throws FileError; RefusalError without HDF5.
  explicit NewFile(const std::filesystem::path& path);
  ~NewFile();

  [[nodiscard]] NewObject root() const;
  /// \throws FileError
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_WRITE_HPP
