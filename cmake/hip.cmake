# Finds what the backend hip needs, in the scope of the project: sets TESSERA_HIP_REASON to the reason why it cannot be
# built, or leaves it empty and sets
#   TESSERA_HIP_TARGETS   the architectures, TESSERA_HIP_LANES their number of lanes of a warp,
#   TESSERA_HIP_OPTIONS   compile options of its sources, TESSERA_HIP_INCLUDE and TESSERA_HIP_LIBRARY the runtime,
#   TESSERA_HIP_VERSION.
set(TESSERA_HIP_REASON "")
set(TESSERA_HIP_ARCHITECTURES "" CACHE STRING
  "AMD GPUs to compile for, such as gfx90a;gfx942 (default: those of this machine, else gfx90a)")
set(TESSERA_HIP_DEVICE_LIBS "" CACHE PATH
  "Folder with the device libraries (ocml.bc, oclc_isa_version_*.bc), if the compiler does not find them")
set(TESSERA_HIP_OLDEST_CLANG 15)

# tessera_hip_lanes(<architecture> <out>): lanes of a warp; empty for an unknown architecture.
function(tessera_hip_lanes architecture out)
  set(lanes "")
  if(architecture MATCHES "^gfx9[0-9a-f]+$")
    set(lanes 64)
  elseif(architecture MATCHES "^gfx1[0-9][0-9a-f]+$")
    set(lanes 32)
  endif()
  set(${out} "${lanes}" PARENT_SCOPE)
endfunction()

