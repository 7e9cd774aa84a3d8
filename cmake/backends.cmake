# Determines which backends can be built. Each backends/<name>/backend.cmake either calls tessera_backend(), or sets
# TESSERA_BACKEND_REFUSAL to the reason why the backend cannot be built.
include(CheckLanguage)

# tessera_backend(<name> SPACE <type> HEADER <include> [LANGUAGE CXX|CUDA] [SOURCES ...]
#                 RANK <number> MEMORY <host|cuda|hip|emulated> DESCRIPTION <text> [KERNELS_OF <folder>]
#                 [LANES <number>...])
# Declares a backend: the type of its execution space and the header of this type. The interface target
# tessera_backend_<name> carries the compile and link requirements of its objects; pair potentials outside the tree use
# it as Tessera::tessera_backend_<name>. RANK, from 10 to 29, orders the backends for "auto", and orders their portable
# bodies among the implementations of an operation; hand-tuned implementations have rank 30. A rank from 1 to 9 is for a
# backend that no run should use by itself. With KERNELS_OF the plugins of the backend are in backends/<folder>, which
# backends share. LANES is the number of lanes of a warp of its GPUs, which the kernels are compiled for. With several
# numbers everything of the backend is compiled for each, and the program registers what fits the GPUs that it finds
# (docs/decisions/0033). The first set of objects has the name of the backend, each other one <name>_<number>_lanes;
# TESSERA_BACKEND_<name>_SETS lists them. Each has an interface target of its own.
function(tessera_backend name)
  # Parses ARGV instead of ${ARGN}, because a value may contain semicolons.
  cmake_parse_arguments(PARSE_ARGV 1 B "" "SPACE;HEADER;LANGUAGE;RANK;MEMORY;DESCRIPTION;KERNELS_OF" "SOURCES;LANES")
  if(NOT B_RANK MATCHES "^([12][0-9]|[1-9])$")
    message(FATAL_ERROR "backend ${name} has the rank '${B_RANK}', expected a number from 1 to 29")
  endif()
  if(NOT B_LANGUAGE)
    set(B_LANGUAGE CXX)
  endif()
  list(LENGTH B_LANES widths)
  if(widths EQUAL 0)
    set(B_LANES 0)
  endif()
  set(sets "")
  foreach(lanes IN LISTS B_LANES)
    set(set ${name})
    if(sets)
      set(set ${name}_${lanes}_lanes)
    endif()
    list(APPEND sets ${set})
    foreach(key SPACE HEADER LANGUAGE RANK MEMORY DESCRIPTION SOURCES KERNELS_OF)
      set_property(GLOBAL PROPERTY TESSERA_BACKEND_${set}_${key} "${B_${key}}")
    endforeach()
    set_property(GLOBAL PROPERTY TESSERA_BACKEND_${set}_NAME ${name})
    if(NOT TARGET tessera_backend_${set})
      add_library(tessera_backend_${set} INTERFACE)
      add_library(Tessera::tessera_backend_${set} ALIAS tessera_backend_${set})
    endif()
    if(lanes)
      target_compile_definitions(tessera_backend_${set} INTERFACE TESSERA_WARP_SIZE=${lanes})
    endif()
    if(widths GREATER 1)
      set_property(GLOBAL PROPERTY TESSERA_BACKEND_${set}_ONE_OF_LANES ${lanes})
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY TESSERA_BACKEND_${name}_SETS ${sets})
  set_property(GLOBAL APPEND PROPERTY TESSERA_BACKENDS_BUILT ${name})
endfunction()

# tessera_add_objects(<set> <target>): adds an object library to the library. Other sets of a backend than the first are
# linked apart (cmake/library).
function(tessera_add_objects set target)
  get_property(name GLOBAL PROPERTY TESSERA_BACKEND_${set}_NAME)
  if(set STREQUAL name)
    set_property(GLOBAL APPEND PROPERTY TESSERA_OBJECTS ${target})
  else()
    set_property(GLOBAL APPEND PROPERTY TESSERA_BACKEND_${set}_OBJECTS ${target})
  endif()
endfunction()

