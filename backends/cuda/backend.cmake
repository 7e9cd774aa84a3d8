check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  set(TESSERA_BACKEND_REFUSAL "no CUDA compiler (nvcc) was found; set CMAKE_CUDA_COMPILER or put nvcc on the PATH")
else()
  include(${PROJECT_SOURCE_DIR}/cmake/cuda.cmake)
  # Host code that nvcc compiles only launches kernels. -O1 yields the same device code, byte for byte, and saves an
  # eighth of the compile time.
  if(CMAKE_CUDA_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O1 -DNDEBUG")
  endif()
  tessera_backend(cuda
    SPACE tessera::gpu::Space
    HEADER backends/gpu/execution/space.hpp
    LANGUAGE CUDA
    RANK 12
    MEMORY cuda
    DESCRIPTION "CUDA ${CMAKE_CUDA_COMPILER_VERSION}"
    KERNELS_OF gpu
    SOURCES execution/graph.cu ../gpu/execution/collectives.cu ../gpu/execution/memory.cu
      ../gpu/execution/async_host_copy.cu ../gpu/execution/transform.cu)
  target_link_libraries(tessera_backend_cuda INTERFACE CUDA::cudart)
  target_compile_options(tessera_backend_cuda INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_cuda_LIBRARIES CUDA::cudart)
  # gpu/execution/transform.cu includes cufft.h where the compiler finds it (docs/decisions/0017). This search only serves
  # the record of dependencies.
  find_file(TESSERA_CUFFT_HEADER cufft.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  mark_as_advanced(TESSERA_CUFFT_HEADER)
  if(TESSERA_CUFFT_HEADER)
    file(STRINGS ${TESSERA_CUFFT_HEADER} version REGEX "define CUFFT_VER_(MAJOR|MINOR) ")
    string(REGEX MATCHALL "[0-9]+" version "${version}")
    list(JOIN version "." version)
    tessera_record_dependency(cuFFT "${version}, loaded when it is asked for")
  else()
    tessera_record_dependency(cuFFT "no header (cufft.h of the CUDA toolkit): no Fourier transforms on GPUs")
  endif()
endif()