macro(tessera_find_hip)
  find_path(TESSERA_HIP_INCLUDE hip/hip_runtime.h HINTS $ENV{ROCM_PATH}/include /opt/rocm/include)
  find_library(TESSERA_HIP_LIBRARY amdhip64 HINTS $ENV{ROCM_PATH}/lib /opt/rocm/lib)
  mark_as_advanced(TESSERA_HIP_INCLUDE TESSERA_HIP_LIBRARY TESSERA_HIP_DEVICE_LIBS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(TESSERA_HIP_REASON "its kernels need the HIP compiler, set CMAKE_CXX_COMPILER to hipcc, amdclang++ or clang++; \
this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS TESSERA_HIP_OLDEST_CLANG)
    set(TESSERA_HIP_REASON "its kernels need clang ${TESSERA_HIP_OLDEST_CLANG} or later, \
this is ${CMAKE_CXX_COMPILER_VERSION}")
  elseif(NOT TESSERA_HIP_INCLUDE OR NOT TESSERA_HIP_LIBRARY)
    set(TESSERA_HIP_REASON "the HIP runtime was not found (hip/hip_runtime.h, libamdhip64); set ROCM_PATH \
(Debian: libamdhip64-dev)")
  else()
    tessera_choose_hip_targets()
  endif()
endmacro()

macro(tessera_choose_hip_targets)
  set(TESSERA_HIP_TARGETS ${TESSERA_HIP_ARCHITECTURES})
  if(NOT TESSERA_HIP_TARGETS)
    find_program(TESSERA_HIP_ENUMERATOR rocm_agent_enumerator HINTS $ENV{ROCM_PATH}/bin /opt/rocm/bin)
    mark_as_advanced(TESSERA_HIP_ENUMERATOR)
    if(TESSERA_HIP_ENUMERATOR)
      execute_process(COMMAND ${TESSERA_HIP_ENUMERATOR} OUTPUT_VARIABLE TESSERA_HIP_FOUND ERROR_QUIET)
      string(REGEX MATCHALL "gfx[1-9][0-9a-f]+" TESSERA_HIP_TARGETS "${TESSERA_HIP_FOUND}")
      list(REMOVE_DUPLICATES TESSERA_HIP_TARGETS)
    endif()
    if(NOT TESSERA_HIP_TARGETS)
      set(TESSERA_HIP_TARGETS gfx90a)
    endif()
  endif()
  set(TESSERA_HIP_LANES "")
  foreach(TESSERA_HIP_TARGET IN LISTS TESSERA_HIP_TARGETS)
    tessera_hip_lanes(${TESSERA_HIP_TARGET} TESSERA_HIP_LANES_OF_TARGET)
    if(NOT TESSERA_HIP_LANES_OF_TARGET)
      set(TESSERA_HIP_REASON "TESSERA_HIP_ARCHITECTURES names '${TESSERA_HIP_TARGET}', expected architectures such as \
gfx90a, gfx942 or gfx1100")
    elseif(TESSERA_HIP_LANES AND NOT TESSERA_HIP_LANES EQUAL TESSERA_HIP_LANES_OF_TARGET)
      set(TESSERA_HIP_REASON "TESSERA_HIP_ARCHITECTURES names GPUs with warps of 32 and of 64 lanes, \
'${TESSERA_HIP_TARGETS}', expected one of the two in a build")
    endif()
    set(TESSERA_HIP_LANES ${TESSERA_HIP_LANES_OF_TARGET})
  endforeach()
  if(NOT TESSERA_HIP_REASON)
    tessera_try_hip()
  endif()
endmacro()

# Compiles a kernel for each architecture, because compilers and device libraries know different ones.
macro(tessera_try_hip)
  set(TESSERA_HIP_OPTIONS -x hip)
  if(TESSERA_HIP_DEVICE_LIBS)
    list(APPEND TESSERA_HIP_OPTIONS --rocm-device-lib-path=${TESSERA_HIP_DEVICE_LIBS})
  endif()
  file(WRITE ${PROJECT_BINARY_DIR}/hip/try.cpp "\
#include <hip/hip_runtime.h>
__global__ void halve(double* x) { x[threadIdx.x] *= 0.5; }
int main() { halve<<<1, 1>>>(nullptr); return HIP_VERSION_MAJOR; }
")
  foreach(TESSERA_HIP_TARGET IN LISTS TESSERA_HIP_TARGETS)
    execute_process(
      COMMAND ${CMAKE_CXX_COMPILER} ${TESSERA_HIP_OPTIONS} --offload-arch=${TESSERA_HIP_TARGET} -I${TESSERA_HIP_INCLUDE}
              -c ${PROJECT_BINARY_DIR}/hip/try.cpp -o ${PROJECT_BINARY_DIR}/hip/try.o
      RESULT_VARIABLE TESSERA_HIP_RESULT OUTPUT_QUIET ERROR_VARIABLE TESSERA_HIP_ERROR)
    if(TESSERA_HIP_RESULT)
      string(REGEX MATCH "error: [^\n]*" TESSERA_HIP_ERROR "${TESSERA_HIP_ERROR}")
      set(TESSERA_HIP_REASON "${CMAKE_CXX_COMPILER} does not compile for ${TESSERA_HIP_TARGET}: ${TESSERA_HIP_ERROR}")
    endif()
    list(APPEND TESSERA_HIP_OPTIONS_OF_TARGETS --offload-arch=${TESSERA_HIP_TARGET})
  endforeach()
  list(APPEND TESSERA_HIP_OPTIONS ${TESSERA_HIP_OPTIONS_OF_TARGETS})
  unset(TESSERA_HIP_OPTIONS_OF_TARGETS)
  file(GLOB_RECURSE TESSERA_HIP_VERSION_HEADER ${TESSERA_HIP_INCLUDE}/hip/hip_version.h)
  file(STRINGS ${TESSERA_HIP_VERSION_HEADER} TESSERA_HIP_VERSION REGEX "define HIP_VERSION_(MAJOR|MINOR) ")
  string(REGEX MATCHALL "[0-9]+" TESSERA_HIP_VERSION "${TESSERA_HIP_VERSION}")
  list(JOIN TESSERA_HIP_VERSION "." TESSERA_HIP_VERSION)
endmacro()
