# Headers below <tessera/...>, the library, the command line, and the package that find_package() and
# plugins outside the tree use. Without the install step the same targets serve add_subdirectory() and
# FetchContent.
include(${CMAKE_CURRENT_LIST_DIR}/plugin_library.cmake)
if(NOT TESSERA_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(TESSERA_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Tessera)

tessera_include_roots(roots)
foreach(root IN LISTS roots)
  string(REPLACE ":" ";" pair ${root})
  list(GET pair 0 folder)
  list(GET pair 1 name)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder}/ DESTINATION include/tessera/${name}
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
endforeach()

install(FILES ${PROJECT_BINARY_DIR}/include/tessera/generated/elements.hpp
        DESTINATION include/tessera/generated)

set_target_properties(tessera PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS tessera EXPORT TesseraTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
get_property(TESSERA_PACKAGE_BACKENDS GLOBAL PROPERTY TESSERA_BACKENDS_BUILT)
if(TARGET tessera_cli)
  set_target_properties(tessera_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}"
                        INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS tessera_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET tessera_kokkos)
  tessera_install_kokkos_target(TesseraTargets)
endif()
install(EXPORT TesseraTargets NAMESPACE Tessera:: DESTINATION ${TESSERA_PACKAGE_DIR})

set(TESSERA_PACKAGE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
get_property(TESSERA_CONTRACT_TEXT GLOBAL PROPERTY TESSERA_CONTRACT)
get_property(TESSERA_CONTRACT_HEADERS_TEXT GLOBAL PROPERTY TESSERA_CONTRACT_HEADERS)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TesseraConfig.cmake.in
  ${PROJECT_BINARY_DIR}/TesseraConfig.cmake INSTALL_DESTINATION ${TESSERA_PACKAGE_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/TesseraConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/plugin_library.cmake
              ${CMAKE_CURRENT_LIST_DIR}/cuda.cmake
              ${CMAKE_CURRENT_LIST_DIR}/plugin_entry.cpp.in
        DESTINATION ${TESSERA_PACKAGE_DIR})
