#ifndef TESSERA_CORE_STATE_RESTART_FILE_HPP
#define TESSERA_CORE_STATE_RESTART_FILE_HPP

#include "core/base/error.hpp"
#include "core/state/columns.hpp"
#include "core/state/element_type.hpp"
#include "core/state/restart_scalars.hpp"
#include "core/state/step_clock.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Files from which a run continues bitwise identically: named fields of numbers or text, without
/// any knowledge of physics.

namespace tessera {

/// Contents of a restart file. A field has rows x components elements of one type; a single value
/// is a field with one row.
///
/// Layout, in the byte order of the writer: the 8 bytes "TESSRST\n", u32 0x01020304 to detect the
/// byte order, u32 version, u64 length of the body, u32 CRC-32 of the body, u32 zero; then for each
/// field u64 length of its name and the name, u64 element type, u64 rows, u64 components, the
/// elements. The file is written atomically.
class RestartFile {
 public:
  static constexpr std::uint32_t version = 3;
  /// The first bytes of a restart file.
  static constexpr std::string_view magic{"TESSRST\n", 8};

  /// An empty file, to be filled and written.
  RestartFile() = default;
  /// \throws InputError with file and field when the file is missing or no restart file, was
  /// written by another version or with another byte order, is truncated or damaged.
  [[nodiscard]] static RestartFile read(const std::filesystem::path& path);
  /// \throws FileError
  void write(const std::filesystem::path& path) const;

  /// Adds a field. \throws ArgumentError when the name is taken.
  template <class T>
  void put(const std::string& name, std::span<const T> values, int components = 1) {
    put_bytes(name, element_type_of<T>, static_cast<std::int64_t>(values.size()) / components,
              components, values.data());
  }
  template <class T>
  void put(const std::string& name, const T& value) {
    put(name, std::span<const T>(&value, 1));
  }
  void put_text(const std::string& name, std::string_view text) {
    put(name, std::span<const char>(text));
  }
  void put_bytes(const std::string& name, ElementType type, std::int64_t rows, int components,
                 const void* elements);

  [[nodiscard]] bool has(const std::string& name) const { return find(name) != nullptr; }

  /// All elements of a field; converts between float32 and float64.
  /// \param rows expected number of rows, -1 for any.
  /// \throws InputError with file and field when the field is missing, has another type or shape,
  /// or contains a number that is not finite.
  template <class T>
  [[nodiscard]] std::vector<T> get(const std::string& name, std::int64_t rows = -1,
                                   int components = 1) const {
    const Field& field = expect(name, element_type_of<T>, rows, components);
    std::vector<T> values(field.bytes.size() / size_of(field.type));
    convert(field, element_type_of<T>, values.data());
    return values;
  }
  template <class T>
  [[nodiscard]] T value(const std::string& name) const {
    return get<T>(name, 1).front();
  }
  [[nodiscard]] std::string text(const std::string& name) const;

  /// An error about a field of this file.
  [[nodiscard]] InputError error(const std::string& name, const std::string& expected,
                                 const std::string& value = {}) const {
    return {{file_, 0, name, value}, expected};
  }

  /// Names of the numeric fields with this number of rows that no call has read yet. Leaves out
  /// names with a dot ("run.identity"), which are no columns.
  [[nodiscard]] std::vector<std::string> columns_not_taken(std::int64_t rows) const;
  [[nodiscard]] const std::string& path() const { return file_; }

 private:
  friend void load(const RestartFile& file, Columns& columns);
  friend RestartScalars load_scalars(const RestartFile& file);

  struct Field {
    std::string name;
    ElementType type = ElementType::float64;
    std::int64_t rows = 0;
    int components = 1;
    std::string bytes;
    mutable bool taken = false;
  };

  [[nodiscard]] const Field* find(const std::string& name) const;
  [[nodiscard]] const Field& expect(const std::string& name, ElementType type, std::int64_t rows,
                                    int components) const;
  void convert(const Field& field, ElementType to, void* elements) const;

  std::string file_;
  std::vector<Field> fields_;
};

/// Saves every column that was declared as saved, under its name.
void save(const Columns& columns, RestartFile& file);
/// Fills the saved columns for which the file has a field; leaves the others unchanged.
/// \throws InputError when a field has another type or shape.
void load(const RestartFile& file, Columns& columns);

void save(const StepClock& clock, RestartFile& file);
/// \throws InputError for a negative step or origin, and for a time that is not finite.
[[nodiscard]] StepClock load_clock(const RestartFile& file);

/// Saves the numbers under "scalar.<name>", to avoid collisions with other fields.
void save(const RestartScalars& scalars, RestartFile& file);
[[nodiscard]] RestartScalars load_scalars(const RestartFile& file);

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_RESTART_FILE_HPP