# tessera_register(<set> <function>...): lets the program call registration functions, for a backend with several sets
# where the GPUs have the number of lanes of this one.
function(tessera_register set)
  set_property(GLOBAL APPEND PROPERTY TESSERA_REGISTRATIONS ${ARGN})
  set_property(GLOBAL APPEND PROPERTY TESSERA_BACKEND_${set}_REGISTRATIONS ${ARGN})
  get_property(lanes GLOBAL PROPERTY TESSERA_BACKEND_${set}_ONE_OF_LANES)
  foreach(function IN LISTS ARGN)
    set_property(GLOBAL PROPERTY TESSERA_LANES_OF_${function} "${lanes}")
  endforeach()
endfunction()

# A macro, because languages and packages must be found in the scope of the project.
macro(tessera_configure_backends)
  file(GLOB TESSERA_BACKEND_FILES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/backends
       ${PROJECT_SOURCE_DIR}/backends/*/backend.cmake)
  set(TESSERA_BACKENDS_KNOWN "")
  foreach(TESSERA_BACKEND_FILE IN LISTS TESSERA_BACKEND_FILES)
    get_filename_component(TESSERA_BACKEND ${TESSERA_BACKEND_FILE} DIRECTORY)
    list(APPEND TESSERA_BACKENDS_KNOWN ${TESSERA_BACKEND})
  endforeach()
  foreach(TESSERA_BACKEND IN LISTS TESSERA_BACKENDS)
    if(NOT TESSERA_BACKEND IN_LIST TESSERA_BACKENDS_KNOWN)
      message(FATAL_ERROR "TESSERA_BACKENDS names '${TESSERA_BACKEND}', which is none of: ${TESSERA_BACKENDS_KNOWN}")
    endif()
  endforeach()
  # An enclosing project that calls tessera_add_pair_form_library also needs the targets of packages found here.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  # Alphabetical order puts cuda before kokkos, which needs to know whether CUDA is on.
  foreach(TESSERA_BACKEND IN LISTS TESSERA_BACKENDS_KNOWN)
    set(TESSERA_BACKEND_REFUSAL "")
    if(TESSERA_BACKENDS AND NOT TESSERA_BACKEND IN_LIST TESSERA_BACKENDS)
      set(TESSERA_BACKEND_REFUSAL "not in TESSERA_BACKENDS")
    elseif(TESSERA_SANITIZE AND TESSERA_BACKEND STREQUAL "cuda")
      set(TESSERA_BACKEND_REFUSAL "host sanitizers are on")
    else()
      include(${PROJECT_SOURCE_DIR}/backends/${TESSERA_BACKEND}/backend.cmake)
      if(TESSERA_BACKEND_REFUSAL AND TESSERA_BACKENDS)
        message(FATAL_ERROR "Backend ${TESSERA_BACKEND} was asked for but cannot be built: ${TESSERA_BACKEND_REFUSAL}")
      endif()
    endif()
    set_property(GLOBAL PROPERTY TESSERA_BACKEND_${TESSERA_BACKEND}_REFUSAL "${TESSERA_BACKEND_REFUSAL}")
  endforeach()
  set_property(GLOBAL PROPERTY TESSERA_BACKENDS_KNOWN "${TESSERA_BACKENDS_KNOWN}")
  get_property(TESSERA_BACKENDS_BUILT GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
  if(NOT TESSERA_BACKENDS_BUILT)
    message(FATAL_ERROR "No backend can be built")
  endif()
endmacro()

# Requirements of the portable bodies that all host backends share: none beyond those of every target.
add_library(tessera_backend_host INTERFACE)
add_library(Tessera::tessera_backend_host ALIAS tessera_backend_host)
set_property(GLOBAL PROPERTY TESSERA_BACKEND_host_LANGUAGE CXX)
set_property(GLOBAL PROPERTY TESSERA_BACKEND_host_NAME host)

# Adds an object library whose sources compile with the flags of one backend, or of a set of its objects.
function(tessera_backend_objects target backend)
  get_property(language GLOBAL PROPERTY TESSERA_BACKEND_${backend}_LANGUAGE)
  add_library(${target} OBJECT ${ARGN})
  # A backend may compile sources as another language than their names say.
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES LANGUAGE ${language})
  target_link_libraries(${target} PRIVATE tessera_flags tessera_headers tessera_backend_${backend})
  tessera_add_objects(${backend} ${target})
endfunction()
