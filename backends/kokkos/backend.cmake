include(${PROJECT_SOURCE_DIR}/cmake/kokkos/kokkos.cmake)
get_property(TESSERA_BUILT_SO_FAR GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
set(TESSERA_KOKKOS_GPU "")
if(cuda IN_LIST TESSERA_BUILT_SO_FAR)
  set(TESSERA_KOKKOS_GPU CUDA)
elseif(hip IN_LIST TESSERA_BUILT_SO_FAR)
  set(TESSERA_KOKKOS_GPU HIP)
endif()
tessera_find_kokkos(TESSERA_KOKKOS_FOUND GPU ${TESSERA_KOKKOS_GPU})
if(NOT TESSERA_KOKKOS_FOUND)
  set(TESSERA_BACKEND_REFUSAL "${TESSERA_KOKKOS_REASON}")
else()
  set(TESSERA_KOKKOS_LANGUAGE CXX)
  set(TESSERA_KOKKOS_MEMORY host)
  set(TESSERA_KOKKOS_LANES "")
  if(CUDA IN_LIST TESSERA_KOKKOS_DEVICES)
    set(TESSERA_KOKKOS_LANGUAGE CUDA)
    set(TESSERA_KOKKOS_MEMORY cuda)
  elseif(HIP IN_LIST TESSERA_KOKKOS_DEVICES)
    set(TESSERA_KOKKOS_MEMORY hip)
    list(GET TESSERA_HIP_LANES 0 TESSERA_KOKKOS_LANES)
  endif()
  list(JOIN TESSERA_KOKKOS_DEVICES ", " TESSERA_KOKKOS_DEVICES_TEXT)
  tessera_backend(kokkos
    SPACE tessera::kokkos::Space
    HEADER backends/kokkos/execution/space.hpp
    LANGUAGE ${TESSERA_KOKKOS_LANGUAGE}
    RANK 20
    MEMORY ${TESSERA_KOKKOS_MEMORY}
    LANES ${TESSERA_KOKKOS_LANES}
    DESCRIPTION "Kokkos ${TESSERA_KOKKOS_VERSION} with ${TESSERA_KOKKOS_DEVICES_TEXT}"
    SOURCES execution/runtime.cpp execution/environment.cpp execution/tool_variables.cpp
            execution/tools_bridge.cpp)
  target_link_libraries(tessera_backend_kokkos INTERFACE tessera_kokkos)
  target_compile_options(tessera_backend_kokkos INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  if(TESSERA_KOKKOS_MEMORY STREQUAL "hip")
    tessera_hip_target_options(${TESSERA_KOKKOS_LANES} TESSERA_HIP_TARGET_OPTIONS)
    target_compile_options(tessera_backend_kokkos INTERFACE
      ${TESSERA_HIP_OPTIONS} ${TESSERA_HIP_TARGET_OPTIONS} ${TESSERA_HIP_KERNEL_OPTIONS})
  endif()
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_kokkos_LIBRARIES Kokkos::kokkos)
endif()
