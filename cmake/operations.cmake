# Declares operations and instantiates their portable bodies.

# tessera_operation(TAG <Type> SUMMARY <text> PRECISIONS <group>... [FORM_ROWS] [SWITCH_ROW <function>])
# Declares the name, the summary and the precisions of an operation; physics/<module>/<operation>/operation.cmake calls
# it. The registration, the oracle as an implementation, and the list of types for C++ are generated from this
# declaration only. The portable body is the class template <Type>Portable in
# physics/<module>/<operation>/<operation>_portable.hpp. With FORM_ROWS it has a pair kernel for each compiled pair
# potential, from the template <operation>_kernel.cpp.in, and one that switches between all potentials at run time. With
# SWITCH_ROW <function> it only has the switching kernel, an instance of <function>. A group of precisions
# ("double,mixed") is compiled in one translation unit; use it where the kernels are the same.
function(tessera_operation)
  cmake_parse_arguments(O "FORM_ROWS" "TAG;SUMMARY;SWITCH_ROW" "PRECISIONS" ${ARGN})
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/physics ${CMAKE_CURRENT_LIST_DIR})
  string(REPLACE "/" ";" parts ${path})
  list(GET parts 0 module)
  list(GET parts 1 operation)
  set(id ${module}_${operation})
  set_property(GLOBAL APPEND PROPERTY TESSERA_OPERATIONS ${id})
  foreach(key TAG SUMMARY PRECISIONS FORM_ROWS SWITCH_ROW)
    set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_${key} "${O_${key}}")
  endforeach()
  set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_MODULE ${module})
  set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_NAME ${operation})
endfunction()

# Sets variables of the caller to the declared properties of an operation: module, operation, tag, summary, groups,
# precisions (of all groups), pair_kernels (FORM_ROWS) and switch_row.
macro(tessera_get_operation id)
  get_property(module GLOBAL PROPERTY TESSERA_OPERATION_${id}_MODULE)
  get_property(operation GLOBAL PROPERTY TESSERA_OPERATION_${id}_NAME)
  get_property(tag GLOBAL PROPERTY TESSERA_OPERATION_${id}_TAG)
  get_property(summary GLOBAL PROPERTY TESSERA_OPERATION_${id}_SUMMARY)
  get_property(groups GLOBAL PROPERTY TESSERA_OPERATION_${id}_PRECISIONS)
  get_property(pair_kernels GLOBAL PROPERTY TESSERA_OPERATION_${id}_FORM_ROWS)
  get_property(switch_row GLOBAL PROPERTY TESSERA_OPERATION_${id}_SWITCH_ROW)
  string(REPLACE "," ";" precisions "${groups}")
endmacro()

set(TESSERA_ALL_PRECISIONS double mixed single int32 int64)

function(tessera_precision_tag precision out)
  if(precision STREQUAL "double")
    set(${out} Double PARENT_SCOPE)
  elseif(precision STREQUAL "mixed")
    set(${out} Mixed PARENT_SCOPE)
  elseif(precision STREQUAL "single")
    set(${out} Single PARENT_SCOPE)
  elseif(precision STREQUAL "int32")
    set(${out} Int32 PARENT_SCOPE)
  elseif(precision STREQUAL "int64")
    set(${out} Int64 PARENT_SCOPE)
  else()
    message(FATAL_ERROR "unknown precision '${precision}'")
  endif()
endfunction()

# Records an implementation and its precisions for tests and the configure report.
function(tessera_record_implementation id name precisions)
  foreach(precision IN LISTS precisions)
    set_property(GLOBAL APPEND PROPERTY TESSERA_IMPLEMENTATIONS_${id} ${name}:${precision})
  endforeach()
endfunction()

# Writes a file. Leaves its time stamp if the contents would not change.
function(tessera_generate file content)
  file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
endfunction()

