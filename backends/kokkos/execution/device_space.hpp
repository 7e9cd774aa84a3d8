#ifndef TESSERA_BACKENDS_KOKKOS_EXECUTION_DEVICE_SPACE_HPP
#define TESSERA_BACKENDS_KOKKOS_EXECUTION_DEVICE_SPACE_HPP

#include "backends/gpu/execution/collectives.hpp"
#include "backends/kokkos/execution/runtime.hpp"
#include "core/base/device_code.hpp"
#include "core/base/error.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/memory_in_use.hpp"
#include "core/execution/reduction_shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

/// \file
/// Adapter for Kokkos on a GPU.
///
/// Scans and sorts are those of the backend of the GPU. All functions but allocate, release, the
/// copies from and to the host and fence() can be captured into a graph: a reduction into device
/// memory does not wait, and its scratch memory belongs to the queue and exists after the first
/// call. Capture has to avoid two features of Kokkos:
///
/// - A body of 512 bytes or more would pass through a constant buffer that the process shares and
///   waits for. The hint AsArgument keeps it among the arguments of the kernel.
/// - The first launch of a translation unit copies to a symbol through the legacy default queue.
///   Therefore a plan executes once without capture first.
///
/// A graph refers to the scratch memory of its queue. On Kokkos' own queue a later reduction of
/// larger values may reallocate that memory; on a separate queue the memory stays.

namespace tessera::kokkos {

template <class T, class Body, class Joiner, class Finish>
struct Reduction {
  using value_type = T;
  Body body;
  Joiner joiner;
  T identity;
  Finish finish;

  TESSERA_INLINE void operator()(std::int64_t i, T& partial) const { body(i, partial); }
  TESSERA_INLINE void init(T& partial) const { partial = identity; }
  TESSERA_INLINE void join(T& into, const T& from) const { joiner(into, from); }
  TESSERA_INLINE void final(T& total) const { finish(total); }
};

template <class Member>
class Team {
 public:
  TESSERA_INLINE explicit Team(const Member& member) : member_(member) {}

  [[nodiscard]] TESSERA_INLINE std::int64_t league_rank() const { return member_.league_rank(); }
  [[nodiscard]] TESSERA_INLINE int rank() const { return member_.team_rank(); }
  [[nodiscard]] TESSERA_INLINE int size() const { return member_.team_size(); }
  TESSERA_INLINE void barrier() const { member_.team_barrier(); }

  template <class T>
  TESSERA_INLINE void scratch(std::int64_t count, T*& pointer) const {
    pointer = static_cast<T*>(member_.team_scratch(0).get_shmem_aligned(
        static_cast<std::size_t>(count) * sizeof(T), alignof(T)));
  }

  template <class T>
  [[nodiscard]] TESSERA_INLINE T reduce_sum(T value) const {
    member_.team_reduce(Kokkos::Sum<T>(value));
    return value;
  }

 private:
  const Member& member_;
};

template <class Body, class Member>
struct TeamCall {
  Body body;
  TESSERA_INLINE void operator()(const Member& member) const { body(Team<Member>(member)); }
};

/// Loop over a range by teams, each of which gets one block of items. Teams are the only way to
/// choose the block size in Kokkos.
template <class Body, class Member>
struct TeamRange {
  Body body;
  std::int64_t n;

  TESSERA_INLINE void operator()(const Member& member) const {
    const std::int64_t i =
        std::int64_t{member.league_rank()} * member.team_size() + member.team_rank();
    if (i < n) body(i);
  }
};

/// Number of threads of a team that reduces.
inline constexpr int reduce_team = reduction_shape::threads;

/// Reduction by teams. A thread keeps its value in registers, where parallel_reduce keeps it in
/// memory, and there are few teams, so that each thread has many items in flight. A team joins its
/// values as a tree in scratch memory; the last team to finish joins the partial results of all
/// teams. The order of the joins is always the same.
template <class T, class Body, class Joiner, class Finish>
struct TeamReduction {
  Body body;
  Joiner joiner;
  T identity;
  std::int64_t n;
  T* partials;  ///< one per team
  std::uint32_t* arrived;
  T* result;
  Finish finish;

