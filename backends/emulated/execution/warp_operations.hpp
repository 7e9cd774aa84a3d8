#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_WARP_OPERATIONS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_WARP_OPERATIONS_HPP

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/builtin_variables.hpp"

#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

/// \file
/// Functions that all lanes of a warp call together (backends/gpu/execution/warp.cuh and
/// warp_votes.cuh).

namespace tessera::gpu {

namespace detail {

/// The value of lane `lane` in an exchange.
template <class T>
[[nodiscard]] __attribute__((no_sanitize("thread"))) T value_of(const unsigned char* values,
                                                                unsigned lane) {
  T value;
  std::memcpy(&value, values + lane * emulated::most_lane_bytes, sizeof(T));
  return value;
}
template <class T>
[[nodiscard]] const unsigned char* exchange(const T& value, const char* operation,
                                            const std::source_location& where) {
  static_assert(sizeof(T) <= emulated::most_lane_bytes && std::is_trivially_copyable_v<T>);
  return emulated::exchange(&value, sizeof(T), operation, where);
}
[[nodiscard]] inline unsigned own_lane() {
  return threadIdx.x % emulated::lanes;
}

/// Joins the values of all lanes in the order of the lanes.
template <class T, class Join>
[[nodiscard]] T join_lanes(T value, const Join& join, const char* operation,
                           const std::source_location& where) {
  const unsigned char* const values = exchange(value, operation, where);
  T joined = value_of<T>(values, 0);
  for (unsigned lane = 1; lane < emulated::lanes; ++lane)
    joined = join(joined, value_of<T>(values, lane));
  return joined;
}

}  // namespace detail

template <class T>
[[nodiscard]] T shfl(T value, int lane,
                     std::source_location where = std::source_location::current()) {
  return detail::value_of<T>(detail::exchange(value, "shfl", where),
                             static_cast<unsigned>(lane) % emulated::lanes);
}
template <class T>
[[nodiscard]] T shfl_xor(T value, int mask,
                         std::source_location where = std::source_location::current()) {
  return detail::value_of<T>(detail::exchange(value, "shfl_xor", where),
                             (detail::own_lane() ^ static_cast<unsigned>(mask)) % emulated::lanes);
}
/// A lane without a lane above it at this distance keeps its value.
template <class T>
[[nodiscard]] T shfl_down(T value, int distance,
                          std::source_location where = std::source_location::current()) {
  const unsigned from = detail::own_lane() + static_cast<unsigned>(distance);
  return detail::value_of<T>(detail::exchange(value, "shfl_down", where),
                             from < emulated::lanes ? from : detail::own_lane());
}
/// A lane without a lane below it at this distance keeps its value.
template <class T>
[[nodiscard]] T shfl_up(T value, int distance,
                        std::source_location where = std::source_location::current()) {
  const unsigned own = detail::own_lane();
  const auto below = static_cast<unsigned>(distance);
  return detail::value_of<T>(detail::exchange(value, "shfl_up", where),
                             below <= own ? own - below : own);
}
/// Value of lane `number` in the group of `Neighbors` lanes that contains the calling lane.
template <int Neighbors, class T>
[[nodiscard]] T shfl_segment(T value, int number,
                             std::source_location where = std::source_location::current()) {
  const unsigned first = detail::own_lane() / Neighbors * Neighbors;
  return detail::value_of<T>(detail::exchange(value, "shfl_segment", where),
                             first + static_cast<unsigned>(number) % Neighbors);
}

[[nodiscard]] inline LaneMask ballot(bool condition,
                                     std::source_location where = std::source_location::current()) {
  const unsigned char* const values =
      detail::exchange(static_cast<unsigned char>(condition ? 1 : 0), "ballot", where);
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < emulated::lanes; ++lane)
    lanes |= LaneMask{detail::value_of<unsigned char>(values, lane)} << lane;
  return lanes;
}
/// Bitwise OR over all lanes, of 32 bits or of a mask.
template <class Bits>
[[nodiscard]] Bits reduce_or(Bits bits,
                             std::source_location where = std::source_location::current()) {
  return detail::join_lanes(
      bits, [](Bits a, Bits b) { return a | b; }, "reduce_or", where);
}
template <class T>
[[nodiscard]] T reduce_min(T value, std::source_location where = std::source_location::current()) {
  return detail::join_lanes(
      value, [](T a, T b) { return b < a ? b : a; }, "reduce_min", where);
}
template <class T>
[[nodiscard]] T reduce_max(T value, std::source_location where = std::source_location::current()) {
  return detail::join_lanes(
      value, [](T a, T b) { return a < b ? b : a; }, "reduce_max", where);
}
/// A number that must be the same in all lanes. As on a GPU, the OR of all lanes.
[[nodiscard]] inline std::uint32_t warp_uniform(
    std::uint32_t number, std::source_location where = std::source_location::current()) {
  return detail::join_lanes(
      number, [](std::uint32_t a, std::uint32_t b) { return a | b; }, "warp_uniform", where);
}
/// Barrier of the lanes of a warp.
inline void syncwarp(std::source_location where = std::source_location::current()) {
  emulated::meet_warp("syncwarp", where);
}

}  // namespace tessera::gpu

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_WARP_OPERATIONS_HPP