# Generates elements.hpp, which lists the element types of every operation for dispatch by type, and all_operations.hpp
# with the tags of all operations, for tests.
function(tessera_generate_elements)
  get_property(operations GLOBAL PROPERTY TESSERA_OPERATIONS)
  set(text "")
  set(includes "")
  set(tags "")
  foreach(id IN LISTS operations)
    tessera_get_operation(${id})
    string(APPEND includes "#include \"physics/${module}/${operation}/${operation}.hpp\"\n")
    list(APPEND tags ${module}::${tag})
    set(types "")
    foreach(precision IN LISTS precisions)
      tessera_precision_tag(${precision} p)
      list(APPEND types ${p})
    endforeach()
    list(JOIN types ", " types)
    string(APPEND text "
namespace ${module} {
struct ${tag}@SEMI@
}
template <>
struct ElementsOf<${module}::${tag}> : ElementList<${types}> {}@SEMI@
")
  endforeach()
  string(REPLACE "@SEMI@" ";" text "${text}")
  list(JOIN tags ", " tags)
  tessera_generate(${PROJECT_BINARY_DIR}/generated/all_operations.hpp "\
// Generated: the operations of this build.
#ifndef TESSERA_GENERATED_ALL_OPERATIONS_HPP
#define TESSERA_GENERATED_ALL_OPERATIONS_HPP

${includes}
#include <tuple>

namespace tessera {

using AllOperations = std::tuple<${tags}>;

}  // namespace tessera

#endif  // TESSERA_GENERATED_ALL_OPERATIONS_HPP
")
  tessera_generate(${PROJECT_BINARY_DIR}/generated/elements.hpp "\
// Generated: what each operation of this build can be instantiated with.
#ifndef TESSERA_GENERATED_ELEMENTS_HPP
#define TESSERA_GENERATED_ELEMENTS_HPP

#include \"core/base/precision.hpp\"

namespace tessera {

template <class Operation>
struct ElementsOf;
${text}
}  // namespace tessera

#endif  // TESSERA_GENERATED_ELEMENTS_HPP
")
endfunction()

# Generates the source that registers an operation with its trials, and its oracle in every precision.
function(tessera_generate_operation id)
  tessera_get_operation(${id})
  set(calls "")
  foreach(precision IN LISTS precisions)
    tessera_precision_tag(${precision} p)
    string(APPEND calls "  registry.add(reference_implementation<${module}::${tag}, ${p}, &${module}::${operation}_reference<${p}::Storage>>())@SEMI@\n")
  endforeach()
  string(REPLACE "@SEMI@" ";" calls "${calls}")
  set(SEMI ";")
  tessera_generate(${PROJECT_BINARY_DIR}/generated/operation_${id}.cpp "\
// Generated: ${module}/${operation} and its oracle.
#include <memory>
#include <string>
#include \"core/operations/reference.hpp\"
#include \"core/operations/registry.hpp\"
#include \"core/trials/trial.hpp\"
#include \"physics/${module}/${operation}/${operation}.hpp\"
#include \"physics/${module}/${operation}/${operation}_reference.hpp\"

namespace tessera::${module}::${operation}_trial {
std::unique_ptr<Trials> make()@SEMI@
}

namespace tessera::generated {

void register_operation_${id}(Registry& registry) {
  registry.add_operation(std::string(${module}::${tag}::name), \"${summary}\",
                         ${module}::${operation}_trial::make, ${module}::${tag}::traits.prepare);
${calls}}

}  // namespace tessera::generated
")
endfunction()

# tessera_unite(<list> <name>): replaces the sources of a non-empty list by one source generated/<name> that includes
# them. The include names are the same in every build folder, so that the compiler cache finds the objects: generated
# sources by file name, others by path from the root.
function(tessera_unite list name)
  if(NOT ${list})
    return()
  endif()
  set(text "// Generated: several sources in one.\n")
  foreach(source IN LISTS ${list})
    string(REPLACE "${PROJECT_BINARY_DIR}/generated/" "" file ${source})
    string(REPLACE "${PROJECT_SOURCE_DIR}/" "" file ${file})
    string(APPEND text "#include \"${file}\"\n")
  endforeach()
  set(unit ${PROJECT_BINARY_DIR}/generated/${name})
  tessera_generate(${unit} "${text}")
  set(${list} ${unit} PARENT_SCOPE)
endfunction()

# tessera_stamp_portable(<name> <space> <header> <language> <backends> <out> <out_rows>)
# Generates sources that instantiate the portable body of every operation for the C++ type <space> of <header>, and
# register it for each of <backends>. <name> is "host" for the bodies that all host backends share, else a set of objects
# of the backend.
# Sets <out> to the sources of the bodies and <out_rows> to those of their pair kernels.
function(tessera_stamp_portable name space header language backends out out_rows)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  get_property(operations GLOBAL PROPERTY TESSERA_OPERATIONS)
  get_property(of_backend GLOBAL PROPERTY TESSERA_BACKEND_${name}_NAME)
  set(stamped "")
  set(stamped_rows "")
  foreach(id IN LISTS operations)
    tessera_get_operation(${id})
    set(units "")
    set(rows "")
    if(pair_kernels OR switch_row)
      set(ROW_IMPLEMENTATION ${of_backend}.portable)
      set(ROW_FUNCTION pair_row)
      set(row_forms ${TESSERA_PAIR_FORMS_COMPILED} *)
      if(switch_row)
        set(ROW_FUNCTION ${switch_row})
        set(row_forms *)
      else()
        set(switch_row switch_row)
      endif()
      set(ROW_BACKEND ${name})
      set(ROW_SPACE ${space})
      set(ROW_SPACE_HEADER ${header})
      tessera_pair_kernels(${PROJECT_SOURCE_DIR}/physics/${module}/${operation}/${operation}_kernel.cpp.in
                        ${id}_${name} rows SWITCH_FUNCTION ${switch_row}
                        FORMS ${row_forms})
    endif()
    foreach(group IN LISTS groups)
      string(REPLACE "," ";" precisions ${group})
      string(REPLACE "," "_" suffix ${group})
      set(function register_${id}_${name}_${suffix})
      set(calls "")
      foreach(precision IN LISTS precisions)
        tessera_precision_tag(${precision} p)
        set(body "portable_implementation<${module}::${tag}, ${p}, ${space}, ${module}::${tag}Portable<${p}, ${space}>>")
        if(name STREQUAL "host")
          string(APPEND calls "  for (const HostBackend& backend : host_backends())
    registry.add(${body}(backend.name, backend.rank, backend.open_threads))@SEMI@\n")
        else()
          get_property(rank GLOBAL PROPERTY TESSERA_BACKEND_${name}_RANK)
          string(APPEND calls "  registry.add(${body}(\"${of_backend}\", ${rank}))@SEMI@\n")
        endif()
      endforeach()
      foreach(backend IN LISTS backends)
        tessera_record_implementation(${id} ${backend}.portable "${precisions}")
      endforeach()
      string(REPLACE "@SEMI@" ";" calls "${calls}")
      set(file ${generated}/${id}_${name}_${suffix}.cpp)
      tessera_generate(${file} "\
// Generated: the portable body of ${module}/${operation} in the space ${name}.
#include \"core/operations/portable.hpp\"
#include \"core/operations/registry.hpp\"
#include \"physics/${module}/${operation}/${operation}_portable.hpp\"
#include \"${header}\"

namespace tessera::generated {

void ${function}(Registry& registry) {
${calls}}

}  // namespace tessera::generated
")
      list(APPEND units ${file})
      tessera_register(${name} ${function})
    endforeach()
    # Unites the sources of an operation, because parsing the headers takes longer than compiling most kernels, and nvcc
    # parses them three times.
    if(language STREQUAL "CUDA" OR TESSERA_UNITY_BUILD)
      tessera_unite(units ${id}_${name}.cpp)
      tessera_unite(rows ${id}_${name}_rows.cpp)
    endif()
    list(APPEND stamped ${units})
    list(APPEND stamped_rows ${rows})
  endforeach()
  set(${out} ${stamped} PARENT_SCOPE)
  set(${out_rows} ${stamped_rows} PARENT_SCOPE)
endfunction()

# Compiles the sources of tessera_stamp_portable with the flags of the backend.
function(tessera_stamped_objects name language stamped stamped_rows)
  # GCC's inlining depends on the rest of the translation unit. Release builds therefore keep operations for the host in
  # separate units (docs/decisions/0008). Pair kernels take half of the compile time and form a unit of their own.
  if(TESSERA_UNITY_BUILD AND (language STREQUAL "CUDA" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release"))
    tessera_unite(stamped stamped_${name}.cpp)
    tessera_unite(stamped_rows stamped_${name}_rows.cpp)
  endif()
  if(name STREQUAL "host")
    tessera_object_library(tessera_stamped_host APART SOURCES ${stamped} ${stamped_rows}
                           LIBRARIES tessera_flags tessera_headers)
    set_property(GLOBAL APPEND PROPERTY TESSERA_OBJECTS tessera_stamped_host)
  else()
    tessera_backend_objects(tessera_stamped_${name} ${name} ${stamped} ${stamped_rows})
  endif()
endfunction()

# tessera_stamp_backend(<backend> <set>): generates and compiles the devices of a backend and, on a GPU, its portable
# bodies, for one set of its objects.
function(tessera_stamp_backend backend set)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  foreach(key SPACE HEADER RANK MEMORY LANGUAGE DESCRIPTION SOURCES)
    string(TOLOWER ${key} variable)
    get_property(${variable} GLOBAL PROPERTY TESSERA_BACKEND_${backend}_${key})
  endforeach()
  set(threads "")
  if(memory STREQUAL "host")
    set(threads "
std::shared_ptr<const HostThreads> threads_of_${backend}() {
  return ${space}(0, {}).threads()@SEMI@
}
")
  endif()
  string(REPLACE "@SEMI@" ";" threads "${threads}")
  set(file ${generated}/backend_${set}.cpp)
  tessera_generate(${file} "\
// Generated: the devices of backend ${backend}.
#include \"core/execution/space_device.hpp\"
#include \"core/operations/registry.hpp\"
#include \"${header}\"

namespace tessera::generated {
${threads}
void register_backend_${set}(Registry& registry) {
  registry.add_backend(
      {\"${backend}\", MemorySpace::${memory}, ${rank}, \"\", \"${description}\"},
      backend_devices<${space}>());
}

}  // namespace tessera::generated
")
  tessera_register(${set} register_backend_${set})
  set(stamped "")
  set(stamped_rows "")
  get_property(without GLOBAL PROPERTY TESSERA_BACKEND_${backend}_WITHOUT_PORTABLE)
  if(NOT memory STREQUAL "host" AND NOT without)
    set(recorded "")
    if(set STREQUAL backend)
      set(recorded ${backend})
    endif()
    tessera_stamp_portable(${set} ${space} ${header} ${language} "${recorded}" stamped stamped_rows)
  endif()
  list(PREPEND stamped ${file})
  tessera_stamped_objects(${set} ${language} "${stamped}" "${stamped_rows}")
  if(sources)
    list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/backends/${backend}/)
    tessera_backend_objects(tessera_adapter_${set} ${set} ${sources})
  endif()
endfunction()

# Generates and compiles the oracle and the trials of each operation, the devices of each backend, and the portable
# bodies of each operation: once for all host backends, and once for each other backend.
function(tessera_stamp_operations)
  get_property(operations GLOBAL PROPERTY TESSERA_OPERATIONS)
  get_property(backends GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  foreach(id IN LISTS operations)
    tessera_get_operation(${id})
    tessera_record_implementation(${id} reference "${precisions}")
    tessera_generate_operation(${id})
    list(APPEND registrations ${generated}/operation_${id}.cpp)
  endforeach()
  tessera_generate_elements()
  if(TESSERA_UNITY_BUILD)
    tessera_unite(registrations operations.cpp)
  endif()
  tessera_object_library(tessera_operations SOURCES ${registrations} LIBRARIES tessera_flags tessera_headers)
  set_property(GLOBAL APPEND PROPERTY TESSERA_OBJECTS tessera_operations)
  set(on_host "")
  foreach(backend IN LISTS backends)
    get_property(memory GLOBAL PROPERTY TESSERA_BACKEND_${backend}_MEMORY)
    if(memory STREQUAL "host")
      list(APPEND on_host ${backend})
    endif()
    get_property(sets GLOBAL PROPERTY TESSERA_BACKEND_${backend}_SETS)
    foreach(set IN LISTS sets)
      tessera_stamp_backend(${backend} ${set})
    endforeach()
  endforeach()
  if(on_host)
    tessera_stamp_portable(host tessera::HostSpace core/execution/host_space.hpp CXX "${on_host}"
                           stamped stamped_rows)
    tessera_stamped_objects(host CXX "${stamped}" "${stamped_rows}")
  endif()
  set_property(GLOBAL PROPERTY TESSERA_HOST_BACKENDS ${on_host})
endfunction()
