# Hand-tuned implementations: one folder each, found by its CMakeLists.txt.

# tessera_plugin(OPERATION <module/operation> PRECISIONS <p>... PLAN <class template> FROM <header> [SOURCES <file>...]
#                [LIBRARIES <target>...] [NEEDS <target>...] [BACKEND <backend>] [NAME <variant>] [FORM_ROWS <template>]
#                [RANK <number>] [SHARES <folder>...])
# Adds a hand-tuned implementation with the name <backend>.<variant>; called from
# backends/<backend>/<operation>_<variant>/CMakeLists.txt. A folder outside the tree passes BACKEND and NAME. PLAN is a
# class template over a precision, named as in namespace tessera, and FROM the header in the folder that defines it. A
# generated source registers it for PRECISIONS, on a GPU one source for each precision. Instead of PLAN and FROM, the
# SOURCES may define TESSERA_PLUGIN(registry) { registry.add(...); } (core/operations/plugin.hpp). NEEDS lists targets of optional libraries
# (cmake/dependencies.cmake); without one of them the implementation is left out, with a message. FORM_ROWS is the
# template of its pair kernel (cmake/pair_potentials.cmake), which is instantiated for each of TESSERA_PAIR_FORMS. RANK
# is its position in the default order if it differs from 30 (for TESSERA_PLUGIN also TESSERA_PLUGIN_RANK). SHARES
# lists folders next to its own whose headers it includes: tuning records of the implementation expire when they change.
function(tessera_plugin)
  cmake_parse_arguments(P "" "OPERATION;BACKEND;NAME;FORM_ROWS;RANK;PLAN;FROM" "PRECISIONS;SOURCES;LIBRARIES;NEEDS;SHARES" ${ARGN})
  if(P_UNPARSED_ARGUMENTS OR P_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tessera_plugin in ${CMAKE_CURRENT_SOURCE_DIR} does not know '${P_UNPARSED_ARGUMENTS}', or lacks "
                        "the values of '${P_KEYWORDS_MISSING_VALUES}'")
  endif()
  if(NOT P_OPERATION OR NOT P_PRECISIONS OR (NOT P_SOURCES AND NOT P_PLAN))
    message(FATAL_ERROR "tessera_plugin in ${CMAKE_CURRENT_SOURCE_DIR} needs OPERATION, PRECISIONS and PLAN")
  endif()
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  get_filename_component(parent ${CMAKE_CURRENT_SOURCE_DIR} DIRECTORY)
  get_filename_component(parent ${parent} NAME)
  set(backend ${parent})
  if(P_BACKEND)
    set(backend ${P_BACKEND})
  endif()
  string(REPLACE "/" "_" id ${P_OPERATION})
  get_filename_component(short ${P_OPERATION} NAME)
  if(P_NAME)
    set(variant ${P_NAME})
  else()
    string(REGEX REPLACE "^(${short}|${id})_" "" variant ${folder})
    # The last word of the operation is enough in the name of the folder: deposit_tiled is for charge_deposit.
    string(REGEX REPLACE "^.*_" "" last ${short})
    string(REGEX REPLACE "^${last}_" "" variant ${variant})
  endif()
  set(name ${backend}.${variant})
  get_property(built GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
  if(NOT backend IN_LIST built)
    set_property(GLOBAL APPEND PROPERTY TESSERA_PLUGINS_OFF "${P_OPERATION}|${name}|backend ${backend} is off")
    return()
  endif()
  foreach(library IN LISTS P_NEEDS)
    if(NOT TARGET ${library})
      set_property(GLOBAL APPEND PROPERTY TESSERA_PLUGINS_OFF "${P_OPERATION}|${name}|the library ${library} was not found")
      return()
    endif()
  endforeach()
  if(P_PLAN AND NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${P_FROM}")
    message(FATAL_ERROR "tessera_plugin in ${CMAKE_CURRENT_SOURCE_DIR}: PLAN ${P_PLAN} needs FROM, a header of the "
                        "folder; there is no '${P_FROM}'")
  endif()
  get_property(operations GLOBAL PROPERTY TESSERA_OPERATIONS)
  if(NOT id IN_LIST operations)
    message(FATAL_ERROR "plugin ${name} is for operation '${P_OPERATION}', which does not exist; there are: ${operations}")
  endif()
  set(target tessera_plugin_${backend}_${folder})
  set(function register_plugin_${backend}_${folder})
  set(rows "")
  if(P_FORM_ROWS)
    set(ROW_IMPLEMENTATION ${name})
    set(ROW_FUNCTION "")
    set(ROW_BACKEND ${backend})
    set(ROW_NEEDS ${P_NEEDS})
    tessera_pair_kernels(${CMAKE_CURRENT_SOURCE_DIR}/${P_FORM_ROWS} ${id}_${backend}_${variant} rows
                      FORMS ${TESSERA_PAIR_FORMS_COMPILED})
  endif()
  # Combines sources for nvcc in units of similar compile time (docs/decisions/0008). The include names of tessera_unite
  # work only for folders of this tree.
  get_property(language GLOBAL PROPERTY TESSERA_BACKEND_${backend}_LANGUAGE)
  set(functions ${function})
  set(units "")
  if(P_PLAN)
    tessera_plan_units(units functions)
  endif()
  if(TESSERA_UNITY_BUILD AND language STREQUAL "CUDA"
     AND CMAKE_CURRENT_SOURCE_DIR STREQUAL "${PROJECT_SOURCE_DIR}/backends/${backend}/${folder}")
    set(kernels ${P_SOURCES})
    list(FILTER kernels INCLUDE REGEX "\\.cu$")
    list(FILTER P_SOURCES EXCLUDE REGEX "\\.cu$")
    list(TRANSFORM kernels PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    list(APPEND kernels ${units})
    set(units "")
    tessera_unite(kernels ${target}.cu)
    tessera_unite(rows ${target}_rows.cu)
    list(APPEND P_SOURCES ${kernels})
  endif()
  list(APPEND P_SOURCES ${units} ${rows})
  add_library(${target} OBJECT ${P_SOURCES})
  target_link_libraries(${target} PRIVATE tessera_flags tessera_headers tessera_backend_${backend}
                        ${P_LIBRARIES} ${P_NEEDS})
  target_compile_definitions(${target} PRIVATE
    TESSERA_PLUGIN_FUNCTION=${function} TESSERA_PLUGIN_NAME="${name}" TESSERA_PLUGIN_BACKEND="${backend}")
  if(P_RANK)
    target_compile_definitions(${target} PRIVATE TESSERA_PLUGIN_RANK=${P_RANK})
    set_property(GLOBAL PROPERTY TESSERA_PLUGIN_RANK_${name} ${P_RANK})
  endif()
  set_property(GLOBAL APPEND PROPERTY TESSERA_OBJECTS ${target})
  set_property(GLOBAL APPEND PROPERTY TESSERA_REGISTRATIONS ${functions})
  set(folders ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(shared IN LISTS P_SHARES)
    get_filename_component(shared ../${shared} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    string(APPEND folders "|${shared}")
  endforeach()
  set_property(GLOBAL APPEND PROPERTY TESSERA_PLUGIN_FOLDERS "${P_OPERATION}=${name}|${folders}")
  cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE inside)
  if(NOT inside)
    foreach(registration IN LISTS functions)
      set_property(GLOBAL PROPERTY TESSERA_ORIGIN_${registration} ${CMAKE_CURRENT_SOURCE_DIR})
    endforeach()
  endif()
  tessera_record_implementation(${id} ${name} "${P_PRECISIONS}")
endfunction()

# Generates the sources of tessera_plugin that register P_PLAN: one for each of P_PRECISIONS for a GPU, so that they
# compile in parallel, else one. Sets <out_units> to the sources and <out_functions> to their registration functions.
function(tessera_plan_units out_units out_functions)
  get_property(memory GLOBAL PROPERTY TESSERA_BACKEND_${backend}_MEMORY)
  set(header ${CMAKE_CURRENT_SOURCE_DIR}/${P_FROM})
  string(REPLACE "${PROJECT_SOURCE_DIR}/" "" header ${header})
  set(rank "")
  if(P_RANK)
    set(rank ", ${P_RANK}")
  endif()
  set(groups "${P_PRECISIONS}")
  set(suffix ".cu")
  if(NOT language STREQUAL "CUDA")
    string(REPLACE ";" "," groups "${groups}")
    set(suffix ".cpp")
  endif()
  set(units "")
  set(functions "")
  foreach(group IN LISTS groups)
    string(REPLACE "," "_" unit ${function}_${group})
    string(REPLACE "," ";" precisions ${group})
    set(calls "")
    foreach(precision IN LISTS precisions)
      tessera_precision_tag(${precision} tag)
      string(APPEND calls "  registry.add(plugin_implementation<${P_PLAN}<${tag}>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, MemorySpace::${memory}${rank}))@SEMI@\n")
    endforeach()
    string(REPLACE "@SEMI@" ";" calls "${calls}")
    set(file ${PROJECT_BINARY_DIR}/generated/${unit}${suffix})
    tessera_generate(${file} "\
// Generated: ${name}, ${group}.
#include \"core/operations/plugin.hpp\"
#include \"${header}\"

namespace tessera::generated {

void ${unit}(Registry& registry) {
${calls}}

}  // namespace tessera::generated
")
    list(APPEND units ${file})
    list(APPEND functions ${unit})
  endforeach()
  set(${out_units} ${units} PARENT_SCOPE)
  set(${out_functions} ${functions} PARENT_SCOPE)
endfunction()

function(tessera_discover_plugins)
  get_property(known GLOBAL PROPERTY TESSERA_BACKENDS_KNOWN)
  foreach(backend IN LISTS known)
    file(GLOB lists CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/backends/${backend}/*/CMakeLists.txt)
    foreach(list IN LISTS lists)
      get_filename_component(folder ${list} DIRECTORY)
      add_subdirectory(${folder})
    endforeach()
  endforeach()
  foreach(folder IN LISTS TESSERA_PLUGIN_DIRS)
    get_filename_component(folder ${folder} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    if(NOT EXISTS ${folder}/CMakeLists.txt)
      message(FATAL_ERROR "TESSERA_PLUGIN_DIRS names ${folder}, which has no CMakeLists.txt")
    endif()
    get_filename_component(name ${folder} NAME)
    add_subdirectory(${folder} ${PROJECT_BINARY_DIR}/plugins/${name})
  endforeach()
endfunction()
