#ifndef TESSERA_BACKENDS_KOKKOS_INTEROP_HPP
#define TESSERA_BACKENDS_KOKKOS_INTEROP_HPP

#include "core/memory/device.hpp"
#include "core/memory/view.hpp"
#include "core/operations/registry.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

/// \file
/// For programs that hold their data in Kokkos: a Kokkos::View becomes a tessera::View without a
/// copy, an execution space instance becomes a Context. Include it in sources that compile with
/// Kokkos; the application initialises Kokkos before and finalises it after.
///
///     Kokkos::View<double* [3]> positions("positions", n);
///     args.positions = tessera::kokkos::view_of(positions);
///     md::pair_force<Double>(tessera::kokkos::context_of(Kokkos::DefaultExecutionSpace()), args);

namespace tessera::kokkos {

/// A tessera::View of the elements of a Kokkos view of any layout; valid as long as the Kokkos view
/// holds its memory.
template <class KokkosView>
[[nodiscard]] auto view_of(const KokkosView& view) {
  static_assert(Kokkos::is_view<KokkosView>::value);
  constexpr int rank = static_cast<int>(KokkosView::rank);
  static_assert(rank >= 1 && rank <= 4, "views of rank 1 to 4 can be handed over");
  std::int64_t extents[rank];
  std::int64_t strides[rank];
  for (int r = 0; r < rank; ++r) {
    extents[r] = static_cast<std::int64_t>(view.extent(static_cast<std::size_t>(r)));
    strides[r] = static_cast<std::int64_t>(view.stride(static_cast<std::size_t>(r)));
  }
  return View<typename KokkosView::value_type, rank>(view.data(), extents, strides);
}

/// A context whose work runs in the queue of `exec`, in order with the work that the application
/// puts there. Where Kokkos was built for a GPU and `exec` is a host space, the context is one of
/// the backend openmp (serial where openmp is unavailable), after a fence of `exec`. \throws
/// RefusalError when this build has no backend for the memory of `exec`.
template <class Exec>
[[nodiscard]] Context context_of(const Exec& exec) {
  static_assert(Kokkos::is_execution_space<Exec>::value);
  if constexpr (std::is_same_v<Exec, Kokkos::DefaultExecutionSpace>) {
    Context context = registry().open("kokkos");  // on the device that Kokkos runs on
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<Exec, Kokkos::Cuda>)
      context.stream = {exec.cuda_stream(), MemorySpace::cuda};
#elif defined(KOKKOS_ENABLE_HIP)
    if constexpr (std::is_same_v<Exec, Kokkos::HIP>)
      context.stream = {exec.hip_stream(), MemorySpace::hip};
#endif
    static_cast<void>(exec);
    return context;
  } else {
    static_assert(
        Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible,
        "a device other than Kokkos' default has no backend");
    exec.fence("tessera context");
    const bool threaded = registry().unavailable("openmp").empty();
    return registry().open(threaded ? "openmp" : "serial");
  }
}

}  // namespace tessera::kokkos

#endif  // TESSERA_BACKENDS_KOKKOS_INTEROP_HPP
