# Obtains the Kokkos sources from the Python package registry.
#
# A source distribution of pycompadre contains a complete Kokkos release. pip cannot download it without building it, so
# the package finder unearth downloads it from the index that pip is configured for.
include_guard(GLOBAL)

set(TESSERA_KOKKOS_REGISTRY_PACKAGE pycompadre)
set(TESSERA_KOKKOS_REGISTRY_RELEASE 1.7.6)
set(TESSERA_KOKKOS_REGISTRY_SHA256
    c766ec4d445ce076069be4b8c51a23ffac4ee79ea949ca86446bfd8c299b154c)
set(TESSERA_KOKKOS_REGISTRY_VERSION 4.5.1)
set(TESSERA_KOKKOS_REGISTRY_FINDER unearth==0.19.0)

# Sets <archive_var> to the downloaded archive, or <reason_var> to the reason why there is none.
function(tessera_kokkos_download archive_var reason_var)
  set(${archive_var} "" PARENT_SCOPE)
  set(${reason_var} "" PARENT_SCOPE)
  set(folder ${TESSERA_DEPS_DIR}/downloads)
  set(name ${TESSERA_KOKKOS_REGISTRY_PACKAGE}-${TESSERA_KOKKOS_REGISTRY_RELEASE})
  set(archive ${folder}/${name}.tar.gz)
  if(EXISTS ${archive})
    file(SHA256 ${archive} found)
    if(found STREQUAL TESSERA_KOKKOS_REGISTRY_SHA256)
      set(${archive_var} ${archive} PARENT_SCOPE)
      return()
    endif()
    file(REMOVE ${archive})
  endif()

  find_program(TESSERA_PYTHON3 python3 DOC "Python 3 with the module venv")
  mark_as_advanced(TESSERA_PYTHON3)
  if(NOT TESSERA_PYTHON3)
    set(${reason_var} "python3 is needed to download the Kokkos sources" PARENT_SCOPE)
    return()
  endif()

  message(STATUS "Kokkos: downloading ${TESSERA_KOKKOS_REGISTRY_VERSION} (in ${name})")
  set(environment ${folder}/environment)
  set(incoming ${folder}/incoming)
  set(log ${folder}/${name}.log)
  file(REMOVE_RECURSE ${environment} ${incoming})
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${TESSERA_PYTHON3} -m venv ${environment}
    RESULT_VARIABLE result OUTPUT_FILE ${log} ERROR_FILE ${log})
  if(NOT result EQUAL 0)
    set(${reason_var} "python3 -m venv failed (on Debian: install python3-venv), see ${log}"
        PARENT_SCOPE)
    return()
  endif()
  set(pip ${environment}/bin/pip --disable-pip-version-check --quiet)
  execute_process(COMMAND ${pip} install ${TESSERA_KOKKOS_REGISTRY_FINDER}
    RESULT_VARIABLE result OUTPUT_FILE ${log} ERROR_FILE ${log})
  if(NOT result EQUAL 0)
    set(${reason_var}
        "the Python package registry gave no ${TESSERA_KOKKOS_REGISTRY_FINDER}, see ${log}"
        PARENT_SCOPE)
    return()
  endif()
  execute_process(
    COMMAND ${environment}/bin/unearth --no-binary --download ${incoming}
            ${TESSERA_KOKKOS_REGISTRY_PACKAGE}==${TESSERA_KOKKOS_REGISTRY_RELEASE}
    RESULT_VARIABLE result OUTPUT_FILE ${log} ERROR_FILE ${log})
  if(NOT result EQUAL 0 OR NOT EXISTS ${incoming}/${name}.tar.gz)
    set(${reason_var} "the Python package registry gave no ${name}, see ${log}" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 ${incoming}/${name}.tar.gz found)
  if(NOT found STREQUAL TESSERA_KOKKOS_REGISTRY_SHA256)
    file(REMOVE_RECURSE ${incoming})
    set(${reason_var} "the sha256 of ${name}.tar.gz is ${found}, \
expected ${TESSERA_KOKKOS_REGISTRY_SHA256}" PARENT_SCOPE)
    return()
  endif()
  file(RENAME ${incoming}/${name}.tar.gz ${archive})
  file(REMOVE_RECURSE ${incoming} ${environment})
  file(REMOVE ${log})
  set(${archive_var} ${archive} PARENT_SCOPE)
endfunction()

# Sets <source_var> to the folder of the unpacked sources, or <reason_var> to the reason why there is none.
function(tessera_kokkos_fetch source_var reason_var)
  set(${source_var} "" PARENT_SCOPE)
  set(${reason_var} "" PARENT_SCOPE)
  set(source ${TESSERA_DEPS_DIR}/sources/kokkos-${TESSERA_KOKKOS_REGISTRY_VERSION})
  file(MAKE_DIRECTORY ${TESSERA_DEPS_DIR})
  file(LOCK ${TESSERA_DEPS_DIR}/sources.lock GUARD FUNCTION)
  if(NOT EXISTS ${source}/CMakeLists.txt)
    tessera_kokkos_download(archive reason)
    if(NOT archive)
      set(${reason_var} "${reason}" PARENT_SCOPE)
      return()
    endif()
    set(unpacked ${TESSERA_DEPS_DIR}/sources/unpacking)
    file(REMOVE_RECURSE ${unpacked} ${source})
    file(ARCHIVE_EXTRACT INPUT ${archive} DESTINATION ${unpacked} PATTERNS "*/kokkos/*")
    # Renames the folder last, so that a folder with the final name is always complete.
    file(RENAME
      ${unpacked}/${TESSERA_KOKKOS_REGISTRY_PACKAGE}-${TESSERA_KOKKOS_REGISTRY_RELEASE}/kokkos
      ${source})
    file(REMOVE_RECURSE ${unpacked})
  endif()
  set(${source_var} ${source} PARENT_SCOPE)
endfunction()
