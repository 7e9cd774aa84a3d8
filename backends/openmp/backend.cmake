find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  set(TESSERA_BACKEND_REFUSAL "the compiler ${CMAKE_CXX_COMPILER} offers no OpenMP")
elseif(TESSERA_SANITIZE MATCHES "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(TESSERA_BACKEND_REFUSAL
      "ThreadSanitizer does not understand the OpenMP runtime of GCC: use clang (preset tsan)")
else()
  tessera_backend(openmp
    SPACE tessera::openmp::Space
    HEADER backends/openmp/execution/space.hpp
    RANK 11
    MEMORY host
    DESCRIPTION "OpenMP ${OpenMP_CXX_VERSION}")
  target_link_libraries(tessera_backend_openmp INTERFACE OpenMP::OpenMP_CXX)
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_openmp_LIBRARIES OpenMP::OpenMP_CXX)
endif()
