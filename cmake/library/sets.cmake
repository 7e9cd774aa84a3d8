# Sets of objects of a backend for GPUs with different numbers of lanes have the same names (docs/decisions/0033). All but
# the first become one object each, whose names are local but for the registrations.
# Sets set_objects to these objects, and declaration_of_lanes and choice_of_lanes to the code by which register_all()
# chooses a set; they are empty where no backend has several.
set(set_objects "")
set(declaration_of_lanes "")
set(choice_of_lanes "")
find_program(TESSERA_LD NAMES ld.bfd ld)
mark_as_advanced(TESSERA_LD)

# tessera_link_set(<set> <out>): makes one object of a set and appends it to <out>.
function(tessera_link_set set out)
  get_property(libraries GLOBAL PROPERTY TESSERA_BACKEND_${set}_OBJECTS)
  get_property(functions GLOBAL PROPERTY TESSERA_BACKEND_${set}_REGISTRATIONS)
  set(names "")
  foreach(function IN LISTS functions)
    string(LENGTH ${function} length)
    string(APPEND names "_ZN7tessera9generated${length}${function}ERNS_8RegistryE\n")
  endforeach()
  set(kept ${PROJECT_BINARY_DIR}/generated/names_of_${set}.txt)
  tessera_generate(${kept} "${names}")
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE files)
  set(one ${PROJECT_BINARY_DIR}/${set}.o)
  add_custom_command(OUTPUT ${one}
    COMMAND ${TESSERA_LD} -r --force-group-allocation -o ${one}.all ${files}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${kept} ${one}.all ${one}
    DEPENDS ${files} ${kept} COMMAND_EXPAND_LISTS VERBATIM)
  set(${out} ${${out}} ${one} PARENT_SCOPE)
endfunction()

foreach(backend IN LISTS backends)
  get_property(sets GLOBAL PROPERTY TESSERA_BACKEND_${backend}_SETS)
  list(POP_FRONT sets first_set)
  if(sets)
    get_property(of_first GLOBAL PROPERTY TESSERA_BACKEND_${first_set}_ONE_OF_LANES)
    set(declaration_of_lanes "\nnamespace gpu {\nint lanes_of_devices(int);\n}\n")
    set(choice_of_lanes "  const int found = gpu::lanes_of_devices(${of_first});\n  const int lanes = ")
    foreach(set IN LISTS sets)
      get_property(of_set GLOBAL PROPERTY TESSERA_BACKEND_${set}_ONE_OF_LANES)
      string(APPEND choice_of_lanes "found == ${of_set} ? found : ")
      tessera_link_set(${set} set_objects)
    endforeach()
    string(APPEND choice_of_lanes "${of_first};\n")
  endif()
endforeach()
