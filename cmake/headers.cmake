# Public headers <tessera/...>. They are staged (copied, with their includes renamed) in the build tree for
# add_subdirectory and FetchContent, and installed from there.
#
# cmake/public_headers.txt lists the public headers by their paths from the root: core/base/error.hpp becomes
# <tessera/core/base/error.hpp>, physics/md/box.hpp becomes <tessera/md/box.hpp>. <tessera/detail/...> holds the other
# headers that pair kernels of out-of-tree potentials include. Their names and contents may change.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt)
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/public_headers.txt headers REGEX "^[a-z]")
set_property(GLOBAL PROPERTY TESSERA_PUBLIC_HEADERS "${headers}")

# Adds the interface target tessera_headers, for targets that include headers by their staged names: kernels and
# potentials from outside the tree.
function(tessera_add_headers_target)
  add_library(tessera_headers INTERFACE)
  target_include_directories(tessera_headers INTERFACE ${PROJECT_BINARY_DIR}/include)
  target_compile_features(tessera_headers INTERFACE cxx_std_20)
  target_compile_definitions(tessera_headers INTERFACE ${TESSERA_TUNE_SPACE_DEFINITIONS})
endfunction()

# tessera_staged_name(<header> <out>): name by which a user includes the header, without the brackets.
function(tessera_staged_name header out)
  get_property(public GLOBAL PROPERTY TESSERA_PUBLIC_HEADERS)
  if(header IN_LIST public OR header MATCHES "^generated/")
    string(REGEX REPLACE "^physics/" "" name ${header})
    set(name tessera/${name})
  else()
    set(name tessera/detail/${header})
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

# tessera_staged_template(<file> <out>): path of the staged template of a pair kernel. A template outside the tree keeps
# its path.
function(tessera_staged_template file out)
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${file} NORMALIZE inside)
  if(inside)
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${file})
    set(file ${PROJECT_BINARY_DIR}/rows/${place})
  endif()
  set(${out} ${file} PARENT_SCOPE)
endfunction()

# tessera_included_headers(<file> <out>): headers of the tree that a file includes, by their paths from the root.
function(tessera_included_headers file out)
  file(STRINGS ${file} lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"(core|physics|backends|generated)/")
  list(TRANSFORM lines REPLACE "^[^\"]*\"([^\"]*)\".*$" "\\1")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# tessera_stage_file(<source> <target>): copies a file and replaces the names in its includes by those for users. Leaves
# the time stamp of the copy if its contents would not change.
function(tessera_stage_file source target)
  tessera_included_headers(${source} includes)
  file(READ ${source} text)
  foreach(include IN LISTS includes)
    tessera_staged_name(${include} name)
    string(REPLACE "\"${include}\"" "<${name}>" text "${text}")
  endforeach()
  set(old "")
  if(EXISTS ${target})
    file(READ ${target} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${target} "${text}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

# tessera_stage_former_name(<name> <out>): writes the header by which users included a public header of backends/gpu when
# CUDA alone compiled it, with its former namespace.
function(tessera_stage_former_name name out)
  string(REPLACE "/gpu/" "/cuda/" former ${PROJECT_BINARY_DIR}/include/${name})
  tessera_generate(${former} "// Generated: <${name}> by its former name.
#pragma once
#include <${name}>
namespace tessera::cuda {
using namespace gpu;
}  // namespace tessera::cuda
")
  set(${out} ${former} PARENT_SCOPE)
endfunction()

# Stages the public headers, the headers below detail/ and the templates of pair kernels. Sets the global properties
# TESSERA_USER_HEADERS, the paths of the public and detail headers from the root, and TESSERA_STAGED_HEADERS, the staged
# files.
function(tessera_stage_headers)
  # Build folders from before 2026-12 have links into the source tree here, through which copies would overwrite it.
  file(GLOB links ${PROJECT_BINARY_DIR}/include/tessera/*)
  foreach(link IN LISTS links)
    if(IS_SYMLINK ${link})
      file(REMOVE ${link})
    endif()
  endforeach()
  get_property(public GLOBAL PROPERTY TESSERA_PUBLIC_HEADERS)
  foreach(header IN LISTS public)
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${header})
      message(FATAL_ERROR "cmake/public_headers.txt names ${header}, which does not exist")
    endif()
    tessera_included_headers(${PROJECT_SOURCE_DIR}/${header} includes)
    foreach(include IN LISTS includes)
      if(NOT include IN_LIST public AND NOT include MATCHES "^generated/")
        message(FATAL_ERROR "cmake/public_headers.txt names ${header}, which includes ${include}: name that one too, "
                            "or include less")
      endif()
    endforeach()
  endforeach()
  # Also stages headers for templates of backends that this build lacks, so that every build has the same headers.
  file(GLOB templates CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/physics/*/*/*kernel.cpp.in
       ${PROJECT_SOURCE_DIR}/backends/*/*/*kernel.c*.in)
  file(GLOB spaces CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
       ${PROJECT_SOURCE_DIR}/backends/*/execution/space.hpp)
  set(open core/execution/host_space.hpp physics/md/pair_potential/sum_potential.hpp physics/md/pair_potential/switch_potential.hpp
           ${spaces})
  foreach(template IN LISTS templates)
    tessera_included_headers(${template} includes)
    list(APPEND open ${includes})
    tessera_staged_template(${template} staged)
    tessera_stage_file(${template} ${staged})
  endforeach()
  set(headers ${public})
  while(open)
    list(POP_FRONT open header)
    if(header IN_LIST headers OR header MATCHES "^generated/")
      continue()
    endif()
    list(APPEND headers ${header})
    tessera_included_headers(${PROJECT_SOURCE_DIR}/${header} includes)
    list(APPEND open ${includes})
  endwhile()
  list(SORT headers)
  set(files ${PROJECT_BINARY_DIR}/include/tessera/generated/elements.hpp)
  tessera_stage_file(${PROJECT_BINARY_DIR}/generated/elements.hpp ${files})
  foreach(header IN LISTS headers)
    tessera_staged_name(${header} name)
    tessera_stage_file(${PROJECT_SOURCE_DIR}/${header} ${PROJECT_BINARY_DIR}/include/${name})
    list(APPEND files ${PROJECT_BINARY_DIR}/include/${name})
    if(name MATCHES "^tessera/backends/gpu/")
      tessera_stage_former_name(${name} former)
      list(APPEND files ${former})
    endif()
  endforeach()
  # Removes headers that an earlier run staged and that are no longer in the list.
  file(GLOB_RECURSE there ${PROJECT_BINARY_DIR}/include/tessera/*)
  list(REMOVE_ITEM there ${files})
  if(there)
    file(REMOVE ${there})
  endif()
  set_property(GLOBAL PROPERTY TESSERA_USER_HEADERS "${headers}")
  set_property(GLOBAL PROPERTY TESSERA_STAGED_HEADERS "${files}")
endfunction()
