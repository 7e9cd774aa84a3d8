#ifndef TESSERA_CORE_HDF5_HDF5_READ_HPP
#define TESSERA_CORE_HDF5_HDF5_READ_HPP

#include "core/base/error.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Reading of HDF5 files from other programs. Missing or wrong contents are an InputError with the
/// file, the path of the object or attribute in it, and the expectation.

namespace tessera::hdf5 {

class Handle;  // hdf5_session.hpp

/// Kind of the elements of a dataset or an attribute; other: not readable by this program.
enum class Element { real, whole, text, other };

/// A group or a dataset. The file stays open as long as one of its objects exists.
class Object {
 public:
  /// The root group of a file. \throws InputError where the file cannot be read, is no HDF5 file or
  /// is truncated; RefusalError without HDF5.
  [[nodiscard]] static Object root_of(const std::filesystem::path& file);

  /// Path in the file, for example "/data/100/particles".
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_dataset() const { return dataset_; }

  /// Sorted names of the members of a group; empty for a dataset.
  [[nodiscard]] std::vector<std::string> members() const;
  [[nodiscard]] bool has(const std::string& member) const;
  /// \throws InputError for an unknown name, with the existing names and the closest one.
  [[nodiscard]] Object member(const std::string& name) const;

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  /// \throws InputError where there is no such attribute.
  [[nodiscard]] Element attribute_element(const std::string& name) const;
  /// A scalar attribute or a one-dimensional array. \throws InputError for other attributes, and
  /// for numbers that are not finite.
  [[nodiscard]] std::vector<double> numbers(const std::string& attribute) const;
  /// A scalar attribute. \throws InputError
  [[nodiscard]] double number(const std::string& attribute) const;
  /// A text of fixed or variable length. \throws InputError
  [[nodiscard]] std::string text(const std::string& attribute) const;

  /// Extents of a dataset. \throws InputError
  [[nodiscard]] std::vector<std::uint64_t> extents() const;
  [[nodiscard]] Element element() const;
  /// All elements of a one-dimensional dataset. Integers and reals with fewer bits convert exactly
  /// to double.
  /// \throws InputError where they have another type, do not fit in memory or cannot be read.
  [[nodiscard]] std::vector<double> reals() const;
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

  /// Error about this object, or about its member or attribute `below`.
  [[nodiscard]] InputError error(const std::string& below, const std::string& value,
                                 const std::string& expected) const;

 private:
  struct OpenFile;
  struct Attribute;
  Object(std::shared_ptr<OpenFile> file, std::string path);

  [[nodiscard]] Attribute attribute(const std::string& name) const;
  [[nodiscard]] std::string path_of(const std::string& below) const;
  /// \param type hid_t of HDF5.
  template <class T>
  [[nodiscard]] std::vector<T> elements(std::int64_t type) const;

  std::shared_ptr<OpenFile> file_;
  std::string path_;
  std::shared_ptr<Handle> handle_;
  bool dataset_ = false;
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_READ_HPP
