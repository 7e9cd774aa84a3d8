include(${PROJECT_SOURCE_DIR}/cmake/kokkos/kokkos.cmake)
get_property(TESSERA_BUILT_SO_FAR GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
if(cuda IN_LIST TESSERA_BUILT_SO_FAR)
  set(TESSERA_KOKKOS_WITH_CUDA ON)
else()
  set(TESSERA_KOKKOS_WITH_CUDA OFF)
endif()
tessera_find_kokkos(TESSERA_KOKKOS_FOUND CUDA ${TESSERA_KOKKOS_WITH_CUDA})
if(NOT TESSERA_KOKKOS_FOUND)
  set(TESSERA_BACKEND_REFUSAL "${TESSERA_KOKKOS_REASON}")
else()
  if(TESSERA_KOKKOS_WITH_CUDA)
    set(TESSERA_KOKKOS_LANGUAGE CUDA)
    set(TESSERA_KOKKOS_MEMORY cuda)
  else()
    set(TESSERA_KOKKOS_LANGUAGE CXX)
    set(TESSERA_KOKKOS_MEMORY host)
  endif()
  list(JOIN TESSERA_KOKKOS_DEVICES ", " TESSERA_KOKKOS_DEVICES_TEXT)
  tessera_backend(kokkos
    SPACE tessera::kokkos::Space
    HEADER backends/kokkos/execution/space.hpp
    LANGUAGE ${TESSERA_KOKKOS_LANGUAGE}
    RANK 20
    MEMORY ${TESSERA_KOKKOS_MEMORY}
    DESCRIPTION "Kokkos ${TESSERA_KOKKOS_VERSION} with ${TESSERA_KOKKOS_DEVICES_TEXT}"
    SOURCES execution/runtime.cpp execution/environment.cpp execution/collectives.cpp
            execution/tool_variables.cpp execution/tools_bridge.cpp)
  target_link_libraries(tessera_backend_kokkos INTERFACE tessera_kokkos)
  target_compile_options(tessera_backend_kokkos INTERFACE
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_kokkos_LIBRARIES Kokkos::kokkos)
endif()