  static constexpr std::size_t scratch_bytes = reduce_team / 2 * sizeof(T) + alignof(T);

  template <class Member>
  TESSERA_INLINE void operator()(const Member& member) const {
    if constexpr (std::is_base_of_v<SkippingBody, Body>)
      if (body.skips()) return;
    T partial = identity;
    const std::int64_t step = std::int64_t{member.league_size()} * reduce_team;
    for (std::int64_t i = std::int64_t{member.league_rank()} * reduce_team + member.team_rank();
         i < n; i += step)
      body(i, partial);
    T* const others = static_cast<T*>(
        member.team_scratch(0).get_shmem_aligned(reduce_team / 2 * sizeof(T), alignof(T)));
    join(member, partial, others);
    if (member.league_size() > 1) {
      std::uint32_t before = 0;
      if (member.team_rank() == 0) {
        partials[member.league_rank()] = partial;
        Kokkos::memory_fence();
        before = Kokkos::atomic_fetch_add(arrived, 1u);
      }
      member.team_broadcast(before, 0);
      if (before + 1 != static_cast<std::uint32_t>(member.league_size())) return;
      Kokkos::memory_fence();
      partial = identity;
      for (int i = member.team_rank(); i < member.league_size(); i += reduce_team)
        joiner(partial, partials[i]);
      join(member, partial, others);
      if (member.team_rank() == 0) *arrived = 0;
    }
    if (member.team_rank() > 0) return;
    *result = partial;
    finish(partial);
  }

 private:
  template <class Member>
  TESSERA_INLINE void join(const Member& member, T& partial, T* others) const {
    for (int half = reduce_team / 2; half > 0; half /= 2) {
      const int rank = member.team_rank();
      if (rank >= half && rank < 2 * half) others[rank - half] = partial;
      member.team_barrier();
      if (rank < half) joiner(partial, others[rank]);
      member.team_barrier();
    }
  }
};

template <class Exec>
class DeviceSpace {
 public:
  static constexpr std::string_view backend = "kokkos";
#if defined(KOKKOS_ENABLE_HIP)
  static constexpr MemorySpace memory = MemorySpace::hip;
#else
  static constexpr MemorySpace memory = MemorySpace::cuda;
#endif
  static constexpr bool coalesced = true;

  DeviceSpace(int ordinal, Stream stream)
      : runtime_(acquire_runtime(ordinal)), exec_(instance(stream)) {}

  template <class Body>
  void for_each(const char* label, std::int64_t n, const Body& body) {
    check_size<Body>();
    if (n > 0) Kokkos::parallel_for(label, Range(exec_, 0, n), body);
  }

  /// With a positive team_size the loop runs as teams of that size, because a range policy of
  /// Kokkos has no block size; else as a range. The two are different kernels.
  template <class Body>
  void for_each(const char* label, std::int64_t n, const Body& body, int team_size) {
    if (team_size <= 0 || n <= 0) return for_each(label, n, body);
    using Parameters = Kokkos::TeamPolicy<Exec, AsArgument>;
    const TeamRange<Body, typename Parameters::member_type> range{body, n};
    check_size<decltype(range)>();
    const int most = Parameters(exec_, 1, 1).team_size_max(range, Kokkos::ParallelForTag());
    const int size = team_size < most ? team_size : most;
    const std::int64_t teams = (n + size - 1) / size;
    Kokkos::parallel_for(label, Parameters(exec_, static_cast<int>(teams), size), range);
  }

  template <class Body>
  void for_each(const char* label, Extents3 extents, const Body& body) {
    if (extents.x <= 0 || extents.y <= 0 || extents.z <= 0) return;
    check_size<Body>();
    using Parameters =
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>,
                              Kokkos::IndexType<std::int64_t>, AsArgument>;
    Kokkos::parallel_for(label, Parameters(exec_, {0, 0, 0}, {extents.x, extents.y, extents.z}),
                         body);
  }

