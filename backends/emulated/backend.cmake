# A GPU that the host emulates (README.md). It has no part in a build with CUDA, because both compile the sources of
# backends/cuda, with the same names.
find_package(Boost 1.65 QUIET COMPONENTS context)
if(NOT TESSERA_BACKENDS)
  set(TESSERA_BACKEND_REFUSAL "for tests only: name it in TESSERA_BACKENDS")
elseif(cuda IN_LIST TESSERA_BACKENDS)
  set(TESSERA_BACKEND_REFUSAL "a build has either cuda or emulated")
elseif(NOT TARGET Boost::context)
  set(TESSERA_BACKEND_REFUSAL "Boost.Context was not found (Debian: libboost-context-dev)")
else()
  tessera_backend(emulated
    SPACE tessera::cuda::Space
    HEADER backends/cuda/execution/space.hpp
    RANK 1
    MEMORY emulated
    DESCRIPTION "a GPU emulated by the host, for tests"
    KERNELS_OF cuda
    SOURCES execution/block.cpp execution/collectives.cpp execution/device_memory.cpp execution/fault_report.cpp
      execution/fiber.cpp execution/gpu_runtime.cpp execution/graph.cpp execution/launch.cpp execution/shared_memory.cpp
      execution/thread_order.cpp execution/transform.cpp
      ../cuda/execution/memory.cu ../cuda/execution/async_host_copy.cu)
  target_link_libraries(tessera_backend_emulated INTERFACE Boost::context)
  target_compile_definitions(tessera_backend_emulated INTERFACE TESSERA_EMULATED_GPU)
  # The switches between threads take most of the time of a kernel. Without a red zone, because GCC 12 places vectors in
  # it as if the stack pointer of the function were aligned.
  target_compile_options(tessera_backend_emulated INTERFACE ${TESSERA_QUICK_TO_COMPILE}
    $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-mno-red-zone>)
  # Without contraction kernels that compute the same give the same bits, whatever the compiler makes of them.
  target_compile_options(tessera_backend_emulated INTERFACE -ffp-contract=off -Wno-unknown-pragmas -Wno-unused-local-typedefs
    "SHELL:-include backends/emulated/execution/language.hpp")
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_emulated_LIBRARIES Boost::context)
endif()
