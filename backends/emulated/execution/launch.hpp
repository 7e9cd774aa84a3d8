#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_LAUNCH_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_LAUNCH_HPP

#include "backends/emulated/execution/block.hpp"
#include "backends/emulated/execution/queue.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <utility>

/// \file
/// Launches of kernels, by their function or by a handle.

namespace tessera::emulated {

/// Submits a kernel with copies of its arguments. Each thread gets copies of its own.
template <class... Parameters>
void launch(const char* name, void (*kernel)(Parameters...), const Grid& grid, Queue* queue,
            const std::tuple<Parameters...>& arguments) {
  submit(queue, [name = std::string(name), kernel, grid, arguments] {
    run_grid(name, grid, [&] { std::apply(kernel, arguments); });
  });
}

/// Launches the kernel of a handle.
/// \param arguments addresses of its arguments.
using Launcher = void (*)(const char* name, const void* kernel, const Grid& grid, Queue* queue,
                          const void* const* arguments);

/// Remembers how to launch a kernel by its handle.
void remember(const void* kernel, Launcher launcher);
/// \throws DeviceError where the handle is none of a remembered kernel.
[[nodiscard]] Launcher launcher_of(const char* name, const void* kernel);

template <class... Parameters>
void remember(void (*kernel)(Parameters...)) {
  remember(reinterpret_cast<const void*>(kernel), [](const char* name, const void* handle,
                                                     const Grid& grid, Queue* queue,
                                                     const void* const* arguments) {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      launch(name, reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(handle)), grid,
             queue,
             std::tuple<Parameters...>(*static_cast<const Parameters*>(arguments[Index])...));
    }
    (std::index_sequence_for<Parameters...>{});
  });
}

}  // namespace tessera::emulated

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_LAUNCH_HPP
