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
  list(JOIN TESSERA_HIP_LANES " or " TESSERA_HIP_LANES_TEXT)
  tessera_backend(hip
    SPACE tessera::gpu::Space
    HEADER backends/gpu/execution/space.hpp
    RANK 12
    MEMORY hip
    DESCRIPTION "HIP ${TESSERA_HIP_VERSION} for ${TESSERA_HIP_TARGETS_TEXT}, ${TESSERA_HIP_LANES_TEXT} lanes a warp"
    KERNELS_OF gpu
    LANES ${TESSERA_HIP_LANES}
    SOURCES execution/graph.cpp ../gpu/execution/collectives.cu ../gpu/execution/memory.cu
      ../gpu/execution/async_host_copy.cu ../gpu/execution/transform.cu)
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_hip_LIBRARIES ${TESSERA_HIP_LIBRARY})
  find_path(TESSERA_HIPFFT_INCLUDE hipfft/hipfft.h HINTS ${TESSERA_HIP_INCLUDE})
  mark_as_advanced(TESSERA_HIPFFT_INCLUDE)
  if(TESSERA_HIPFFT_INCLUDE)
    tessera_record_dependency(hipFFT "loaded when it is asked for")
  else()
    tessera_record_dependency(hipFFT "no header (hipfft/hipfft.h): no Fourier transforms on GPUs")
  endif()
  get_property(TESSERA_HIP_SETS GLOBAL PROPERTY TESSERA_BACKEND_hip_SETS)
  foreach(TESSERA_HIP_SET TESSERA_HIP_WIDTH IN ZIP_LISTS TESSERA_HIP_SETS TESSERA_HIP_LANES)
    tessera_hip_target_options(${TESSERA_HIP_WIDTH} TESSERA_HIP_TARGET_OPTIONS)
    target_include_directories(tessera_backend_${TESSERA_HIP_SET} SYSTEM INTERFACE
      ${TESSERA_HIP_INCLUDE} ${TESSERA_ROCPRIM_INCLUDE})
    if(TESSERA_HIPFFT_INCLUDE)
      target_include_directories(tessera_backend_${TESSERA_HIP_SET} SYSTEM INTERFACE ${TESSERA_HIPFFT_INCLUDE})
    endif()
    target_compile_options(tessera_backend_${TESSERA_HIP_SET} INTERFACE
      ${TESSERA_HIP_OPTIONS} ${TESSERA_HIP_TARGET_OPTIONS} ${TESSERA_HIP_KERNEL_OPTIONS})
    target_link_libraries(tessera_backend_${TESSERA_HIP_SET} INTERFACE ${TESSERA_HIP_LIBRARY})
    # The scans of older versions of rocPRIM have instructions that GPUs with 32 lanes lack, unless it knows the GPU.
    file(STRINGS ${TESSERA_ROCPRIM_INCLUDE}/rocprim/config.hpp TESSERA_ROCPRIM_KNOWS_GFX11 REGEX "gfx11|GFX11")
    if(TESSERA_HIP_WIDTH EQUAL 32 AND NOT TESSERA_ROCPRIM_KNOWS_GFX11)
      target_compile_definitions(tessera_backend_${TESSERA_HIP_SET} INTERFACE
        ROCPRIM_DISABLE_DPP ROCPRIM_DETAIL_USE_DPP=false)
    endif()
  endforeach()
endif()
