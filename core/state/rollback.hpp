#ifndef TESSERA_CORE_STATE_ROLLBACK_HPP
#define TESSERA_CORE_STATE_ROLLBACK_HPP

#include "core/memory/array.hpp"
#include "core/state/columns.hpp"

#include <cstdint>
#include <vector>

/// \file
/// The last good state, kept on the device.

namespace tessera {

/// Copies of the columns that were declared with `put_back`; none may be declared afterwards.
class Rollback {
 public:
  explicit Rollback(const Columns& columns);

  /// Keeps the columns as they are now.
  void take(const Columns& columns);
  /// Makes them what they were when `take` was called.
  void put_back(Columns& columns) const;

  /// A column as it was taken, owned rows x components; it must have been declared with `put_back`.
  template <class T>
  [[nodiscard]] View<const T, 2> rows(const Columns& columns, Column<T> column) const {
    const View<const T, 2> now = columns.rows(column);
    require_kept(columns, column.index);
    return {reinterpret_cast<const T*>(kept_[column.index].data()),
            {now.extent(0), now.extent(1)},
            {now.strides[0], now.strides[1]}};
  }

 private:
  /// \throws ArgumentError where the column was not kept.
  void require_kept(const Columns& columns, std::size_t index) const;
  void require_same(const Columns& columns) const;

  std::vector<Array<unsigned char>> kept_;  ///< by column, empty for those that are not put back
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_ROLLBACK_HPP
