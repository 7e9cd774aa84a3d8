# Headers of HDF5 and FFTW, libraries that a program loads at run time when it first needs them (docs/decisions/0017 and
# 0018). Their headers supply types and signatures; no target links the libraries. A build without the headers of HDF5
# has no openPMD files, a build without those of FFTW no Fourier transforms on hosts; messages at run time say so.
# TESSERA_HDF5_INCLUDE and TESSERA_FFTW_INCLUDE are the folders of the headers; OFF leaves the headers out.
include_guard(GLOBAL)
include(CheckCXXSourceCompiles)

# tessera_headers_of(<name> HEADER <file> FOLDERS <suffixes> VERSION_FILE <file> VERSION_OF <regular expressions>
#                    DEBIAN <package> PURPOSE <text>)
# Adds the interface target tessera_<name>_headers. If the header compiles, the target has the folder of the headers and
# defines TESSERA_<NAME>_HEADERS, and the caller's TESSERA_HAS_<NAME> is ON. The header of a parallel HDF5 compiles only
# if the compiler finds MPI.
function(tessera_headers_of name)
  cmake_parse_arguments(H "" "HEADER;VERSION_FILE;DEBIAN;PURPOSE" "FOLDERS;VERSION_OF" ${ARGN})
  string(TOUPPER ${name} upper)
  add_library(tessera_${name}_headers INTERFACE)
  find_path(TESSERA_${upper}_INCLUDE ${H_HEADER}
    HINTS ${${upper}_ROOT} ENV ${upper}_ROOT ENV ${upper}_DIR PATH_SUFFIXES ${H_FOLDERS})
  mark_as_advanced(TESSERA_${upper}_INCLUDE)
  set(folder ${TESSERA_${upper}_INCLUDE})
  if(NOT folder)
    tessera_record_dependency(${upper} "no headers (${H_DEBIAN}): no ${H_PURPOSE}")
    return()
  endif()
  string(MD5 key "${folder}")
  set(CMAKE_REQUIRED_INCLUDES ${folder})
  set(CMAKE_REQUIRED_QUIET ON)
  check_cxx_source_compiles("#include <${H_HEADER}>\nint main() {}" TESSERA_${upper}_COMPILES_${key})
  if(NOT TESSERA_${upper}_COMPILES_${key})
    tessera_record_dependency(${upper} "${folder}/${H_HEADER} cannot be compiled (${H_DEBIAN}): no ${H_PURPOSE}")
    return()
  endif()
  set(version "")
  if(H_VERSION_FILE AND EXISTS ${folder}/${H_VERSION_FILE})
    file(READ ${folder}/${H_VERSION_FILE} text)
    foreach(expression IN LISTS H_VERSION_OF)
      if(text MATCHES "${expression}[ \t]+([0-9]+)")
        list(APPEND version ${CMAKE_MATCH_1})
      endif()
    endforeach()
    list(JOIN version "." version)
    string(REGEX REPLACE "[.][0-9]+$" "" TESSERA_${upper}_VERSION "${version}")
    set(TESSERA_${upper}_VERSION ${TESSERA_${upper}_VERSION} PARENT_SCOPE)
    string(APPEND version ", ")
  endif()
  tessera_record_dependency(${upper} "${version}loaded when it is asked for")
  target_include_directories(tessera_${name}_headers SYSTEM INTERFACE ${folder})
  target_compile_definitions(tessera_${name}_headers INTERFACE TESSERA_${upper}_HEADERS)
  set(TESSERA_HAS_${upper} ON PARENT_SCOPE)
endfunction()

# The calls set TESSERA_HAS_HDF5, TESSERA_HAS_FFTW, and TESSERA_HDF5_VERSION, the version of the headers as in "1.10".
set(TESSERA_HAS_HDF5 OFF)
set(TESSERA_HAS_FFTW OFF)
tessera_headers_of(hdf5 HEADER hdf5.h
  FOLDERS include/hdf5/serial hdf5/serial include include/hdf5/openmpi hdf5/openmpi include/hdf5/mpich hdf5/mpich
  VERSION_FILE H5public.h VERSION_OF "H5_VERS_MAJOR" "H5_VERS_MINOR" "H5_VERS_RELEASE"
  DEBIAN libhdf5-dev PURPOSE "openPMD files")
tessera_headers_of(fftw HEADER fftw3.h FOLDERS include
  DEBIAN libfftw3-dev PURPOSE "Fourier transforms on hosts, and no space charge")
