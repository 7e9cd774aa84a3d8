# Builds examples/plugin_reduction_ladder against the headers of the installed package, whose library may lack the
# backend cuda. The results are tested in builds with CUDA (tests/plugin/CMakeLists.txt).
include(${CMAKE_CURRENT_LIST_DIR}/../install/run_step.cmake)
set(build ${WORK}/ladder)
configure_and_build(${SOURCE}/examples/plugin_reduction_ladder ${build} -DCMAKE_PREFIX_PATH=${PREFIX}
                    -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON)
if(NOT EXISTS ${build}/reduction_ladder.so)
  message(FATAL_ERROR "${build}/reduction_ladder.so is missing")
endif()
