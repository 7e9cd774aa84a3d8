#ifndef TESSERA_CORE_EXECUTION_EXECUTION_SPACE_HPP
#define TESSERA_CORE_EXECUTION_EXECUTION_SPACE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/space_functions.hpp"
#include "core/memory/device.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The primitives that a portable body may use of a backend, kept small on purpose. An adapter
/// models this concept by forwarding to Kokkos, to OpenMP and the standard library, or to a kernel
/// launch and CUB.
///
/// Bodies are named structs with `TESSERA_FUNCTION void operator()(...) const`, passed by value
/// (with some device compilers lambdas cost allocations or do not compile). All calls are
/// asynchronous in the order of one queue; `fence()` waits.
///
/// - `for_each(label, n, body)`: `body(std::int64_t i)` for 0 <= i < n.
/// - `for_each(label, n, body, team_size)`: the same, with a requested GPU block size, which the
///   adapter clamps; 0: the adapter chooses it. Hosts ignore it.
/// - `for_each(label, Extents3, body)`: `body(i, j, k)`, k fastest.
/// - `for_each_team(label, teams, team_size, scratch_bytes, body)`: `body(team)` with
///   `team.league_rank()`, `team.rank()`, `team.size()`, `team.barrier()`, `team.scratch(count, T*&
///   pointer)`, `team.reduce_sum(value)`. The team size is a request that the adapter clamps;
///   bodies stride by `team.size()`.
/// - `reduce(label, n, identity, body, joiner, result, workspace)`: `body(i, T& partial)`,
///   `joiner(T& into, const T& from)`; the result lies in the space's memory.
/// - `reduce(..., workspace, finish)`: the same, followed by one call of `finish(const T&
///   result)` on the device, which saves a separate launch. A SkippingBody can report
///   on the device that the reduction is not needed; a GPU then leaves the result unchanged
///   and does not call `finish`.
/// - `exclusive_scan(label, n, in, out, workspace)`: `out[i]` = sum of `in[0..i)` for 0 <= i <= n,
///   so the last element is the total; in and out must not overlap; int32 and int64.
/// - `sort_by_key(label, n, keys, values, key_bits, workspace)`: stable, ascending; keys uint32 or
///   uint64 below 2^key_bits, values int32.
/// - `Space::atomic_add(address, value)`, inside bodies: adds and returns the previous value.
///
/// A workspace is memory that the plan allocates once (`*_bytes`); none of these calls allocates.

namespace tessera {

/// Extents of a three-dimensional loop.
struct Extents3 {
  std::int64_t x = 0, y = 0, z = 0;
};

/// Temporary memory of a collective.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::uint32_t* arrived = nullptr;  ///< finished teams of a collective; zero between collectives
};

/// Base of the body of a reduction with `bool skips() const`, which reports whether the reduction
/// is not needed.
struct SkippingBody {};

/// The `finish` of a reduction that only stores its result.
struct NoFinish {
  template <class T>
  TESSERA_FUNCTION void operator()(const T&) const {}
};

namespace execution_archetype {

struct Body {
  TESSERA_FUNCTION void operator()(std::int64_t) const {}
};
struct Body3 {
  TESSERA_FUNCTION void operator()(std::int64_t, std::int64_t, std::int64_t) const {}
};
struct TeamBody {
  template <class Team>
  TESSERA_FUNCTION void operator()(const Team& team) const {
    team.barrier();
  }
};
struct Partial {
  TESSERA_FUNCTION void operator()(std::int64_t, double&) const {}
};
struct Join {
  TESSERA_FUNCTION void operator()(double& into, const double& from) const { into += from; }
};

}  // namespace execution_archetype

template <class S>
concept ExecutionSpace = std::copyable<S> &&
    (std::constructible_from<S, int, Stream> ||
     std::constructible_from<S, const Context&>)&&requires(S space, const std::int32_t* counts,
                                                           Workspace workspace, double* values,
                                                           std::int32_t* integers,
                                                           std::uint32_t* keys, std::size_t bytes,
                                                           void* target, const void* source) {
  { S::backend } -> std::convertible_to<std::string_view>;
  { S::memory } -> std::convertible_to<MemorySpace>;
  /// Selects the layout of matrices that a body owns. True: neighboring threads should access
  /// neighboring addresses (GPU). False: one thread should access a contiguous run (CPU).
  { S::coalesced } -> std::convertible_to<bool>;
  space.for_each("label", std::int64_t{1}, execution_archetype::Body{});
  space.for_each("label", std::int64_t{1}, execution_archetype::Body{}, 64);
  space.for_each("label", Extents3{}, execution_archetype::Body3{});
  space.for_each_team("label", std::int64_t{1}, 1, std::size_t{0}, execution_archetype::TeamBody{});
  space.reduce("label", std::int64_t{1}, 0.0, execution_archetype::Partial{},
               execution_archetype::Join{}, values, workspace);
  space.reduce("label", std::int64_t{1}, 0.0, execution_archetype::Partial{},
               execution_archetype::Join{}, values, workspace, NoFinish{});
  space.exclusive_scan("label", std::int64_t{1}, counts, integers, workspace);
  space.sort_by_key("label", std::int64_t{1}, keys, integers, 32, workspace);
  { S::template reduce_bytes<double>(std::int64_t{1}) } -> std::same_as<std::size_t>;
  { S::template scan_bytes<std::int32_t>(std::int64_t{1}) } -> std::same_as<std::size_t>;
  {
    S::template sort_bytes<std::uint32_t, std::int32_t>(std::int64_t{1})
    } -> std::same_as<std::size_t>;
  { space.allocate(bytes) } -> std::same_as<void*>;
  space.release(target);
  space.copy_to_device(target, source, bytes);
  space.copy_to_host(target, source, bytes);
  space.copy(target, source, bytes);
  space.fill(target, static_cast<unsigned char>(0), bytes);
  space.fence();
  { S::default_stream(0) } -> std::same_as<Stream>;
  { S::functions } -> std::same_as<const SpaceFunctions&>;
};

/// The space for the device and queue of a context. On a host it runs on context.host_threads.
template <ExecutionSpace Space>
[[nodiscard]] Space space_of(const Context& context) {
  if constexpr (std::constructible_from<Space, const Context&>)
    return Space(context);
  else
    return Space(context.device->properties().ordinal, context.stream);
}

/// Name of the backend from which a portable body in this space takes the implementations of the
/// operations that it calls.
template <ExecutionSpace Space>
[[nodiscard]] std::string backend_of(const Space& space) {
  if constexpr (Space::memory == MemorySpace::host)
    return std::string(space.threads()->backend());
  else
    return std::string(Space::backend);
}

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_EXECUTION_SPACE_HPP
