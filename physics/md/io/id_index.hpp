#ifndef TESSERA_PHYSICS_MD_IO_ID_INDEX_HPP
#define TESSERA_PHYSICS_MD_IO_ID_INDEX_HPP

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// \file
/// Lookup of the index of an atom in the arrays by its id.

namespace tessera::md {

/// Lookup for ids in any order, with or without gaps.
class IdIndex {
 public:
  explicit IdIndex(const std::vector<std::int64_t>& ids);

  /// Index of the atom with `id`, or -1.
  [[nodiscard]] std::int64_t find(std::int64_t id) const;

  /// The first two indices, in the order of the arrays, with the same id; absent if ids are unique.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> duplicate() const {
    return duplicate_;
  }

 private:
  std::int64_t lowest_ = 0;
  std::vector<std::int64_t> dense_;  // index of id lowest_ + i, -1 for a gap
  std::vector<std::pair<std::int64_t, std::int64_t>>
      sorted_;  // (id, index), used if ids have large gaps
  std::optional<std::pair<std::int64_t, std::int64_t>> duplicate_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_ID_INDEX_HPP
