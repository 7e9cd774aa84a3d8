#ifndef TESSERA_CORE_HDF5_HDF5_READ_HPP
#define TESSERA_CORE_HDF5_HDF5_READ_HPP

#include "core/base/error.hpp"
#include "core/hdf5/hdf5_session.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

/// \file
/// HDF5 files that somebody else wrote. Whatever a file lacks is an InputError that names the file,
/// the path of the object or attribute in it, and what was expected.

namespace tessera::hdf5 {

/// What elements are, where this program can read them.
enum class Element { real, whole, text, other };

/// A group or a dataset of a file that is open for as long as one of its objects is.
class Object {
 public:
  /// The root of a file. \throws InputError where it cannot be read, is no HDF5 or is cut off;
  /// RefusalError without HDF5.
  [[nodiscard]] static Object root_of(const std::filesystem::path& file);

  /// Its place in the file, as in "/data/100/particles".
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_dataset() const { return dataset_; }

  /// Names of what a group holds, sorted; nothing of a dataset.
  [[nodiscard]] std::vector<std::string> members() const;
  [[nodiscard]] bool has(const std::string& member) const;
  /// \throws InputError that names those that there are, and the nearest of them.
  [[nodiscard]] Object member(const std::string& name) const;

  [[nodiscard]] bool has_attribute(const std::string& name) const;
  /// \throws InputError where there is none.
  [[nodiscard]] Element attribute_element(const std::string& name) const;
  /// One number, or an array of them in one dimension. \throws InputError for anything else, and
  /// where one is not finite.
  [[nodiscard]] std::vector<double> numbers(const std::string& attribute) const;
  /// Exactly one. \throws InputError
  [[nodiscard]] double number(const std::string& attribute) const;
  /// Of fixed or variable length. \throws InputError
  [[nodiscard]] std::string text(const std::string& attribute) const;

  /// Of a dataset. \throws InputError
  [[nodiscard]] std::vector<std::uint64_t> extents() const;
  [[nodiscard]] Element element() const;
  /// All elements of a dataset in one dimension. Numbers of fewer bits are exact in double.
  /// \throws InputError where they are of another kind, do not fit in memory or cannot be read.
  [[nodiscard]] std::vector<double> reals() const;
  [[nodiscard]] std::vector<std::uint64_t> counts() const;

  /// An error at this object, or at `below` in it.
  [[nodiscard]] InputError error(const std::string& below, const std::string& value,
                                 const std::string& expected) const;

 private:
  struct OpenFile;
  struct Attribute;
  Object(std::shared_ptr<OpenFile> file, std::string path);

  [[nodiscard]] Attribute attribute(const std::string& name) const;
  [[nodiscard]] std::string path_of(const std::string& below) const;
  template <class T>
  [[nodiscard]] std::vector<T> elements(Id type) const;

  std::shared_ptr<OpenFile> file_;
  std::string path_;
  std::shared_ptr<Handle> handle_;
  bool dataset_ = false;
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_READ_HPP
