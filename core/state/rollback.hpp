#ifndef TESSERA_CORE_STATE_ROLLBACK_HPP
#define TESSERA_CORE_STATE_ROLLBACK_HPP

#include "core/memory/array.hpp"
#include "core/state/columns.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Copy of the last good state on the device, for a rollback.

namespace tessera {

/// Copies of the columns declared with `rollback`. Declare all such columns before constructing
/// this object.
class Rollback {
 public:
  explicit Rollback(const Columns& columns);

  /// Stores the present state of the columns.
  void take(const Columns& columns);
  /// Restores the state of the last `take`.
  void restore(Columns& columns) const;

  /// A stored column, owned rows x components; it must have been declared with `rollback`.
  template <class T>
  [[nodiscard]] View<const T, 2> rows(const Columns& columns, Column<T> column) const {
    const View<const T, 2> now = columns.rows(column);
    require_kept(columns, column.index);
    return {reinterpret_cast<const T*>(kept_[column.index].data()),
            {now.extent(0), now.extent(1)},
            {now.strides[0], now.strides[1]}};
  }

 private:
  /// \throws ArgumentError where the column is not stored.
  void require_kept(const Columns& columns, std::size_t index) const;
  void require_same(const Columns& columns) const;

  std::vector<Array<unsigned char>> kept_;  ///< by column; empty for columns without `rollback`
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_ROLLBACK_HPP
