# Pair potentials (physics/md/potentials/README.md) and their kernels.
include(${CMAKE_CURRENT_LIST_DIR}/pair_form_library.cmake)
# Potentials that "default" stands for: Lennard-Jones truncated, shifted or switched; with charges that are truncated,
# with a reaction field, damped, or with the real-space part of an Ewald sum; and CHARMM's force switch with the latter.
# docs/decisions/0013 lists the compile time and size of a pair kernel.
set(TESSERA_USUAL_PAIR_FORMS
    "lj/cut;lj/smooth/linear;lj/gromacs;lj/cut+coul/cut;lj/cut+coul/rf;lj/cut+coul/dsf;lj/cut+coul/long;lj/charmmfsw+coul/long")
set(TESSERA_PAIR_FORMS "default" CACHE STRING
    "Pair forms, or sums a+b+..., whose pair loops are compiled into every kernel; default stands for the usual ones")
# Potential of case files without pair.style. It is no option, because a case file must mean the same in every build.
set(TESSERA_DEFAULT_PAIR_FORM "lj/cut")
set(TESSERA_PAIR_FORM_DIRS "" CACHE STRING "Folders outside the tree that hold headers of pair forms")

# Finds the headers of potentials. Sets the global properties TESSERA_PAIR_FORM_NAMES and, for each name,
# TESSERA_PAIR_FORM_<name>_HEADER and TESSERA_PAIR_FORM_<name>_TYPE.
function(tessera_find_pair_potentials)
  file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/physics/md/potentials/*.hpp)
  foreach(folder IN LISTS TESSERA_PAIR_FORM_DIRS)
    get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    file(GLOB more CONFIGURE_DEPENDS ${folder}/*.hpp)
    if(NOT more)
      message(FATAL_ERROR "TESSERA_PAIR_FORM_DIRS names ${folder}, which holds no header")
    endif()
    list(APPEND headers ${more})
    list(APPEND TESSERA_PAIR_FORMS_OUTSIDE ${more})
  endforeach()
  set(names "")
  foreach(header IN LISTS headers)
    tessera_pair_potential_of_header(${header} name type)
    list(APPEND names ${name})
    set_property(GLOBAL PROPERTY TESSERA_PAIR_FORM_${name}_HEADER ${header})
    set_property(GLOBAL PROPERTY TESSERA_PAIR_FORM_${name}_TYPE potentials::${type})
    if(header IN_LIST TESSERA_PAIR_FORMS_OUTSIDE)
      list(APPEND TESSERA_PAIR_FORMS ${name})
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY TESSERA_PAIR_FORM_NAMES "${names}")
  list(TRANSFORM TESSERA_PAIR_FORMS REPLACE "^default$" "${TESSERA_USUAL_PAIR_FORMS}")
  list(REMOVE_DUPLICATES TESSERA_PAIR_FORMS)
  set(TESSERA_PAIR_FORMS_COMPILED "${TESSERA_PAIR_FORMS}" CACHE INTERNAL "")
endfunction()

# tessera_pair_potential(<name> <out_includes> <out_type>): includes and C++ type of a potential, or of a sum a+b+....
function(tessera_pair_potential form out_includes out_type)
  get_property(names GLOBAL PROPERTY TESSERA_PAIR_FORM_NAMES)
  string(REPLACE "+" ";" parts ${form})
  set(includes "#include \"physics/md/pair_potential/potential_functions.hpp\"")
  set(types "")
  foreach(part IN LISTS parts)
    if(NOT part IN_LIST names)
      list(JOIN names ", " names)
      message(FATAL_ERROR "TESSERA_PAIR_FORMS names '${part}', expected one of: ${names}")
    endif()
    get_property(header GLOBAL PROPERTY TESSERA_PAIR_FORM_${part}_HEADER)
    get_property(type GLOBAL PROPERTY TESSERA_PAIR_FORM_${part}_TYPE)
    string(REPLACE "${PROJECT_SOURCE_DIR}/" "" include ${header})
    list(APPEND includes "#include \"${include}\"")
    list(APPEND types ${type})
  endforeach()
  list(LENGTH types count)
  if(count EQUAL 1)
    set(type ${types})
  else()
    list(APPEND includes "#include \"physics/md/pair_potential/sum_potential.hpp\"")
    list(JOIN types ", md::" type)
    set(type "potentials::Sum<md::${type}>")
  endif()
  list(JOIN includes "\n" includes)
  set(${out_includes} "${includes}" PARENT_SCOPE)
  set(${out_type} "${type}" PARENT_SCOPE)
endfunction()

# tessera_pair_kernels(<template> <prefix> <out> [SWITCH_FUNCTION <function>] FORMS <potential>...)
# Writes the source of a pair kernel for each of the potentials, and sets <out> to these files. The template has
# @FORM_NAME@, @FORM_INCLUDES@, @FORM_TYPE@, @ROW_REGISTRATION@, @ROW_FILE@ (the path of the source) and ROW_...
# variables of the caller. The potential "*" stands for the kernel that switches between all potentials at run time.
# Records the template under the name <prefix>, so that a library may add pair kernels (cmake/pair_form_library.cmake).
function(tessera_pair_kernels template prefix out)
  cmake_parse_arguments(R "" "SWITCH_FUNCTION" "FORMS" ${ARGN})
  get_property(of_backend GLOBAL PROPERTY TESSERA_BACKEND_${ROW_BACKEND}_NAME)
  if(ROW_BACKEND STREQUAL of_backend)
    set_property(GLOBAL APPEND PROPERTY TESSERA_ROW_KERNELS ${prefix})
  endif()
  tessera_staged_template(${template} staged)
  set_property(GLOBAL PROPERTY TESSERA_ROW_KERNEL_${prefix}_TEMPLATE ${staged})
  set(space_header "")
  if(ROW_SPACE_HEADER)
    tessera_staged_name(${ROW_SPACE_HEADER} space_header)
  endif()
  set_property(GLOBAL PROPERTY TESSERA_ROW_KERNEL_${prefix}_SPACE_HEADER "${space_header}")
  foreach(name BACKEND IMPLEMENTATION FUNCTION SPACE NEEDS)
    set_property(GLOBAL PROPERTY TESSERA_ROW_KERNEL_${prefix}_${name} "${ROW_${name}}")
  endforeach()
  set(files "")
  set(function ${ROW_FUNCTION})
  string(REGEX REPLACE "^.*(\\.[a-z]+)\\.in$" "\\1" extension ${template})
  foreach(FORM_NAME IN LISTS R_FORMS)
    if(FORM_NAME STREQUAL "*")
      tessera_switch_potential(FORM_INCLUDES FORM_TYPE)
      set(id any)
      set(ROW_FUNCTION ${R_SWITCH_FUNCTION})
    else()
      tessera_pair_potential(${FORM_NAME} FORM_INCLUDES FORM_TYPE)
      string(MAKE_C_IDENTIFIER ${FORM_NAME} id)
      set(ROW_FUNCTION ${function})
    endif()
    set(ROW_REGISTRATION register_${prefix}_${id})
    set(ROW_FILE ${PROJECT_BINARY_DIR}/generated/${prefix}_${id}${extension})
    configure_file(${template} ${ROW_FILE} @ONLY)
    list(APPEND files ${ROW_FILE})
    tessera_register(${ROW_BACKEND} ${ROW_REGISTRATION})
  endforeach()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# tessera_switch_potential(<out_includes> <out_type>): includes and C++ type of a switch between all potentials of the
# tree at run time, for potentials and sums without a compiled kernel.
function(tessera_switch_potential out_includes out_type)
  get_property(names GLOBAL PROPERTY TESSERA_PAIR_FORM_NAMES)
  set(includes "")
  set(types "")
  foreach(name IN LISTS names)
    tessera_pair_potential(${name} include type)
    string(APPEND includes "${include}\n")
    list(APPEND types md::${type})
  endforeach()
  list(JOIN types ", " types)
  set(${out_includes} "${includes}#include \"physics/md/pair_potential/switch_potential.hpp\"" PARENT_SCOPE)
  set(${out_type} "potentials::Switch<${types}>" PARENT_SCOPE)
endfunction()

# tessera_generate_listed_potentials(<out>): finds the potentials of each class of listed terms: morse.hpp in
# physics/md/bond_potentials defines MorseBond, named "morse". Writes generated/listed_potentials.hpp, with the lists of
# their types for kernels, and a source with their descriptions, to which <out> is set.
function(tessera_generate_listed_potentials out)
  set(includes "")
  set(lists "")
  set(calls "")
  set(widths "")
  foreach(class IN ITEMS Bond Angle Dihedral Improper)
    string(TOLOWER ${class} folder)
    file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
         ${PROJECT_SOURCE_DIR}/physics/md/${folder}_potentials/*.hpp)
    set(types "")
    set(index 0)
    string(APPEND calls "      {{\n")
    foreach(header IN LISTS headers)
      tessera_pair_potential_of_header(${header} name type)
      string(APPEND includes "#include \"${header}\"\n")
      list(APPEND types ${type}${class})
      string(APPEND calls "        describe_listed_potential<potentials::${type}${class}>(\"${name}\", ${index}),\n")
      math(EXPR index "${index} + 1")
    endforeach()
    string(APPEND calls "      }},\n")
    list(JOIN types ", " types)
    string(APPEND lists "using All${class}s = OneOfPotentials<${types}>;\n")
    list(APPEND widths All${class}s::width)
  endforeach()
  list(JOIN widths ", " widths)
  set(folder ${PROJECT_BINARY_DIR}/generated)
  file(CONFIGURE OUTPUT ${folder}/listed_potentials.hpp CONTENT "\
// Generated: the potentials of listed terms of this build, for kernels.
#pragma once
#include <math.h>
#include \"core/base/device_code.hpp\"
#include \"physics/md/listed_force/one_of_potentials.hpp\"
${includes}
namespace tessera::md::potentials {
${lists}inline constexpr int widest_listed = std::max({${widths}});
}
" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/listed_potentials.cpp CONTENT "\
// Generated: the potentials of listed terms of this build.
#include \"generated/listed_potentials.hpp\"
#include \"physics/md/listed_force/describe_listed_potential.hpp\"

namespace tessera::md {

std::array<std::vector<ListedPotentialPart>, listed_classes> built_in_listed_potentials() {
  return {{
${calls}  }};
}

}  // namespace tessera::md
" @ONLY)
  set(${out} ${folder}/listed_potentials.cpp PARENT_SCOPE)
endfunction()

# Generates one source with the descriptions of all potentials for the host, and sets <out> to it.
function(tessera_generate_pair_potentials out)
  get_property(names GLOBAL PROPERTY TESSERA_PAIR_FORM_NAMES)
  set(includes "")
  set(calls "")
  set(index 0)
  foreach(name IN LISTS names)
    tessera_pair_potential(${name} include type)
    string(APPEND includes "${include}\n")
    string(APPEND calls
           "  forms.add(describe_pair_potential<${type}>(\"${name}\", ${index}));\n")
    math(EXPR index "${index} + 1")
  endforeach()
  set(file ${PROJECT_BINARY_DIR}/generated/pair_potentials.cpp)
  file(CONFIGURE OUTPUT ${file} CONTENT "\
// Generated: the pair potentials of this build.
#include <cmath>
#include \"core/base/device_code.hpp\"
${includes}#include \"physics/md/pair_potential/pair_potential.hpp\"

namespace tessera::md {

void add_built_in_potentials(PairPotentials& forms) {
${calls}}

const std::string& default_pair_potential() {
  static const std::string name = \"${TESSERA_DEFAULT_PAIR_FORM}\";
  return name;
}

}  // namespace tessera::md
" @ONLY)
  set(${out} ${file} PARENT_SCOPE)
endfunction()
