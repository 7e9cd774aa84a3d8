#ifndef TESSERA_CORE_STATE_COLUMNS_HPP
#define TESSERA_CORE_STATE_COLUMNS_HPP

#include "core/memory/array.hpp"
#include "core/memory/view.hpp"
#include "core/state/element_type.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// \file
/// The per-particle arrays of a simulation, each declared once. Code that saves, restores, copies
/// or writes the state loops over all columns and does not depend on their names.

namespace tessera {

struct ColumnUse {
  bool saved = false;     ///< included in restart files
  bool rollback = false;  ///< restored by a rollback after a blow-up
  /// Component-major layout on the device: all rows of the first component, then those of the
  /// second, so that a kernel that needs one component reads only that. Not available with ghosts.
  /// Host copies and files are row-major.
  bool by_component = false;
};

struct ColumnInfo {
  std::string name;
  int components = 1;
  ElementType type = ElementType::float64;
  ColumnUse use;
};

/// A column on the host, in the widest type of its kind, for output to a file.
struct HostColumn {
  std::string name;
  int components = 1;
  std::variant<std::vector<double>, std::vector<std::int64_t>> values;  ///< row-major
};

/// Handle that `Columns::declare` returns: cheap to copy, valid as long as that Columns object.
template <class T>
struct Column {
  std::size_t index = 0;
};

/// Every function throws ArgumentError for a column that does not exist, or has another type or
/// shape.
///
/// The rows of all columns are in input order: first the owned rows, then the ghosts, copies of
/// rows that neighboring domains own (none as long as there is a single domain).
class Columns {
 public:
  explicit Columns(Context context, std::int64_t owned, std::int64_t ghosts = 0);

  /// Declares a column of zeros. \throws ArgumentError when the name is taken.
  template <class T>
  Column<T> declare(std::string name, int components, ColumnUse use) {
    return {add({std::move(name), components, element_type_of<T>, use})};
  }
  /// Declares a column with row-major values for the owned rows.
  template <class T>
  Column<T> declare(std::string name, int components, ColumnUse use, std::span<const T> values) {
    const Column<T> column = declare<T>(std::move(name), components, use);
    fill(column.index, values.data(), values.size());
    return column;
  }

  /// Changes the numbers of rows of all columns, as at a rebuild. The first rows, up to the smaller
  /// of the two totals, keep their values, and new rows are 0. Views and pointers of before become
  /// invalid.
  void set_rows(std::int64_t owned, std::int64_t ghosts);

  [[nodiscard]] std::int64_t owned() const { return owned_; }
  [[nodiscard]] std::int64_t ghosts() const { return ghosts_; }
  [[nodiscard]] const Context& context() const { return context_; }

  /// View of the owned rows: rows x components.
  template <class T>
  [[nodiscard]] View<T, 2> rows(Column<T> column) {
    return rows_at(static_cast<T*>(data(checked(column))), info(column.index));
  }
  template <class T>
  [[nodiscard]] View<const T, 2> rows(Column<T> column) const {
    return rows_at(static_cast<const T*>(data(checked(column))), info(column.index));
  }
  /// View of the owned rows of a column with one component.
  template <class T>
  [[nodiscard]] View<T, 1> values(Column<T> column) {
    if (info(checked(column)).components != 1) refuse_components(column.index);
    return {static_cast<T*>(data(column.index)), {owned_}};
  }

  template <class T>
  [[nodiscard]] std::vector<T> to_host(Column<T> column) const {
    std::vector<T> host(static_cast<std::size_t>(owned_ * info(checked(column)).components));
    copy_to_host(column.index, host.data());
    return host;
  }

  /// Sets the owned rows to zero.
  template <class T>
  void fill_zero(Column<T> column) {
    if (bytes(checked(column)) > 0)
      context_.device->fill(data(column.index), 0, bytes(column.index), context_.stream);
  }

  /// Access by index, for loops over all columns.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const ColumnInfo& info(std::size_t index) const { return entry(index).info; }
  [[nodiscard]] std::vector<std::string> names() const;
  /// \throws SelectionError for an unknown name, with the closest one.
  [[nodiscard]] std::size_t find(const std::string& name) const;
  [[nodiscard]] HostColumn host_column(std::size_t index) const;
  /// Size of the owned rows in bytes.
  [[nodiscard]] std::size_t bytes(std::size_t index) const;
  [[nodiscard]] void* data(std::size_t index) {
    return const_cast<Entry&>(entry(index)).memory.data();
  }
  [[nodiscard]] const void* data(std::size_t index) const { return entry(index).memory.data(); }
  /// Copies the owned rows from or to host memory of `bytes(index)` bytes, row-major.
  void copy_from_host(std::size_t index, const void* host);
  void copy_to_host(std::size_t index, void* host) const;

 private:
  struct Entry {
    ColumnInfo info;
    Array<unsigned char> memory;
  };

  template <class T>
  [[nodiscard]] View<T, 2> rows_at(T* first, const ColumnInfo& column) const {
    if (column.use.by_component) return {first, {owned_, column.components}, {1, owned_}};
    return {first, {owned_, column.components}};
  }
  [[nodiscard]] const Entry& entry(std::size_t index) const {
    if (index >= entries_.size()) refuse_index(index);
    return entries_[index];
  }
  /// The index of an existing column whose elements have this type.
  template <class T>
  [[nodiscard]] std::size_t checked(Column<T> column) const {
    if (info(column.index).type != element_type_of<T>)
      refuse_type(column.index, element_type_of<T>);
    return column.index;
  }
  [[noreturn]] void refuse_index(std::size_t index) const;
  [[noreturn]] void refuse_type(std::size_t index, ElementType type) const;
  [[noreturn]] void refuse_components(std::size_t index) const;

  static void require_rows(std::int64_t owned, std::int64_t ghosts);
  static void require_layout(const ColumnInfo& info, std::int64_t ghosts);
  /// Memory of zeros for the rows of a column.
  [[nodiscard]] Array<unsigned char> make_rows(const ColumnInfo& info, std::int64_t rows) const;
  std::size_t add(ColumnInfo info);
  void fill(std::size_t index, const void* values, std::size_t count);

  Context context_;
  std::int64_t owned_;
  std::int64_t ghosts_;
  std::vector<Entry> entries_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_COLUMNS_HPP