  template <class Body>
  void for_each_team(const char* label, std::int64_t teams, int team_size,
                     std::size_t scratch_bytes, const Body& body) {
    if (teams <= 0) return;
    check_size<Body>();
    using Parameters = Kokkos::TeamPolicy<Exec, AsArgument>;
    using Member = typename Parameters::member_type;
    const TeamCall<Body, Member> call{body};
    const auto league = static_cast<int>(teams);
    const Kokkos::Impl::PerTeamValue per_team = Kokkos::PerTeam(scratch_bytes);
    Parameters parameters(exec_, league, 1);
    parameters.set_scratch_size(0, per_team);
    const int most = parameters.team_size_max(call, Kokkos::ParallelForTag());
    parameters = Parameters(exec_, league, team_size < most ? team_size : most);
    parameters.set_scratch_size(0, per_team);
    Kokkos::parallel_for(label, parameters, call);
  }

  template <class T, class Body, class Joiner, class Finish = NoFinish>
  void reduce(const char* label, std::int64_t n, T identity, const Body& body, const Joiner& joiner,
              T* result, [[maybe_unused]] Workspace workspace, const Finish& finish = {}) {
    if constexpr (by_teams<T>) {
      reduce_by_teams<T>(label, teams_for(n),
                         TeamReduction<T, Body, Joiner, Finish>{body, joiner, identity, n,
                                                                static_cast<T*>(workspace.data),
                                                                workspace.arrived, result, finish});
    } else {
      check_size<Reduction<T, Body, Joiner, Finish>>();
      using Result = Kokkos::View<T, typename Exec::memory_space, Kokkos::MemoryUnmanaged>;
      Kokkos::parallel_reduce(label, Range(exec_, 0, n < 0 ? 0 : n),
                              Reduction<T, Body, Joiner, Finish>{body, joiner, identity, finish},
                              Result(result));
    }
  }
  template <class T>
  static std::size_t reduce_bytes(std::int64_t n) {
    // Not 0 where by_teams<T> is false: the workspace may also serve smaller types.
    return static_cast<std::size_t>(teams_for(n)) * sizeof(T);
  }

  template <class T>
  void exclusive_scan(const char*, std::int64_t n, const T* in, T* out, Workspace workspace) {
    gpu::exclusive_scan(n, in, out, workspace, stream_of(exec_));
  }
  template <class T>
  static std::size_t scan_bytes(std::int64_t n) {
    return gpu::scan_bytes<T>(n);
  }

  template <class Key, class Value>
  void sort_by_key(const char*, std::int64_t n, Key* keys, Value* values, int key_bits,
                   Workspace workspace) {
    gpu::sort_by_key(n, keys, values, key_bits, workspace, stream_of(exec_));
  }
  template <class Key, class Value>
  static std::size_t sort_bytes(std::int64_t n) {
    return gpu::sort_bytes<Key>(n);
  }

  template <class T>
  static TESSERA_INLINE T atomic_add(T* address, T value) {
    return Kokkos::atomic_fetch_add(address, value);
  }

  void* allocate(std::size_t bytes) {
    try {
      void* const pointer = Kokkos::kokkos_malloc<typename Exec::memory_space>("tessera", bytes);
      count_device_memory(pointer, bytes);
      return pointer;
    } catch (const std::runtime_error& error) {
      throw DeviceError("allocation of " + std::to_string(bytes) + " bytes", error.what());
    }
  }
  void release(void* pointer) noexcept {
    if (pointer == nullptr) return;
    exec_.fence("tessera release");
    forget_device_memory(pointer);
    Kokkos::kokkos_free<typename Exec::memory_space>(pointer);
  }

  void copy_to_device(void* target, const void* source, std::size_t bytes) {
    transfer<typename Exec::memory_space, Kokkos::HostSpace>(target, source, bytes);
    exec_.fence("tessera copy to device");
  }
  void copy_to_host(void* target, const void* source, std::size_t bytes) {
    transfer<Kokkos::HostSpace, typename Exec::memory_space>(target, source, bytes);
    exec_.fence("tessera copy to host");
  }
  void copy(void* target, const void* source, std::size_t bytes) {
    transfer<typename Exec::memory_space, typename Exec::memory_space>(target, source, bytes);
  }
  void fill(void* target, unsigned char byte, std::size_t bytes) {
    if (bytes == 0) return;
    Kokkos::deep_copy(
        exec_, Bytes<typename Exec::memory_space>(static_cast<unsigned char*>(target), bytes),
        byte);
  }
  void fence() {
    exec_.fence("tessera fence");
  }

