# Operations and the stamping of their portable bodies.

# tessera_operation(TAG <Type> SUMMARY <text> PRECISIONS <group>... [FORM_ROWS])
# FORM_ROWS: the portable body has a pair loop for each form, <operation>_row.cpp.in.
# Called from physics/<module>/<operation>/operation.cmake. A group ("double,mixed") is compiled in
# one translation unit; use it where the kernels are the same. The portable body is
# <tessera/<module>/<operation>/<operation>_portable.hpp> with the class template <Type>Portable.
function(tessera_operation)
  cmake_parse_arguments(O "FORM_ROWS" "TAG;SUMMARY" "PRECISIONS" ${ARGN})
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/physics ${CMAKE_CURRENT_LIST_DIR})
  string(REPLACE "/" ";" parts ${path})
  list(GET parts 0 module)
  list(GET parts 1 operation)
  set(id ${module}_${operation})
  set_property(GLOBAL APPEND PROPERTY TESSERA_OPERATIONS ${id})
  foreach(key TAG SUMMARY PRECISIONS FORM_ROWS)
    set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_${key} "${O_${key}}")
  endforeach()
  set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_MODULE ${module})
  set_property(GLOBAL PROPERTY TESSERA_OPERATION_${id}_NAME ${operation})
endfunction()

function(tessera_precision_tag precision out)
  if(precision STREQUAL "double")
    set(${out} Double PARENT_SCOPE)
  elseif(precision STREQUAL "mixed")
    set(${out} Mixed PARENT_SCOPE)
  elseif(precision STREQUAL "single")
    set(${out} Single PARENT_SCOPE)
  else()
    message(FATAL_ERROR "unknown precision '${precision}'")
  endif()
endfunction()

# Records an implementation for tests and the configure report.
function(tessera_record_implementation id name precisions)
  foreach(precision IN LISTS precisions)
    set_property(GLOBAL APPEND PROPERTY TESSERA_IMPLEMENTATIONS_${id} ${name}:${precision})
  endforeach()
endfunction()

# Writes one file, keeping its time when the content is the same.
function(tessera_generate file content)
  file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
endfunction()

# One translation unit for each (operation, backend, precision group) and one for each backend.
function(tessera_stamp_operations)
  get_property(operations GLOBAL PROPERTY TESSERA_OPERATIONS)
  get_property(backends GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  foreach(id IN LISTS operations)
    get_property(groups GLOBAL PROPERTY TESSERA_OPERATION_${id}_PRECISIONS)
    string(REPLACE "," ";" precisions "${groups}")
    tessera_record_implementation(${id} reference "${precisions}")
  endforeach()
  foreach(backend IN LISTS backends)
    get_property(space GLOBAL PROPERTY TESSERA_BACKEND_${backend}_SPACE)
    get_property(header GLOBAL PROPERTY TESSERA_BACKEND_${backend}_HEADER)
    get_property(priority GLOBAL PROPERTY TESSERA_BACKEND_${backend}_PRIORITY)
    get_property(memory GLOBAL PROPERTY TESSERA_BACKEND_${backend}_MEMORY)
    get_property(unavailable GLOBAL PROPERTY TESSERA_BACKEND_${backend}_UNAVAILABLE)
    get_property(description GLOBAL PROPERTY TESSERA_BACKEND_${backend}_DESCRIPTION)
    get_property(registry_priority GLOBAL PROPERTY TESSERA_BACKEND_${backend}_REGISTRY_PRIORITY)
    get_property(sources GLOBAL PROPERTY TESSERA_BACKEND_${backend}_SOURCES)
    set(stamped "")
    set(file ${generated}/backend_${backend}.cpp)
    tessera_generate(${file} "\
// Generated: the device of backend ${backend}.
#include <memory>
#include <tessera/core/execution/space_device.hpp>
#include <tessera/core/operations/registry.hpp>
#include <${header}>

namespace tessera::generated {

void register_backend_${backend}(Registry& registry) {
  registry.add_backend(
      {\"${backend}\", MemorySpace::${memory}, ${registry_priority}, \"\", \"${description}\"},
      [] { return ${unavailable}; },
      [](int ordinal) -> std::shared_ptr<Device> {
        return std::make_shared<SpaceDevice<${space}>>(ordinal);
      });
}

}  // namespace tessera::generated
")
    list(APPEND stamped ${file})
    set_property(GLOBAL APPEND PROPERTY TESSERA_REGISTRATIONS register_backend_${backend})
    foreach(id IN LISTS operations)
      get_property(module GLOBAL PROPERTY TESSERA_OPERATION_${id}_MODULE)
      get_property(operation GLOBAL PROPERTY TESSERA_OPERATION_${id}_NAME)
      get_property(tag GLOBAL PROPERTY TESSERA_OPERATION_${id}_TAG)
      get_property(groups GLOBAL PROPERTY TESSERA_OPERATION_${id}_PRECISIONS)
      get_property(form_rows GLOBAL PROPERTY TESSERA_OPERATION_${id}_FORM_ROWS)
      if(form_rows)
        set(ROW_IMPLEMENTATION ${backend}.portable)
        set(ROW_FUNCTION pair_row)
        set(ROW_SPACE ${space})
        set(ROW_SPACE_HEADER ${header})
        tessera_form_rows(${PROJECT_SOURCE_DIR}/physics/${module}/${operation}/${operation}_row.cpp.in
                          ${id}_${backend} files SWITCH_FUNCTION switch_row
                          FORMS ${TESSERA_PAIR_FORMS_COMPILED} *)
        list(APPEND stamped ${files})
      endif()
      foreach(group IN LISTS groups)
        string(REPLACE "," ";" precisions ${group})
        string(REPLACE "," "_" suffix ${group})
        set(function register_${id}_${backend}_${suffix})
        set(calls "")
        foreach(precision IN LISTS precisions)
          tessera_precision_tag(${precision} p)
          string(APPEND calls "  registry.add(portable_implementation<${module}::${tag}, ${p}, ${space}, ${module}::${tag}Portable<${p}, ${space}>>(\"${backend}\", ${priority}))@SEMI@\n")
        endforeach()
        string(REPLACE "@SEMI@" ";" calls "${calls}")
        set(file ${generated}/${id}_${backend}_${suffix}.cpp)
        tessera_generate(${file} "\
// Generated: the portable body of ${module}/${operation} on ${backend}.
#include <tessera/core/operations/portable.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/${module}/${operation}/${operation}_portable.hpp>
#include <${header}>

namespace tessera::generated {

void ${function}(Registry& registry) {
${calls}}

}  // namespace tessera::generated
")
        list(APPEND stamped ${file})
        set_property(GLOBAL APPEND PROPERTY TESSERA_REGISTRATIONS ${function})
        tessera_record_implementation(${id} ${backend}.portable "${precisions}")
      endforeach()
    endforeach()
    tessera_backend_objects(tessera_stamped_${backend} ${backend} ${stamped})
    if(sources)
      list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/backends/${backend}/)
      tessera_backend_objects(tessera_adapter_${backend} ${backend} ${sources})
    endif()
  endforeach()
endfunction()
