# Groups the sources that implementations are compiled from: core/execution with core/memory, each module of physics,
# the folders of each backend without a plugin (its adapter, and code that its plugins share), and the folder of each
# plugin with those in its SHARES. A digest of each group is computed when the library is built. Tuning records hold
# such digests, by which the library detects that the measured sources have changed (core/tuning/source_hash.hpp).
#
# tessera_generate_source_hashes(<out>) sets <out> to the source with the digests, generated/source_hashes.cpp.
function(tessera_generate_source_hashes out)
  get_property(modules GLOBAL PROPERTY TESSERA_OPERATIONS)
  list(TRANSFORM modules REPLACE "_.*$" "")
  list(REMOVE_DUPLICATES modules)
  get_property(backends GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
  get_property(plugins GLOBAL PROPERTY TESSERA_PLUGIN_FOLDERS)
  set(groups "core|${PROJECT_SOURCE_DIR}/core/execution|${PROJECT_SOURCE_DIR}/core/memory")
  foreach(module IN LISTS modules)
    list(APPEND groups "module ${module}|${PROJECT_SOURCE_DIR}/physics/${module}")
  endforeach()
  foreach(backend IN LISTS backends)
    get_property(kernels_of GLOBAL PROPERTY TESSERA_BACKEND_${backend}_KERNELS_OF)
    set(places ${PROJECT_SOURCE_DIR}/backends/${backend}/*)
    if(kernels_of)
      list(APPEND places ${PROJECT_SOURCE_DIR}/backends/${kernels_of}/*)
    endif()
    file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true ${places})
    set(shared "")
    foreach(folder IN LISTS folders)
      if(IS_DIRECTORY ${folder} AND NOT EXISTS ${folder}/CMakeLists.txt)
        string(APPEND shared "|${folder}")
      endif()
    endforeach()
    list(APPEND groups "backend ${backend}${shared}")
  endforeach()
  foreach(plugin IN LISTS plugins)
    list(APPEND groups "plugin ${plugin}")
  endforeach()
  set(all "")
  set(text "")
  foreach(group IN LISTS groups)
    string(REPLACE "|" ";" folders "${group}")
    list(POP_FRONT folders name)
    set(files "")
    foreach(folder IN LISTS folders)
      file(GLOB_RECURSE found CONFIGURE_DEPENDS ${folder}/*.hpp ${folder}/*.cpp ${folder}/*.cuh ${folder}/*.cu
           ${folder}/*.in)
      list(APPEND files ${found})
    endforeach()
    # Leaves out code for case files, input and output, and generators, which is not part of any kernel.
    list(FILTER files EXCLUDE REGEX "/physics/[^/]+/(case|generate|io)/")
    list(APPEND all ${files})
    string(APPEND text "tessera_group(\"${name}\" \"${files}\")\n")
  endforeach()
  set(list ${PROJECT_BINARY_DIR}/generated/source_groups.cmake)
  tessera_generate(${list} "${text}")
  set(source ${PROJECT_BINARY_DIR}/generated/source_hashes.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DGROUPS=${list} -DSOURCE=${source}
            -P ${PROJECT_SOURCE_DIR}/cmake/hash_sources.cmake
    DEPENDS ${all} ${list} ${PROJECT_SOURCE_DIR}/cmake/hash_sources.cmake
    COMMENT "Hashing what implementations are compiled from"
    VERBATIM)
  set(${out} ${source} PARENT_SCOPE)
endfunction()
