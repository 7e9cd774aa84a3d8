# tessera_add_plugin_library(): plugins outside the tree, as libraries that a program loads at run time.

# Sets the compile options of a target of a plugin: C++20, position-independent code, and the headers of Tessera.
function(tessera_plugin_code target)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON CUDA_STANDARD 20
                        CUDA_STANDARD_REQUIRED ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_include_directories(${target} PRIVATE
    $<TARGET_PROPERTY:Tessera::tessera,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target} PRIVATE
    $<TARGET_PROPERTY:Tessera::tessera,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# tessera_gpu_backend(<out>): the backend that compiles kernels of GPUs in this build of Tessera or in the installed
# package: cuda, hip or emulated; cuda where it has none of them.
function(tessera_gpu_backend out)
  set(found cuda)
  foreach(backend emulated hip cuda)
    if(TARGET Tessera::tessera_backend_${backend})
      set(found ${backend})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# tessera_add_plugin_library(<target> OPERATION <module/operation> NAME <backend.variant>
#                            SOURCES <file>... [LIBRARIES <target>...])
# The sources define TESSERA_PLUGIN(registry) { registry.add(...); } with TESSERA_PLUGIN_NAME and TESSERA_PLUGIN_BACKEND
# (core/operations/plugin.hpp). The library uses only headers of Tessera; it takes the code from the program that loads
# it with --plugin or TESSERA_PLUGINS. The backend `gpu` stands for that of tessera_gpu_backend(), whose compiler takes
# the sources whatever their names say.
function(tessera_add_plugin_library target)
  cmake_parse_arguments(P "" "OPERATION;NAME" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT P_OPERATION OR NOT P_NAME OR NOT P_SOURCES)
    message(FATAL_ERROR "tessera_add_plugin_library(${target}) needs OPERATION, NAME and SOURCES")
  endif()
  if(NOT P_NAME MATCHES "^([a-z0-9_]+)\\.([A-Za-z0-9_.]+)$")
    message(FATAL_ERROR "plugin name '${P_NAME}', expected <backend>.<variant>, e.g. openmp.mine")
  endif()
  set(backend ${CMAKE_MATCH_1})
  if(backend STREQUAL "gpu")
    tessera_gpu_backend(backend)
    set(P_NAME ${backend}.${CMAKE_MATCH_2})
    if(TARGET Tessera::tessera_backend_${backend})
      list(APPEND P_LIBRARIES Tessera::tessera_backend_${backend})
    else()
      list(APPEND P_LIBRARIES CUDA::cudart)
    endif()
    if(NOT backend STREQUAL "cuda")
      set_source_files_properties(${P_SOURCES} PROPERTIES LANGUAGE CXX)
    endif()
  endif()
  get_property(TESSERA_CONTRACT GLOBAL PROPERTY TESSERA_CONTRACT)
  get_property(TESSERA_CONTRACT_HEADERS GLOBAL PROPERTY TESSERA_CONTRACT_HEADERS)
  set(TESSERA_PLUGIN_TARGET ${target})
  string(MAKE_C_IDENTIFIER "register_plugin_${P_OPERATION}_${P_NAME}" TESSERA_PLUGIN_FUNCTION)
  set(entry ${CMAKE_CURRENT_BINARY_DIR}/${target}_entry.cpp)
  # The template is next to this file; paths of the project would be those of the caller.
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin_entry.cpp.in ${entry} @ONLY)
  add_library(${target} MODULE ${P_SOURCES} ${entry})
  tessera_plugin_code(${target})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".so" CUDA_RUNTIME_LIBRARY Shared)
  target_compile_definitions(${target} PRIVATE
    TESSERA_PLUGIN_FUNCTION=${TESSERA_PLUGIN_FUNCTION} TESSERA_PLUGIN_NAME="${P_NAME}"
    TESSERA_PLUGIN_BACKEND="${backend}")
  target_link_libraries(${target} PRIVATE ${P_LIBRARIES})
endfunction()

# tessera_export_to_plugins(<program>)
# Call it for a program that links Tessera::tessera and calls load_plugin_library(). Plugins use the symbols of the
# program that loads them: a static library is therefore linked as a whole, and the program exports its symbols.
function(tessera_export_to_plugins program)
  set_target_properties(${program} PROPERTIES ENABLE_EXPORTS ON)
  get_target_property(library Tessera::tessera ALIASED_TARGET)
  if(NOT library)
    set(library Tessera::tessera)
  endif()
  get_target_property(type ${library} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_property(TARGET ${program} APPEND PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${library}")
  endif()
endfunction()

set_property(GLOBAL PROPERTY TESSERA_CUDA_MODULE ${CMAKE_CURRENT_LIST_DIR}/cuda.cmake)
# tessera_enable_cuda()
# Enables CUDA with C++20 in the caller's project, for TESSERA_CUDA_ARCHITECTURES, by default the architectures that the
# package was built for. A macro, because a language is enabled in the scope of the project.
macro(tessera_enable_cuda)
  get_property(TESSERA_CUDA_MODULE GLOBAL PROPERTY TESSERA_CUDA_MODULE)
  if(NOT TESSERA_CUDA_ARCHITECTURES)
    get_property(TESSERA_CUDA_ARCHITECTURES GLOBAL PROPERTY TESSERA_PACKAGE_CUDA_ARCHITECTURES)
  endif()
  include(${TESSERA_CUDA_MODULE})
endmacro()