  static std::string unavailable() {
    return kokkos::unavailable();
  }
  static int device_count() {
    return kokkos::device_count();
  }
  static int default_ordinal() {
    return kokkos::default_ordinal();
  }
  static Stream default_stream(int ordinal) {
    const auto runtime = acquire_runtime(ordinal);
    return stream_of(Exec());
  }

  static DeviceProperties properties(int ordinal) {
    return kokkos::properties(ordinal);
  }
  static constexpr SpaceFunctions functions{
      .seconds_of = kokkos::seconds_of,
      .async_host_copy = kokkos::async_host_copy,
      .make_graph = kokkos::make_graph,
      .transforms_unavailable = kokkos::transforms_unavailable,
      .make_transform = kokkos::make_transform,
      .reaches = kokkos::reaches};

 private:
  /// Whether the scratch memory that a team gets by default suffices for a TeamReduction.
  template <class T>
  static constexpr bool by_teams = reduce_team / 2 * sizeof(T) <= 32 * 1024;
  static std::int64_t teams_for(std::int64_t n) {
    const std::int64_t teams = (n + reduce_team - 1) / reduce_team;
    return std::clamp<std::int64_t>(teams, 1, reduction_shape::most_groups);
  }
  template <class T, class Call>
  void reduce_by_teams(const char* label, std::int64_t teams, const Call& call) {
    check_size<Call>();
    using Bounds = Kokkos::LaunchBounds<reduce_team, reduction_shape::resident_groups(sizeof(T))>;
    using Parameters = Kokkos::TeamPolicy<Exec, Bounds, AsArgument>;
    Parameters parameters(exec_, static_cast<int>(teams), reduce_team);
    parameters.set_scratch_size(0, Kokkos::PerTeam(Call::scratch_bytes));
    Kokkos::parallel_for(label, parameters, call);
  }

  /// Hint to pass the body among the arguments of the kernel, which have at most 4 KB together with
  /// what Kokkos adds.
  using AsArgument = Kokkos::Experimental::WorkItemProperty::HintLightWeight_t;
  template <class Body>
  static constexpr void check_size() {
    static_assert(sizeof(Body) <= 3584,
                  "larger than the arguments of a kernel: let the body point to its data");
  }
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>, AsArgument>;
  template <class Memory>
  using Bytes = Kokkos::View<unsigned char*, Memory, Kokkos::MemoryUnmanaged>;
  template <class Memory>
  using ConstBytes = Kokkos::View<const unsigned char*, Memory, Kokkos::MemoryUnmanaged>;

  static Stream stream_of(const Exec& exec) {
#if defined(KOKKOS_ENABLE_CUDA)
    return {exec.cuda_stream(), memory};
#elif defined(KOKKOS_ENABLE_HIP)
    return {exec.hip_stream(), memory};
#endif
  }
  static Exec instance(Stream stream) {
    if (stream.handle == nullptr || stream.handle == stream_of(Exec()).handle) return Exec();
#if defined(KOKKOS_ENABLE_CUDA)
    return Exec(static_cast<cudaStream_t>(stream.handle));
#elif defined(KOKKOS_ENABLE_HIP)
    return Exec(static_cast<hipStream_t>(stream.handle));
#endif
  }

  template <class To, class From>
  void transfer(void* target, const void* source, std::size_t bytes) {
    if (bytes == 0) return;
    Kokkos::deep_copy(exec_, Bytes<To>(static_cast<unsigned char*>(target), bytes),
                      ConstBytes<From>(static_cast<const unsigned char*>(source), bytes));
  }

  std::shared_ptr<void> runtime_;
  Exec exec_;
};

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_EXECUTION_DEVICE_SPACE_HPP
