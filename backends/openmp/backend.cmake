find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  set(TESSERA_BACKEND_REFUSAL "the compiler ${CMAKE_CXX_COMPILER} offers no OpenMP")
else()
  tessera_backend(openmp
    SPACE tessera::openmp::Space
    HEADER tessera/backends/openmp/execution/space.hpp
    RANK 11
    MEMORY host
    DESCRIPTION "OpenMP ${OpenMP_CXX_VERSION}")
  target_link_libraries(tessera_backend_openmp INTERFACE OpenMP::OpenMP_CXX)
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_openmp_LIBRARIES OpenMP::OpenMP_CXX)
endif()
