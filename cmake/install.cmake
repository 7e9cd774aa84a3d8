# Installs the public headers, the library, the command line, and the package for find_package() and out-of-tree
# plugins. Projects that use add_subdirectory() or FetchContent() have the same targets without an installation.
if(NOT TESSERA_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(TESSERA_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

set_target_properties(tessera PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tessera EXPORT TesseraTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        FILE_SET HEADERS DESTINATION include)
get_property(TESSERA_PACKAGE_BACKENDS GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
# The command line, and the property tests of kernels if they are built.
foreach(program tessera_cli tessera_conformance)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
                          INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
endforeach()
if(TARGET tessera_cli)
  install(TARGETS tessera_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET tessera_conformance)
  install(TARGETS tessera_conformance RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
if(TARGET tessera_kokkos)
  tessera_install_kokkos_target(TesseraTargets)
endif()
# Files for pair potentials outside the tree: the compile requirements of the pair kernels of each backend, the
# templates of the kernels, and pair_form_kernels.cmake, whose properties of the kernels cmake/pair_form_library.cmake
# reads.
set(text "# Generated: kernels that have a pair loop for each form.\n")
foreach(backend IN LISTS TESSERA_PACKAGE_BACKENDS ITEMS host)
  install(TARGETS tessera_backend_${backend} EXPORT TesseraTargets)
  foreach(key LANGUAGE LIBRARIES)
    get_property(value GLOBAL PROPERTY TESSERA_BACKEND_${backend}_${key})
    string(APPEND text "set_property(GLOBAL PROPERTY TESSERA_BACKEND_${backend}_${key} \"${value}\")\n")
  endforeach()
endforeach()
get_property(kernels GLOBAL PROPERTY TESSERA_ROW_KERNELS)
set(installed "")
foreach(kernel IN LISTS kernels)
  get_property(template GLOBAL PROPERTY TESSERA_ROW_KERNEL_${kernel}_TEMPLATE)
  # Skips templates of kernels outside the tree, because the headers that they include are not installed.
  cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${template} NORMALIZE inside)
  if(NOT inside)
    continue()
  endif()
  list(APPEND installed ${kernel})
  file(RELATIVE_PATH place ${PROJECT_BINARY_DIR}/rows ${template})
  get_filename_component(folder ${place} DIRECTORY)
  install(FILES ${template} DESTINATION ${TESSERA_PACKAGE_DIR}/rows/${folder})
  string(APPEND text "set_property(GLOBAL PROPERTY TESSERA_ROW_KERNEL_${kernel}_TEMPLATE"
         " \"\${CMAKE_CURRENT_LIST_DIR}/rows/${place}\")\n")
  foreach(key BACKEND IMPLEMENTATION FUNCTION SPACE SPACE_HEADER NEEDS)
    get_property(value GLOBAL PROPERTY TESSERA_ROW_KERNEL_${kernel}_${key})
    string(APPEND text "set_property(GLOBAL PROPERTY TESSERA_ROW_KERNEL_${kernel}_${key} \"${value}\")\n")
  endforeach()
endforeach()
string(APPEND text "set_property(GLOBAL PROPERTY TESSERA_ROW_KERNELS \"${installed}\")\n"
       "set_property(GLOBAL PROPERTY TESSERA_ROW_OPTIONS \"${TESSERA_ARCH_FLAGS}\")\n")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/pair_form_kernels.cmake CONTENT "${text}" @ONLY)
# A Kokkos that this project built is installed too, in a separate folder to avoid conflicts. A Kokkos that the user
# installed stays in place, and the package finds it there.
set(TESSERA_PACKAGE_KOKKOS "")
if(TARGET tessera_kokkos AND EXISTS "${TESSERA_KOKKOS_PREFIX}/.complete")
  set(TESSERA_PACKAGE_KOKKOS ${CMAKE_INSTALL_LIBDIR}/tessera/kokkos)
  install(DIRECTORY ${TESSERA_KOKKOS_PREFIX}/ DESTINATION ${TESSERA_PACKAGE_KOKKOS} USE_SOURCE_PERMISSIONS
          PATTERN ".complete" EXCLUDE)
  # Removes the path of the build folder from the one file of the installed Kokkos that contains it.
  install(CODE "
    set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${TESSERA_PACKAGE_KOKKOS}/lib/cmake/Kokkos/KokkosConfigCommon.cmake\")
    file(READ \"\${file}\" text)
    string(REPLACE \" \\\"${TESSERA_KOKKOS_PREFIX}\\\"\" \"\" text \"\${text}\")
    file(WRITE \"\${file}\" \"\${text}\")")
endif()
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${TESSERA_PACKAGE_DIR})

set(TESSERA_KOKKOS_HINT "${TESSERA_KOKKOS_PREFIX}")
if(TESSERA_PACKAGE_KOKKOS)
  set(TESSERA_KOKKOS_HINT "\${Tessera_PREFIX}/${TESSERA_PACKAGE_KOKKOS}")
endif()
set(TESSERA_PACKAGE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
get_property(TESSERA_CONTRACT_TEXT GLOBAL PROPERTY TESSERA_CONTRACT)
get_property(TESSERA_CONTRACT_HEADERS_TEXT GLOBAL PROPERTY TESSERA_CONTRACT_HEADERS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TesseraConfig.cmake INSTALL_DESTINATION ${TESSERA_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)

# tessera.pc, for build systems other than CMake. For a static library it lists all dependencies.
set(pc_kokkos "")
set(pc_needs "")
set(pc_libraries "")
set(pc_definitions "")
foreach(definition IN LISTS TESSERA_TUNE_SPACE_DEFINITIONS)
  string(APPEND pc_definitions " -D${definition}")
endforeach()
if(TARGET tessera_kokkos)
  if(TESSERA_PACKAGE_KOKKOS)
    set(pc_kokkos " -L\${prefix}/${TESSERA_PACKAGE_KOKKOS}/lib")
  elseif(Kokkos_DIR)
    get_filename_component(pc_kokkos "${Kokkos_DIR}/../.." ABSOLUTE)
    set(pc_kokkos " -L${pc_kokkos}")
  endif()
  string(APPEND pc_kokkos " -lkokkoscore")
endif()
if("openmp" IN_LIST TESSERA_PACKAGE_BACKENDS OR "kokkos" IN_LIST TESSERA_PACKAGE_BACKENDS)
  set(pc_needs " ${OpenMP_CXX_FLAGS}")
endif()
if("cuda" IN_LIST TESSERA_PACKAGE_BACKENDS)
  get_target_property(cudart CUDA::cudart IMPORTED_LOCATION)
  get_filename_component(cuda_libraries "${cudart}" DIRECTORY)
  set(pc_libraries " -L${cuda_libraries} -lcudart")
endif()
# Adds zlib, with its folder unless the linker searches there by default.
get_target_property(zlib ZLIB::ZLIB IMPORTED_LOCATION)
if(NOT zlib)
  get_target_property(zlib ZLIB::ZLIB IMPORTED_LOCATION_RELEASE)
endif()
if(zlib)
  get_filename_component(zlib_folder "${zlib}" DIRECTORY)
  if(NOT zlib_folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
    string(APPEND pc_libraries " -L${zlib_folder}")
  endif()
endif()
string(APPEND pc_libraries " -lz")
# Adds libraries of backends that are linker names or files and no targets.
foreach(backend IN LISTS TESSERA_PACKAGE_BACKENDS ITEMS host)
  get_property(libraries GLOBAL PROPERTY TESSERA_BACKEND_${backend}_LIBRARIES)
  list(FILTER libraries EXCLUDE REGEX "::")
  list(REMOVE_DUPLICATES libraries)
  foreach(library IN LISTS libraries)
    if(IS_ABSOLUTE "${library}")
      string(APPEND pc_libraries " ${library}")
    else()
      string(APPEND pc_libraries " -l${library}")
    endif()
  endforeach()
endforeach()
# Relative path from the folder of the .pc file to the prefix, for any depth of the library folder.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/tessera.pc.in ${PROJECT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TESSERA_NATIVE)
  install(CODE "message(STATUS \"Tessera: compiled for processors like this machine's (-march=native); \
the preset 'package' is for others\")")
endif()
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
              ${PROJECT_BINARY_DIR}/pair_form_kernels.cmake
              ${CMAKE_CURRENT_LIST_DIR}/names.cmake
              ${CMAKE_CURRENT_LIST_DIR}/pair_form_library.cmake
              ${CMAKE_CURRENT_LIST_DIR}/plugin_library.cmake
              ${CMAKE_CURRENT_LIST_DIR}/cuda.cmake
              ${CMAKE_CURRENT_LIST_DIR}/plugin_entry.cpp.in
        DESTINATION ${TESSERA_PACKAGE_DIR})
