# Finds the libraries that the project compiles against (Kokkos and CUDA belong to their backends). Reports all missing
# libraries together, with the names of their packages.
#
# The global property TESSERA_DEPENDENCY_TABLE lists "name|version" for the table of the configure report and for
# `tessera info`. Other files add rows with tessera_record_dependency().
include_guard(GLOBAL)

# tessera_record_dependency(<name> <version>): adds a row to TESSERA_DEPENDENCY_TABLE.
function(tessera_record_dependency name version)
  if(version STREQUAL "")
    set(version "unknown")
  endif()
  set_property(GLOBAL APPEND PROPERTY TESSERA_DEPENDENCY_TABLE "${name}|${version}")
endfunction()

# tessera_dependency(<name> TARGET <target> [VERSION <minimum>] DEBIAN <package> [OPTIONAL] [MODULE]
#                    PURPOSE <text>)
# Finds a package by its own CMake configuration, or by a find module of CMake with MODULE, unless the enclosing project
# already has the target.
function(tessera_dependency name)
  cmake_parse_arguments(D "OPTIONAL;MODULE" "TARGET;VERSION;DEBIAN;PURPOSE" "" ${ARGN})
  if(TARGET ${D_TARGET})
    if("${${name}_VERSION}" STREQUAL "")
      tessera_record_dependency(${name} "from the enclosing project")
    else()
      tessera_record_dependency(${name} "${${name}_VERSION}")
    endif()
    return()
  endif()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  if(D_MODULE)
    find_package(${name} ${D_VERSION} MODULE QUIET)
    if(NOT ${name}_VERSION)
      set(${name}_VERSION "${${name}_VERSION_STRING}")
    endif()
  else()
    find_package(${name} ${D_VERSION} CONFIG QUIET)
  endif()
  if(${name}_FOUND AND TARGET ${D_TARGET})
    tessera_record_dependency(${name} "${${name}_VERSION}")
  elseif(D_OPTIONAL)
    tessera_record_dependency(${name} "not found (${D_DEBIAN}): no ${D_PURPOSE}")
  else()
    set(text "  ${name}")
    if(D_VERSION)
      string(APPEND text " >= ${D_VERSION}")
    endif()
    string(APPEND text ": ${D_PURPOSE}; package ${D_DEBIAN}")
    if(${name}_CONSIDERED_VERSIONS)
      list(JOIN ${name}_CONSIDERED_VERSIONS ", " versions)
      string(APPEND text " (found: ${versions})")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY TESSERA_DEPENDENCIES_MISSING "${text}\n")
    set_property(GLOBAL APPEND PROPERTY TESSERA_DEPENDENCY_PACKAGES ${D_DEBIAN})
  endif()
endfunction()

tessera_dependency(fmt TARGET fmt::fmt-header-only VERSION 9
  DEBIAN libfmt-dev PURPOSE "formats text")
tessera_dependency(spdlog TARGET spdlog::spdlog_header_only VERSION 1.10
  DEBIAN libspdlog-dev PURPOSE "writes the log")
tessera_dependency(nlohmann_json TARGET nlohmann_json::nlohmann_json VERSION 3.9
  DEBIAN nlohmann-json3-dev PURPOSE "writes and reads JSON")
tessera_dependency(ZLIB TARGET ZLIB::ZLIB VERSION 1.2.9 MODULE
  DEBIAN zlib1g-dev PURPOSE "checksums of files")
tessera_dependency(hwy TARGET hwy::hwy VERSION 1.0 OPTIONAL
  DEBIAN libhwy-dev PURPOSE "hand-tuned kernels with vector instructions")
if(TESSERA_BUILD_APPS)
  tessera_dependency(CLI11 TARGET CLI11::CLI11 VERSION 2.1
    DEBIAN libcli11-dev PURPOSE "parses the command line")
endif()
if(TESSERA_BUILD_APPS OR TESSERA_BUILD_TESTS)
  tessera_dependency(tomlplusplus TARGET tomlplusplus::tomlplusplus VERSION 3.0
    DEBIAN libtomlplusplus-dev PURPOSE "reads case files")
endif()
if(TESSERA_BUILD_TESTS)
  tessera_dependency(doctest TARGET doctest::doctest VERSION 2.4
    DEBIAN doctest-dev PURPOSE "runs the tests")
endif()
if(TESSERA_BUILD_BENCHMARKS)
  tessera_dependency(benchmark TARGET benchmark::benchmark VERSION 1.7
    DEBIAN libbenchmark-dev PURPOSE "runs the benchmarks")
endif()

get_property(missing GLOBAL PROPERTY TESSERA_DEPENDENCIES_MISSING)
if(missing)
  get_property(packages GLOBAL PROPERTY TESSERA_DEPENDENCY_PACKAGES)
  list(JOIN packages " " packages)
  message(FATAL_ERROR "Missing:\n${missing}"
    "On Debian or Ubuntu: scripts/bootstrap, or apt-get install ${packages}.\n"
    "Elsewhere: install them and name their prefixes in CMAKE_PREFIX_PATH.\n")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/loaded_libraries.cmake)
