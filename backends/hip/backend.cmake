# AMD GPUs, with the kernels of backends/gpu. The C++ compiler of the build compiles them as HIP (docs/amd.md).
get_property(TESSERA_BUILT_SO_FAR GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
if(cuda IN_LIST TESSERA_BUILT_SO_FAR OR emulated IN_LIST TESSERA_BUILT_SO_FAR)
  set(TESSERA_BACKEND_REFUSAL "a build has one of cuda, hip and emulated")
else()
  include(${PROJECT_SOURCE_DIR}/cmake/hip.cmake)
  tessera_find_hip()
  set(TESSERA_BACKEND_REFUSAL "${TESSERA_HIP_REASON}")
  find_path(TESSERA_ROCPRIM_INCLUDE rocprim/rocprim.hpp HINTS $ENV{ROCM_PATH}/include /opt/rocm/include)
  mark_as_advanced(TESSERA_ROCPRIM_INCLUDE)
  if(NOT TESSERA_HIP_REASON AND NOT TESSERA_ROCPRIM_INCLUDE)
    set(TESSERA_BACKEND_REFUSAL "rocPRIM was not found (rocprim/rocprim.hpp; Debian: librocprim-dev)")
  endif()
endif()
if(NOT TESSERA_BACKEND_REFUSAL)
  list(JOIN TESSERA_HIP_TARGETS " " TESSERA_HIP_TARGETS_TEXT)
  tessera_backend(hip
    SPACE tessera::gpu::Space
    HEADER backends/gpu/execution/space.hpp
    RANK 12
    MEMORY hip
    DESCRIPTION "HIP ${TESSERA_HIP_VERSION} for ${TESSERA_HIP_TARGETS_TEXT}, ${TESSERA_HIP_LANES} lanes a warp"
    KERNELS_OF gpu
    LANES ${TESSERA_HIP_LANES}
    SOURCES execution/graph.cpp ../gpu/execution/collectives.cu ../gpu/execution/memory.cu
      ../gpu/execution/async_host_copy.cu ../gpu/execution/transform.cu)
  target_include_directories(tessera_backend_hip SYSTEM INTERFACE ${TESSERA_HIP_INCLUDE} ${TESSERA_ROCPRIM_INCLUDE})
  # Additions of doubles to memory that devices allocate are native instructions; the kernels add to no other memory.
  # As nvcc does with its headers, every source begins with those of HIP. Products and sums are contracted within an
  # expression only (by default clang also does so across statements for GPUs): sums in fixed point are exact because
  # their products are rounded first, in statements of their own.
  target_compile_options(tessera_backend_hip INTERFACE ${TESSERA_HIP_OPTIONS} -munsafe-fp-atomics -ffp-contract=on
    "SHELL:-include hip/hip_runtime.h" -Wno-cuda-compat)
  target_link_libraries(tessera_backend_hip INTERFACE ${TESSERA_HIP_LIBRARY})
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_hip_LIBRARIES ${TESSERA_HIP_LIBRARY})
  find_path(TESSERA_HIPFFT_INCLUDE hipfft/hipfft.h HINTS ${TESSERA_HIP_INCLUDE})
  mark_as_advanced(TESSERA_HIPFFT_INCLUDE)
  if(TESSERA_HIPFFT_INCLUDE)
    target_include_directories(tessera_backend_hip SYSTEM INTERFACE ${TESSERA_HIPFFT_INCLUDE})
    tessera_record_dependency(hipFFT "loaded when it is asked for")
  else()
    tessera_record_dependency(hipFFT "no header (hipfft/hipfft.h): no Fourier transforms on GPUs")
  endif()
endif()
