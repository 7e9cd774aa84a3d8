# Finds the libraries that the project compiles against (Kokkos and CUDA belong to their backends). Reports all missing
# libraries together, with the names of their packages.
#
# The global property TESSERA_DEPENDENCY_TABLE lists "name|version" for the table of the configure report and for
# `tessera info`. Other files add rows with tessera_record_dependency().
include_guard(GLOBAL)

# tessera_record_dependency(<name> <version>)
function(tessera_record_dependency name version)
  if(version STREQUAL "")
    set(version "unknown")
  endif()
  set_property(GLOBAL APPEND PROPERTY TESSERA_DEPENDENCY_TABLE "${name}|${version}")
endfunction()

# tessera_dependency(<name> TARGET <target> [VERSION <minimum>] DEBIAN <package> [OPTIONAL]
#                    PURPOSE <text>)
# Finds a package by its CMake configuration, unless the enclosing project provides the target.
function(tessera_dependency name)
  cmake_parse_arguments(D "OPTIONAL" "TARGET;VERSION;DEBIAN;PURPOSE" "" ${ARGN})
  if(TARGET ${D_TARGET})
    if("${${name}_VERSION}" STREQUAL "")
      tessera_record_dependency(${name} "from the enclosing project")
    else()
      tessera_record_dependency(${name} "${${name}_VERSION}")
    endif()
    return()
  endif()
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(${name} ${D_VERSION} CONFIG QUIET)
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

# HDF5 is loaded at run time: builds do not need it, but runs may (docs/decisions/0018).
find_file(TESSERA_HDF5_LIBRARY
  NAMES libhdf5_serial.so libhdf5.so libhdf5_serial.so.103 libhdf5.so.103 libhdf5_serial.so.200 libhdf5.so.200
        libhdf5_serial.so.310 libhdf5.so.310
  PATH_SUFFIXES lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE} PATHS /usr)
mark_as_advanced(TESSERA_HDF5_LIBRARY)
if(NOT TESSERA_HDF5_LIBRARY)
  message(STATUS "Tessera: no HDF5 here; openPMD files are refused until there is one (package libhdf5-dev)")
endif()
