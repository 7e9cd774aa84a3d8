# tessera_find_kokkos(), which finds Kokkos or builds it.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/registry.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/build.cmake)

set(TESSERA_KOKKOS_SOURCE_DIR "" CACHE PATH
    "A Kokkos source tree to build when no installed Kokkos is found")
option(TESSERA_FETCH_KOKKOS "Download and build Kokkos when none is found" ON)
option(TESSERA_KOKKOS_SKIP_INSTALLED "Do not use an installed Kokkos" OFF)
option(TESSERA_KOKKOS_CUDA "Use Kokkos with CUDA when CUDA is on" ON)
option(TESSERA_KOKKOS_HIP "Use Kokkos with HIP when HIP is on" ON)
option(TESSERA_NATIVE "Compile host code for the processor of this machine" ON)
set(TESSERA_DEPS_DIR ${CMAKE_SOURCE_DIR}/.deps CACHE PATH
    "Where dependencies that Tessera builds itself are kept")

set(TESSERA_KOKKOS_MINIMUM 4.5)
set(TESSERA_KOKKOS_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# Adds the target tessera_kokkos for sources that include Kokkos. It has Kokkos::kokkos and, for nvcc, the header that
# lets older releases compile with CUDA 13.
function(tessera_kokkos_target)
  if(TARGET tessera_kokkos)
    return()
  endif()
  add_library(tessera_kokkos INTERFACE)
  target_link_libraries(tessera_kokkos INTERFACE Kokkos::kokkos)
  set(header ${TESSERA_KOKKOS_CMAKE_DIR}/cuda13_compatibility.hpp)
  set(installed "$<INSTALL_PREFIX>/${TESSERA_KOKKOS_HEADER_DESTINATION}/cuda13_compatibility.hpp")
  set(nvcc "$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>")
  target_compile_options(tessera_kokkos INTERFACE
    "$<BUILD_INTERFACE:$<${nvcc}:--pre-include=${header}>>"
    "$<INSTALL_INTERFACE:$<${nvcc}:--pre-include=${installed}>>")
endfunction()

# tessera_install_kokkos_target(<export>)
# Installs the target tessera_kokkos in an export set, with the header that it force-includes.
function(tessera_install_kokkos_target export)
  install(TARGETS tessera_kokkos EXPORT ${export})
  install(FILES ${TESSERA_KOKKOS_CMAKE_DIR}/cuda13_compatibility.hpp
    DESTINATION ${TESSERA_KOKKOS_HEADER_DESTINATION})
endfunction()

# Sets <reason_var> to the reason why the Kokkos that find_package() just found cannot be used; empty if it can. <gpu> is
# CUDA, HIP or empty.
function(tessera_kokkos_judge where gpu reason_var)
  set(reason "")
  if(gpu AND NOT gpu IN_LIST Kokkos_DEVICES)
    message(FATAL_ERROR
      "The Kokkos ${Kokkos_VERSION} ${where} was built without ${gpu} (its devices: ${Kokkos_DEVICES}), "
      "but ${gpu} is asked for. Do one of these:\n"
      "  1. name a Kokkos that has ${gpu}:               -DKokkos_ROOT=<prefix>\n"
      "  2. let this project build one with ${gpu}:      -DTESSERA_KOKKOS_SKIP_INSTALLED=ON "
      "(with your sources: also -DTESSERA_KOKKOS_SOURCE_DIR=<folder>)\n"
      "  3. use this Kokkos on the host only:          -DTESSERA_KOKKOS_${gpu}=OFF\n")
  endif()
  foreach(other CUDA HIP)
    if(NOT gpu STREQUAL other AND other IN_LIST Kokkos_DEVICES)
      set(reason "the Kokkos ${Kokkos_VERSION} ${where} was built with ${other}, so a C++ compiler cannot \
include it, and ${other} is off: name another with -DKokkos_ROOT=<prefix> or set \
-DTESSERA_KOKKOS_SKIP_INSTALLED=ON")
    endif()
  endforeach()
  if(gpu STREQUAL "HIP" AND Kokkos_HIP_ARCHITECTURES)
    list(GET TESSERA_HIP_LANES 0 expected)
    tessera_hip_lanes(${Kokkos_HIP_ARCHITECTURES} lanes)
    if(NOT lanes EQUAL expected)
      message(FATAL_ERROR "The Kokkos ${Kokkos_VERSION} ${where} was built for ${Kokkos_HIP_ARCHITECTURES}, which has "
        "${lanes} lanes a warp, and the first architecture in TESSERA_HIP_ARCHITECTURES has ${expected}: "
        "${TESSERA_HIP_TARGETS}. Name another with -DKokkos_ROOT=<prefix> or set -DTESSERA_KOKKOS_SKIP_INSTALLED=ON")
    endif()
  endif()
  set(${reason_var} "${reason}" PARENT_SCOPE)
endfunction()

# tessera_find_kokkos(<result_var> [GPU CUDA|HIP])
# Searches for Kokkos 4.5 or newer in this order: in the enclosing project, installed (Kokkos_ROOT,
# CMAKE_PREFIX_PATH), as a source tree (TESSERA_KOKKOS_SOURCE_DIR), in the Python package registry
# (TESSERA_FETCH_KOKKOS). With GPU CUDA the language CUDA must be enabled before the call, with GPU HIP
# tessera_find_hip() has succeeded. Sets <result_var> to whether Kokkos was found and, in the caller's scope,
#   TESSERA_KOKKOS_FOUND    whether Kokkos was found; then the target tessera_kokkos exists
#   TESSERA_KOKKOS_VERSION  e.g. 4.5.1
#   TESSERA_KOKKOS_ORIGIN   description of the place where it was found
#   TESSERA_KOKKOS_PREFIX   its installation, for find_package() in projects that use this one
#   TESSERA_KOKKOS_DEVICES  e.g. OPENMP;SERIAL;CUDA
#   TESSERA_KOKKOS_TUNING   whether it supports tuning tools (Kokkos_ENABLE_TUNING)
#   TESSERA_KOKKOS_REASON   reason why it was not found
function(tessera_find_kokkos result_var)
  cmake_parse_arguments(K "" "GPU" "" ${ARGN})
  set(gpu "")
  if(K_GPU AND TESSERA_KOKKOS_${K_GPU})
    set(gpu ${K_GPU})
    if(gpu STREQUAL "CUDA" AND NOT CMAKE_CUDA_COMPILER_LOADED)
      message(FATAL_ERROR "tessera_find_kokkos(GPU CUDA) needs enable_language(CUDA) before it")
    endif()
  endif()
  include(GNUInstallDirs)
  if(NOT TESSERA_KOKKOS_HEADER_DESTINATION)
    set(TESSERA_KOKKOS_HEADER_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)
    set(TESSERA_KOKKOS_HEADER_DESTINATION ${TESSERA_KOKKOS_HEADER_DESTINATION} PARENT_SCOPE)
  endif()

  set(found OFF)
  set(tuning OFF)
  set(origin "")
  set(prefix "")
  set(reasons "")
  # Makes the targets of Kokkos visible in every folder of the project, and keeps Kokkos from wrapping the compiler.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  set(Kokkos_LAUNCH_COMPILER OFF)

  if(TARGET Kokkos::kokkos)
    if(NOT Kokkos_VERSION)
      set(Kokkos_VERSION unknown)
    elseif(Kokkos_VERSION VERSION_LESS TESSERA_KOKKOS_MINIMUM)
      message(FATAL_ERROR "The enclosing project brings Kokkos ${Kokkos_VERSION}; "
        "${TESSERA_KOKKOS_MINIMUM} or newer is needed")
    endif()
    set(devices ${Kokkos_DEVICES})
    if(NOT devices)
      foreach(device SERIAL OPENMP THREADS CUDA HIP SYCL)
        if(Kokkos_ENABLE_${device})
          list(APPEND devices ${device})
        endif()
      endforeach()
    endif()
    set(Kokkos_DEVICES ${devices})
    tessera_kokkos_judge("of the enclosing project" "${gpu}" reason)
    if(reason)
      list(APPEND reasons "${reason}")
    else()
      set(found ON)
      set(origin "the enclosing project")
    endif()
  else()
    set(rejected OFF)
    if(NOT TESSERA_KOKKOS_SKIP_INSTALLED)
      find_package(Kokkos ${TESSERA_KOKKOS_MINIMUM} CONFIG QUIET)
      if(Kokkos_FOUND)
        tessera_kokkos_judge("in ${Kokkos_DIR}" "${gpu}" reason)
        if(reason)
          # The targets of the refused Kokkos cannot be removed, so that no other one can be used in this run.
          list(APPEND reasons "${reason}")
          set(rejected ON)
        else()
          set(found ON)
          get_filename_component(prefix ${Kokkos_DIR} REALPATH)
          string(REGEX REPLACE "/(lib[^/]*|share)/.*$" "" prefix ${prefix})
          set(origin "found in ${prefix}")
        endif()
      else()
        foreach(version IN LISTS Kokkos_CONSIDERED_VERSIONS)
          list(FIND Kokkos_CONSIDERED_VERSIONS ${version} index)
          list(GET Kokkos_CONSIDERED_CONFIGS ${index} config)
          if(version VERSION_LESS TESSERA_KOKKOS_MINIMUM)
            set(note "the Kokkos ${version} in ${config} is older than ${TESSERA_KOKKOS_MINIMUM}")
            message(STATUS "Kokkos: not used: ${note}")
            list(APPEND reasons "${note}")
          endif()
        endforeach()
        if(NOT reasons)
          list(APPEND reasons "no installed Kokkos found (Kokkos_ROOT names one)")
        endif()
      endif()
    endif()

    set(built "")
    if(found OR rejected)
      # Nothing to build.
    elseif(TESSERA_KOKKOS_SOURCE_DIR)
      get_filename_component(source ${TESSERA_KOKKOS_SOURCE_DIR} ABSOLUTE BASE_DIR ${CMAKE_BINARY_DIR})
      tessera_kokkos_source_version(${source} version)
      if(NOT version)
        message(FATAL_ERROR "TESSERA_KOKKOS_SOURCE_DIR=${source} is no Kokkos source tree")
      elseif(version VERSION_LESS TESSERA_KOKKOS_MINIMUM)
        message(FATAL_ERROR "TESSERA_KOKKOS_SOURCE_DIR=${source} holds Kokkos ${version}; "
          "${TESSERA_KOKKOS_MINIMUM} or newer is needed")
      endif()
      tessera_kokkos_build(${source} ${version} "${gpu}" built reason)
      if(NOT built)
        message(FATAL_ERROR "Kokkos from TESSERA_KOKKOS_SOURCE_DIR=${source}: ${reason}")
      endif()
      set(origin "source tree ${source}")
    elseif(TESSERA_FETCH_KOKKOS)
      tessera_kokkos_fetch(source reason)
      if(source)
        tessera_kokkos_build(${source} ${TESSERA_KOKKOS_REGISTRY_VERSION} "${gpu}" built reason)
      endif()
      if(NOT built)
        list(APPEND reasons "${reason}")
      endif()
      set(origin
        "registry (${TESSERA_KOKKOS_REGISTRY_PACKAGE} ${TESSERA_KOKKOS_REGISTRY_RELEASE})")
    else()
      list(APPEND reasons "TESSERA_FETCH_KOKKOS is off")
    endif()
    if(built)
      # Removes the path from the cache, because the next run would take it for an installation of the user.
      unset(Kokkos_DIR CACHE)
      find_package(Kokkos ${TESSERA_KOKKOS_MINIMUM} CONFIG QUIET REQUIRED PATHS ${built}
        NO_DEFAULT_PATH)
      unset(Kokkos_DIR CACHE)
      set(found ON)
      set(prefix ${built})
    endif()
  endif()

  list(JOIN reasons "; " reasons)
  if(found)
    tessera_kokkos_target()
    set(reasons "")
    if(TUNING IN_LIST Kokkos_OPTIONS OR Kokkos_ENABLE_TUNING)
      set(tuning ON)
    endif()
    if(COMMAND tessera_record_dependency)
      set(tools "without tuning")
      if(tuning)
        set(tools "with tuning")
      endif()
      tessera_record_dependency(Kokkos "${Kokkos_VERSION}, ${origin}, ${tools}")
    endif()
  else()
    set(origin "")
    set(Kokkos_VERSION "")
    set(Kokkos_DEVICES "")
  endif()
  set(${result_var} ${found} PARENT_SCOPE)
  set(TESSERA_KOKKOS_FOUND ${found} PARENT_SCOPE)
  set(TESSERA_KOKKOS_VERSION "${Kokkos_VERSION}" PARENT_SCOPE)
  set(TESSERA_KOKKOS_ORIGIN "${origin}" PARENT_SCOPE)
  set(TESSERA_KOKKOS_PREFIX "${prefix}" PARENT_SCOPE)
  set(TESSERA_KOKKOS_DEVICES "${Kokkos_DEVICES}" PARENT_SCOPE)
  set(TESSERA_KOKKOS_TUNING ${tuning} PARENT_SCOPE)
  set(TESSERA_KOKKOS_REASON "${reasons}" PARENT_SCOPE)
endfunction()
