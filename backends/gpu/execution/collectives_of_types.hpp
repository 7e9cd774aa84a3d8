#include "backends/gpu/execution/collectives.hpp"

/// \file
/// Instantiates the functions of collectives.hpp. A source that defines them includes it at its
/// end.

namespace tessera::gpu {

template void exclusive_scan<std::int32_t>(std::int64_t, const std::int32_t*, std::int32_t*,
                                           Workspace, Stream);
template void exclusive_scan<std::int64_t>(std::int64_t, const std::int64_t*, std::int64_t*,
                                           Workspace, Stream);
template std::size_t scan_bytes<std::int32_t>(std::int64_t);
template std::size_t scan_bytes<std::int64_t>(std::int64_t);
template void sort_by_key<std::uint32_t>(std::int64_t, std::uint32_t*, std::int32_t*, int,
                                         Workspace, Stream);
template void sort_by_key<std::uint64_t>(std::int64_t, std::uint64_t*, std::int32_t*, int,
                                         Workspace, Stream);
template std::size_t sort_bytes<std::uint32_t>(std::int64_t);
template std::size_t sort_bytes<std::uint64_t>(std::int64_t);

}  // namespace tessera::gpu
