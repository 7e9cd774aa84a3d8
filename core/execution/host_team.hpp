#ifndef TESSERA_CORE_EXECUTION_HOST_TEAM_HPP
#define TESSERA_CORE_EXECUTION_HOST_TEAM_HPP

#include <cstddef>
#include <cstdint>

/// \file
/// A team of one thread, for host spaces that have no teams of their own.

namespace tessera {

class HostTeam {
 public:
  HostTeam(std::int64_t league_rank, unsigned char* scratch)
      : league_rank_(league_rank), scratch_(scratch) {}

  [[nodiscard]] std::int64_t league_rank() const { return league_rank_; }
  [[nodiscard]] int rank() const { return 0; }
  [[nodiscard]] int size() const { return 1; }
  void barrier() const {}

  /// The next `count` elements of the team's scratch memory, in call order.
  template <class T>
  void scratch(std::int64_t count, T*& pointer) const {
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    pointer = reinterpret_cast<T*>(scratch_ + used_);
    used_ += static_cast<std::size_t>(count) * sizeof(T);
  }

  template <class T>
  [[nodiscard]] T reduce_sum(T value) const {
    return value;
  }

 private:
  std::int64_t league_rank_;
  unsigned char* scratch_;
  mutable std::size_t used_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_HOST_TEAM_HPP
