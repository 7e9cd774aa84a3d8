# tessera_add_pair_form_library(): pair potentials outside the tree, as libraries that a program loads at run time.
include(${CMAKE_CURRENT_LIST_DIR}/names.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/plugin_library.cmake)

# Derives the name and the C++ type of a potential from the file name of its header: lj_cut.hpp defines the type LjCut
# of the potential lj/cut.
function(tessera_pair_potential_of_header header out_name out_type)
  get_filename_component(stem ${header} NAME_WE)
  if(NOT stem MATCHES "^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$")
    message(FATAL_ERROR "${header}: the name of a form is made from that of its header; expected one like my_potential.hpp")
  endif()
  string(REPLACE "_" "/" name ${stem})
  tessera_type_name(${stem} type)
  set(${out_name} ${name} PARENT_SCOPE)
  set(${out_type} ${type} PARENT_SCOPE)
endfunction()

# tessera_why_no_kernels(<backend> <needed targets> <out>): reason why pair kernels of the backend cannot be compiled in
# this project; empty if they can.
function(tessera_why_no_kernels backend needs out)
  set(reason "")
  get_property(language GLOBAL PROPERTY TESSERA_BACKEND_${backend}_LANGUAGE)
  get_property(libraries GLOBAL PROPERTY TESSERA_BACKEND_${backend}_LIBRARIES)
  list(FILTER libraries INCLUDE REGEX "::")
  if(language STREQUAL "CUDA" AND NOT CMAKE_CUDA_COMPILER_LOADED)
    set(reason "CUDA is not enabled in this project (tessera_enable_cuda)")
  else()
    foreach(library IN LISTS libraries needs)
      if(NOT TARGET ${library})
        set(reason "the library ${library} was not found")
        break()
      endif()
    endforeach()
  endif()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()

# tessera_add_pair_form_library(<target> <header>)
# Adds a plugin library with the pair potential of a header (physics/md/potentials/README.md): the description of the
# potential for the host, and its pair kernel for each implementation in this build of Tessera, or in the installed
# package, that can be compiled here. CMake prints the implementations without a kernel for it. The code is compiled
# with
# -O3 -DNDEBUG if the project sets no build type. Like every plugin the library is loaded with --plugin or
# TESSERA_PLUGINS, and uses the code of Tessera in the program.
#
# The global property TESSERA_ROW_KERNELS lists the templates of pair kernels. The properties
# TESSERA_ROW_KERNEL_<name>_<key> of each are TEMPLATE, its staged file; BACKEND, IMPLEMENTATION, FUNCTION, SPACE and
# SPACE_HEADER, values of its ROW_... variables; and NEEDS, targets besides those of the backend. TESSERA_ROW_OPTIONS
# are options of the host compiler.
function(tessera_add_pair_form_library target header)
  get_filename_component(header ${header} ABSOLUTE)
  if(NOT EXISTS ${header})
    message(FATAL_ERROR "tessera_add_pair_form_library(${target}): there is no header ${header}")
  endif()
  tessera_pair_potential_of_header(${header} FORM_NAME type)
  set(FORM_TYPE potentials::${type})
  set(FORM_INCLUDES "#include <tessera/md/pair_potential/potential_functions.hpp>\n#include \"${header}\"")
  set(options "")
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(options -O3 -DNDEBUG)
  endif()
  get_property(row_options GLOBAL PROPERTY TESSERA_ROW_OPTIONS)
  get_property(kernels GLOBAL PROPERTY TESSERA_ROW_KERNELS)
  set(declarations "")
  set(calls "")
  set(objects "")
  set(left_out "")
  foreach(kernel IN LISTS kernels)
    foreach(key TEMPLATE BACKEND IMPLEMENTATION FUNCTION SPACE SPACE_HEADER NEEDS)
      get_property(ROW_${key} GLOBAL PROPERTY TESSERA_ROW_KERNEL_${kernel}_${key})
    endforeach()
    tessera_why_no_kernels(${ROW_BACKEND} "${ROW_NEEDS}" reason)
    if(reason)
      list(APPEND left_out "${ROW_IMPLEMENTATION}: ${reason}")
      continue()
    endif()
    string(REGEX REPLACE "^.*(\\.[a-z]+)\\.in$" "\\1" extension ${ROW_TEMPLATE})
    string(MAKE_C_IDENTIFIER register_${target}_${kernel} ROW_REGISTRATION)
    set(ROW_FILE ${CMAKE_CURRENT_BINARY_DIR}/${target}_${kernel}${extension})
    configure_file(${ROW_TEMPLATE} ${ROW_FILE} @ONLY)
    string(APPEND declarations "void ${ROW_REGISTRATION}(Registry&);\n")
    string(APPEND calls "  tessera::generated::${ROW_REGISTRATION}(registry);\n")
    set(rows ${target}_${kernel})
    add_library(${rows} OBJECT ${ROW_FILE})
    get_property(language GLOBAL PROPERTY TESSERA_BACKEND_${ROW_BACKEND}_LANGUAGE)
    set_source_files_properties(${ROW_FILE} TARGET_DIRECTORY ${rows} PROPERTIES LANGUAGE ${language})
    tessera_plugin_code(${rows})
    target_compile_options(${rows} PRIVATE ${options} "$<$<COMPILE_LANGUAGE:CXX>:${row_options}>")
    target_link_libraries(${rows} PRIVATE Tessera::tessera_backend_${ROW_BACKEND} ${ROW_NEEDS})
    list(APPEND objects $<TARGET_OBJECTS:${rows}>)
  endforeach()
  list(REMOVE_DUPLICATES left_out)
  foreach(one IN LISTS left_out)
    message(STATUS "Tessera: ${target} is left out of ${one}")
  endforeach()
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "\
// Generated: the form ${FORM_NAME} and its rows.
#include <algorithm>
#include <cmath>
#include <string>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/base/error.hpp>
#include <vector>
${FORM_INCLUDES}
#include <tessera/core/operations/plugin.hpp>
#include <tessera/md/pair_potential/pair_potential.hpp>

namespace tessera::generated {
${declarations}}  // namespace tessera::generated

TESSERA_PLUGIN(registry) {
  using namespace tessera::md;
  // Kernels that this library is left out of would go on with the other one.
  const std::vector<std::string> names = pair_potentials(registry).names();
  if (std::find(names.begin(), names.end(), \"${FORM_NAME}\") != names.end())
    throw tessera::ArgumentError(\"pair potential '${FORM_NAME}': expected a name that no other potential has\");
  pair_potentials(registry).add(describe_pair_potential<${FORM_TYPE}>(\"${FORM_NAME}\", -1));
${calls}}
" @ONLY)
  string(REPLACE "/" "_" name ${FORM_NAME})
  tessera_add_plugin_library(${target} OPERATION md/pair_force NAME form.${name} SOURCES ${file} ${objects})
  target_compile_options(${target} PRIVATE ${options})
endfunction()
