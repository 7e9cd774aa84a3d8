# A GPU that the host emulates (README.md). It has no part in a build with CUDA, because both compile the sources of
# backends/gpu, with the same names.
find_package(Boost 1.65 QUIET COMPONENTS context)
if(NOT TESSERA_BACKENDS)
  set(TESSERA_BACKEND_REFUSAL "for tests only: name it in TESSERA_BACKENDS")
elseif(cuda IN_LIST TESSERA_BACKENDS)
  set(TESSERA_BACKEND_REFUSAL "a build has either cuda or emulated")
elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(TESSERA_BACKEND_REFUSAL "shared variables in templates have a section of their own, which needs clang; \
this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
elseif(NOT TARGET Boost::context)
  set(TESSERA_BACKEND_REFUSAL "Boost.Context was not found (Debian: libboost-context-dev)")
else()
  set(TESSERA_EMULATED_LANES 32 CACHE STRING "Numbers of lanes of a warp of the emulated device: 32, 64 or both")
  if(NOT TESSERA_EMULATED_LANES MATCHES "^(32|64|32;64|64;32)$")
    message(FATAL_ERROR "TESSERA_EMULATED_LANES = '${TESSERA_EMULATED_LANES}', expected 32, 64, 32;64 or 64;32")
  endif()
  list(JOIN TESSERA_EMULATED_LANES " or " TESSERA_EMULATED_LANES_TEXT)
  option(TESSERA_EMULATED_PORTABLE "Build the portable bodies for the emulated device too" ON)
  if(NOT TESSERA_EMULATED_PORTABLE)
    set_property(GLOBAL PROPERTY TESSERA_BACKEND_emulated_WITHOUT_PORTABLE ON)
  endif()
  tessera_backend(emulated
    SPACE tessera::gpu::Space
    HEADER backends/gpu/execution/space.hpp
    RANK 1
    MEMORY emulated
    DESCRIPTION "a GPU emulated by the host, with ${TESSERA_EMULATED_LANES_TEXT} lanes a warp, for tests"
    KERNELS_OF gpu
    LANES ${TESSERA_EMULATED_LANES}
    SOURCES execution/block.cpp execution/block_threads.cpp execution/collectives.cpp execution/device_memory.cpp execution/fault_report.cpp
      execution/fiber.cpp execution/gpu_runtime.cpp execution/graph.cpp execution/launch.cpp execution/shared_memory.cpp
      execution/shared_variables.cpp execution/tested_barriers.cpp execution/thread_order.cpp execution/transform.cpp
      ../gpu/execution/memory.cu ../gpu/execution/async_host_copy.cu)
  get_property(TESSERA_EMULATED_SETS GLOBAL PROPERTY TESSERA_BACKEND_emulated_SETS)
  foreach(TESSERA_EMULATED_SET IN LISTS TESSERA_EMULATED_SETS)
    set(TESSERA_EMULATED_TARGET tessera_backend_${TESSERA_EMULATED_SET})
    target_link_libraries(${TESSERA_EMULATED_TARGET} INTERFACE Boost::context)
    target_compile_definitions(${TESSERA_EMULATED_TARGET} INTERFACE TESSERA_EMULATED_GPU)
    # The switches between threads take most of the time of a kernel. Without a red zone, because GCC 12 places vectors in
    # it as if the stack pointer of the function were aligned.
    target_compile_options(${TESSERA_EMULATED_TARGET} INTERFACE ${TESSERA_QUICK_TO_COMPILE}
      $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-mno-red-zone>)
    # Without contraction kernels that compute the same give the same bits, whatever the compiler makes of them.
    target_compile_options(${TESSERA_EMULATED_TARGET} INTERFACE -ffp-contract=off -Wno-unknown-pragmas
      -Wno-unused-local-typedefs "SHELL:-include tessera/backends/emulated/execution/language.hpp")
    if(TESSERA_SANITIZE)
      # Lines of the sources, for reports.
      target_compile_options(${TESSERA_EMULATED_TARGET} INTERFACE -gline-tables-only)
    endif()
    if(TESSERA_SANITIZE MATCHES "thread")
      target_compile_definitions(${TESSERA_EMULATED_TARGET} INTERFACE TESSERA_OF_THREAD_SANITIZER)
    endif()
  endforeach()
  if(TESSERA_SANITIZE MATCHES "thread")
    # The device itself is not checked: it is one thread of the operating system, whose fibers share its variables.
    file(GLOB TESSERA_EMULATED_SOURCES ${CMAKE_CURRENT_LIST_DIR}/execution/*.cpp)
    set_property(SOURCE ${TESSERA_EMULATED_SOURCES} DIRECTORY ${PROJECT_SOURCE_DIR} PROPERTY COMPILE_OPTIONS -fno-sanitize=thread)
  endif()
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_emulated_LIBRARIES Boost::context)
endif()
