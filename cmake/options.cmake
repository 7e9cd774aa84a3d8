# Options for users, and flags and helpers of all targets.
include(CMakeDependentOption)

set(TESSERA_BACKENDS "" CACHE STRING
    "Backends to build, e.g. \"serial;openmp;kokkos;cuda\"; empty: every one that can be built")
set(TESSERA_SELECT "" CACHE STRING
    "Implementations chosen for this build, e.g. \"pair_force=cuda.list;charge_deposit=auto\"")
set(TESSERA_PLUGIN_PRECISIONS "" CACHE STRING
    "Precisions of the hand-tuned implementations that are built, e.g. \"single;mixed\"; empty: all")
set(TESSERA_PLUGIN_DIRS "" CACHE STRING "Folders outside the tree that hold plugins")
set(TESSERA_CUDA_ARCHITECTURES "" CACHE STRING
    "CUDA architectures, e.g. \"80;90\"; empty: those of the GPUs present, else 90")
option(TESSERA_NATIVE "Compile host code for the processor of this machine" ON)
option(TESSERA_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
set(TESSERA_SANITIZE "" CACHE STRING "Sanitizers for host code, e.g. \"address,undefined\" or \"thread\"")
option(TESSERA_BUILD_APPS "Build the command line" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_BUILD_BENCHMARKS "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_FUZZ "Build the targets of libFuzzer, for clang (preset sanitize, scripts/fuzz)" OFF)
option(TESSERA_INSTALL "Create install rules" ${PROJECT_IS_TOP_LEVEL})
option(TESSERA_UNITY_BUILD "Compile several sources in one unit: less time from nothing, more after a change" OFF)
set(TESSERA_OBJECTS_FROM "" CACHE PATH
    "A finished build of this tree with the same flags, whose objects that no backend changes are linked")
set(TESSERA_DEPS_DIR ${CMAKE_CURRENT_SOURCE_DIR}/.deps CACHE PATH
    "Where dependencies that Tessera builds itself are kept")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(PROJECT_IS_TOP_LEVEL)
  find_program(TESSERA_CCACHE ccache)
  if(TESSERA_CCACHE)
    # Makes paths in the tree relative, so that two build folders share cached objects.
    set(launcher env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${TESSERA_CCACHE})
    if(CMAKE_BUILD_TYPE STREQUAL "Release")
      list(INSERT launcher 1 CCACHE_NOHASHDIR=1)
    endif()
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
  endif()
  find_program(TESSERA_MOLD mold)
  if(TESSERA_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
    add_link_options($<$<NOT:$<LINK_LANGUAGE:CUDA>>:-fuse-ld=mold>)
  endif()
endif()

# All objects have the same architecture flags, because they share inline functions.
set(TESSERA_ARCH_FLAGS "")
if(TESSERA_NATIVE AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(TESSERA_ARCH_FLAGS -march=native)
endif()
string(REPLACE ";" " " TESSERA_ARCH_FLAGS_TEXT "${TESSERA_ARCH_FLAGS}")
set_property(GLOBAL PROPERTY TESSERA_ROW_OPTIONS "${TESSERA_ARCH_FLAGS}")  # for cmake/pair_form_library.cmake

# Compile flags of every target of this project; never exported. Three warnings are off because of false alarms: GCC 12
# takes the empty strings of a designated initializer (at -O3) and local variables of CUB (at -O1) for uninitialized,
# and Clang objects that std::stable_sort of libstdc++ 12 calls a function that libstdc++ has deprecated.
set(TESSERA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor)
set(TESSERA_FALSE_ALARMS_GNU -Wno-restrict -Wno-maybe-uninitialized)
set(TESSERA_FALSE_ALARMS_Clang -Wno-deprecated-declarations)
# clang 19 warns about features that its own -march=native enables on processors with AVX10.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  list(APPEND TESSERA_FALSE_ALARMS_Clang -Wno-invalid-feature-combination)
endif()
list(APPEND TESSERA_WARNINGS ${TESSERA_FALSE_ALARMS_${CMAKE_CXX_COMPILER_ID}})
# The host compiler behind nvcc gets no -Wpedantic, because it compiles output of nvcc, whose line markers are no ISO
# C++.
set(TESSERA_WARNINGS_BEHIND_NVCC -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor ${TESSERA_FALSE_ALARMS_${CMAKE_CXX_COMPILER_ID}})
if(TESSERA_WARNINGS_AS_ERRORS)
  list(APPEND TESSERA_WARNINGS -Werror)
  list(APPEND TESSERA_WARNINGS_BEHIND_NVCC -Werror)
endif()
list(JOIN TESSERA_WARNINGS_BEHIND_NVCC "," TESSERA_WARNINGS_BEHIND_NVCC)
add_library(tessera_flags INTERFACE)
# Sources of the tree include headers by their paths from the root. Users get the staged headers (cmake/headers.cmake).
target_include_directories(tessera_flags INTERFACE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
target_compile_options(tessera_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${TESSERA_WARNINGS};${TESSERA_ARCH_FLAGS}>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${TESSERA_WARNINGS_BEHIND_NVCC}$<$<BOOL:${TESSERA_WARNINGS_AS_ERRORS}>:;-Werror=all-warnings>>)
# -O1 in release builds, which halves the compile time, for code outside the time step: case files, trials, tests.
set(TESSERA_QUICK_TO_COMPILE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
add_library(tessera_quick_to_compile INTERFACE)
target_compile_options(tessera_quick_to_compile INTERFACE ${TESSERA_QUICK_TO_COMPILE})
# The same, but -O0 with sanitizers, for code whose speed does not matter in tests either: command line, case files.
set(TESSERA_QUICKEST_TO_COMPILE ${TESSERA_QUICK_TO_COMPILE})
if(TESSERA_SANITIZE)
  set(TESSERA_QUICKEST_TO_COMPILE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
endif()
add_library(tessera_quickest_to_compile INTERFACE)
target_compile_options(tessera_quickest_to_compile INTERFACE ${TESSERA_QUICKEST_TO_COMPILE})
# tessera_may_unite(<target>): combines up to 16 sources in one unit with TESSERA_UNITY_BUILD, because most of their
# compile time goes into the same headers.
function(tessera_may_unite target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TESSERA_UNITY_BUILD} UNITY_BUILD_BATCH_SIZE 16)
endfunction()
# tessera_object_library(<target> [APART] SOURCES <file>... LIBRARIES <target>...)
# Adds an object library whose objects do not depend on the backends of a build. With APART no sources are united. If
# TESSERA_OBJECTS_FROM names a finished build of this tree with the same flags, its objects are used instead; a build
# that finds objects older than their sources has them built, and fails once.
function(tessera_object_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART" "" "SOURCES;LIBRARIES")
  if(NOT TESSERA_OBJECTS_FROM)
    add_library(${target} OBJECT ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
    if(NOT arg_APART)
      tessera_may_unite(${target})
    endif()
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/objects/${target}.txt CONTENT "$<TARGET_OBJECTS:${target}>")
    if(NOT TARGET tessera_objects)
      add_custom_target(tessera_objects)
    endif()
    add_dependencies(tessera_objects ${target})
    return()
  endif()
  set(list ${TESSERA_OBJECTS_FROM}/objects/${target}.txt)
  if(NOT EXISTS ${list})
    message(FATAL_ERROR "TESSERA_OBJECTS_FROM = '${TESSERA_OBJECTS_FROM}' has no objects of ${target}, expected "
                        "the folder of a finished build of this tree")
  endif()
  file(READ ${list} objects)
  add_library(${target} OBJECT IMPORTED GLOBAL)
  set_target_properties(${target} PROPERTIES IMPORTED_OBJECTS "${objects}")
  if(CMAKE_GENERATOR MATCHES Ninja)
    if(NOT TARGET tessera_check_objects)
      add_custom_target(tessera_check_objects COMMAND ${CMAKE_COMMAND} -DFOLDER=${TESSERA_OBJECTS_FROM}
        -P ${PROJECT_SOURCE_DIR}/cmake/check_objects.cmake VERBATIM)
    endif()
    add_dependencies(${target} tessera_check_objects)
  endif()
endfunction()
if(TESSERA_SANITIZE)
  target_compile_options(tessera_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TESSERA_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(tessera_flags INTERFACE -fsanitize=${TESSERA_SANITIZE})
endif()

find_package(Git QUIET)
set(TESSERA_COMMIT "unknown")
if(GIT_FOUND AND EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=10
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE TESSERA_COMMIT
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
