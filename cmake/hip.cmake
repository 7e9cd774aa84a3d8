# Finds what the backend hip needs, in the scope of the project: sets TESSERA_HIP_REASON to the reason why it cannot be
# built, or leaves it empty and sets
#   TESSERA_HIP_TARGETS   the architectures; TESSERA_HIP_LANES the numbers of lanes of their warps, that of the first
#                         architecture first; TESSERA_HIP_TARGETS_<lanes> the architectures with a number of lanes,
#   TESSERA_HIP_OPTIONS   compile options of its sources, to which --offload-arch=<architecture> is added;
#   TESSERA_HIP_KERNEL_OPTIONS   those of kernels of this project,
#   TESSERA_HIP_INCLUDE and TESSERA_HIP_LIBRARY the runtime,
#   TESSERA_HIP_VERSION.
set(TESSERA_HIP_REASON "")
set(TESSERA_HIP_ARCHITECTURES "" CACHE STRING
  "AMD GPUs to compile for, such as gfx90a;gfx942 (default: those of this machine, else gfx90a)")
set(TESSERA_HIP_DEVICE_LIBS "" CACHE PATH
  "Folder with the device libraries (ocml.bc, oclc_isa_version_*.bc), if the compiler does not find them")
set(TESSERA_HIP_OLDEST_CLANG 15)
# Additions of doubles to memory that devices allocate are native instructions; the kernels add to no other memory.
# Products and sums are contracted within an expression only (by default clang also does so across statements for GPUs):
# sums in fixed point are exact because their products are rounded first, in statements of their own.
# As nvcc does with its headers, every source begins with those of HIP.
set(TESSERA_HIP_KERNEL_OPTIONS -munsafe-fp-atomics -ffp-contract=on -Wno-cuda-compat
  "SHELL:-include hip/hip_runtime.h")

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
  set(TESSERA_HIP_TARGETS_32 "")
  set(TESSERA_HIP_TARGETS_64 "")
  foreach(TESSERA_HIP_TARGET IN LISTS TESSERA_HIP_TARGETS)
    tessera_hip_lanes(${TESSERA_HIP_TARGET} TESSERA_HIP_LANES_OF_TARGET)
    if(TESSERA_HIP_LANES_OF_TARGET)
      list(APPEND TESSERA_HIP_LANES ${TESSERA_HIP_LANES_OF_TARGET})
      list(APPEND TESSERA_HIP_TARGETS_${TESSERA_HIP_LANES_OF_TARGET} ${TESSERA_HIP_TARGET})
    else()
      set(TESSERA_HIP_REASON "TESSERA_HIP_ARCHITECTURES names '${TESSERA_HIP_TARGET}', expected architectures such as \
gfx90a, gfx942 or gfx1100")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES TESSERA_HIP_LANES)
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
  endforeach()
  file(GLOB_RECURSE TESSERA_HIP_VERSION_HEADER ${TESSERA_HIP_INCLUDE}/hip/hip_version.h)
  file(STRINGS ${TESSERA_HIP_VERSION_HEADER} TESSERA_HIP_VERSION REGEX "define HIP_VERSION_(MAJOR|MINOR) ")
  string(REGEX MATCHALL "[0-9]+" TESSERA_HIP_VERSION "${TESSERA_HIP_VERSION}")
  list(JOIN TESSERA_HIP_VERSION "." TESSERA_HIP_VERSION)
endmacro()

# tessera_hip_target_options(<lanes> <out>): the options that compile for the architectures with a number of lanes.
function(tessera_hip_target_options lanes out)
  list(TRANSFORM TESSERA_HIP_TARGETS_${lanes} PREPEND --offload-arch= OUTPUT_VARIABLE options)
  set(${out} ${options} PARENT_SCOPE)
endfunction()
