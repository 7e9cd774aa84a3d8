#include "backends/kokkos/execution/collectives.hpp"

#include "core/execution/radix_sort.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Sort.hpp>

namespace tessera::kokkos {
namespace {

using Default = Kokkos::DefaultExecutionSpace;

/// The functions of an execution space that radix_sort::sort() calls.
template <class Exec>
struct Loops {
  Exec exec;

  template <class Body>
  void for_each(const char* label, std::int64_t n, const Body& body) {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n), body);
  }
  void fence() { exec.fence("tessera sort"); }
};

template <class Exec>
inline constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

}  // namespace

template <class Exec, class Key, class Value>
void sort_by_key(const Exec& exec, std::int64_t n, Key* keys, Value* values, int key_bits,
                 Workspace workspace) {
  if constexpr (on_host<Exec>) {
    Loops<Exec> loops{exec};
    radix_sort::sort(loops, n, keys, values, key_bits, workspace);
  } else {
    using Memory = typename Exec::memory_space;
    Kokkos::Experimental::sort_by_key(
        exec, Kokkos::View<Key*, Memory, Kokkos::MemoryUnmanaged>(keys, n),
        Kokkos::View<Value*, Memory, Kokkos::MemoryUnmanaged>(values, n));
  }
}

template <class Exec, class Key, class Value>
std::size_t sort_bytes(std::int64_t n) {
  return on_host<Exec> ? radix_sort::bytes<Key, Value>(n) : 0;
}

#define TESSERA_INSTANTIATE_SORT(Key)                                                       \
  template void sort_by_key<Default, Key, std::int32_t>(const Default&, std::int64_t, Key*, \
                                                        std::int32_t*, int, Workspace);     \
  template std::size_t sort_bytes<Default, Key, std::int32_t>(std::int64_t);
TESSERA_INSTANTIATE_SORT(std::uint32_t)
TESSERA_INSTANTIATE_SORT(std::uint64_t)
#undef TESSERA_INSTANTIATE_SORT

}  // namespace tessera::kokkos
