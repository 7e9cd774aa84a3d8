# Functions that build and install Kokkos from a source tree while the project is configured.
include_guard(GLOBAL)

# Sets <version_var> to the version that a Kokkos source tree declares; empty if the folder is no Kokkos source tree.
function(tessera_kokkos_source_version source version_var)
  set(${version_var} "" PARENT_SCOPE)
  if(NOT EXISTS ${source}/CMakeLists.txt)
    return()
  endif()
  file(READ ${source}/CMakeLists.txt text)
  set(version "")
  foreach(part MAJOR MINOR PATCH)
    if(NOT text MATCHES "Kokkos_VERSION_${part} ([0-9]+)")
      return()
    endif()
    list(APPEND version ${CMAKE_MATCH_1})
  endforeach()
  list(JOIN version "." version)
  set(${version_var} ${version} PARENT_SCOPE)
endfunction()

# Sets <option_var> to the name of the Kokkos option for the oldest of the given CUDA architectures, and <number_var> to
# the number of this architecture. Kokkos accepts one architecture. Its code runs on newer devices of the same
# generation, and through its PTX on later generations. If the source tree does not know the architecture, the newest
# older one that it knows is used.
function(tessera_kokkos_cuda_architecture source architectures option_var number_var)
  set(${option_var} "" PARENT_SCOPE)
  set(${number_var} "" PARENT_SCOPE)
  set(oldest "")
  foreach(architecture IN LISTS architectures)
    if(architecture MATCHES "^([0-9]+)[a-z]?(-real|-virtual)?$")
      if(oldest STREQUAL "" OR CMAKE_MATCH_1 LESS oldest)
        set(oldest ${CMAKE_MATCH_1})
      endif()
    endif()
  endforeach()
  if(oldest STREQUAL "")
    return()
  endif()
  file(READ ${source}/cmake/kokkos_arch.cmake known)
  set(names PASCAL60 PASCAL61 VOLTA70 VOLTA72 TURING75 AMPERE80 AMPERE86 AMPERE87 ADA89 HOPPER90
            BLACKWELL100 BLACKWELL103 BLACKWELL120)
  foreach(name IN LISTS names)
    string(REGEX MATCH "[0-9]+" number ${name})
    if(NOT number GREATER oldest AND known MATCHES "[( ]${name} ")
      set(${option_var} Kokkos_ARCH_${name} PARENT_SCOPE)
      set(${number_var} ${number} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Sets <option_var> to what Kokkos calls the first of TESSERA_HIP_TARGETS, or another with as many lanes, that the source
# tree knows; empty if it knows none.
function(tessera_kokkos_hip_architecture source option_var)
  set(${option_var} "" PARENT_SCOPE)
  file(READ ${source}/cmake/kokkos_arch.cmake known)
  list(GET TESSERA_HIP_LANES 0 lanes)
  foreach(target IN LISTS TESSERA_HIP_TARGETS_${lanes})
    string(TOUPPER "AMD_${target}" name)
    if(known MATCHES "[( ]${name}[) ]")
      set(${option_var} ${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# Sets <text_var> to a digest of the macros of the compiler with -march=native. It names the installation for this
# processor, so that different machines can share a folder of installations.
function(tessera_kokkos_native_processor text_var)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
    OUTPUT_VARIABLE macros ERROR_QUIET)
  string(SHA256 hash "${macros}")
  set(${text_var} ${hash} PARENT_SCOPE)
endfunction()

# tessera_kokkos_build(<source> <version> <gpu> <prefix_var> <reason_var>)
# Sets <prefix_var> to the installation, which is built unless it exists, or <reason_var> to the reason why there is
# none. The name of the installation identifies its options, so several build trees can share it. Its stamp is written
# last; an installation without a stamp is built again. <gpu> is CUDA, HIP or empty.
function(tessera_kokkos_build source version gpu prefix_var reason_var)
  set(${prefix_var} "" PARENT_SCOPE)
  set(${reason_var} "" PARENT_SCOPE)

  set(options
    -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    -DCMAKE_CXX_EXTENSIONS=OFF
    -DBUILD_SHARED_LIBS=OFF
    -DCMAKE_INSTALL_LIBDIR=lib
    -DKokkos_ENABLE_SERIAL=ON
    -DKokkos_ENABLE_OPENMP=ON
    -DKokkos_ENABLE_TUNING=ON
    -DKokkos_ENABLE_TESTS=OFF
    -DKokkos_ENABLE_EXAMPLES=OFF
    -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER})
  set(identity "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  if(TESSERA_NATIVE)
    list(APPEND options -DKokkos_ARCH_NATIVE=ON)
    tessera_kokkos_native_processor(processor)
    string(APPEND identity " ${processor}")
  endif()
  set(kind cpu)
  if(gpu STREQUAL "CUDA")
    set(architectures ${TESSERA_CUDA_ARCHITECTURES})
    if(NOT architectures)
      set(architectures ${CMAKE_CUDA_ARCHITECTURES})
    endif()
    tessera_kokkos_cuda_architecture(${source} "${architectures}" architecture number)
    if(NOT architecture)
      set(${reason_var} "Kokkos ${version} knows none of the CUDA architectures '${architectures}'"
          PARENT_SCOPE)
      return()
    endif()
    set(kind cuda-sm${number})
    set(header ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cuda13_compatibility.hpp)
    # Kokkos 4 is compiled as C++17, because nvcc 13 does not parse requires-clauses between the parameters and the
    # initializers of a constructor. Sources that include the installed Kokkos may be C++20.
    set(standard 17)
    if(version VERSION_GREATER_EQUAL 5)
      set(standard 20)
    endif()
    list(APPEND options
      -DCMAKE_CXX_STANDARD=${standard}
      -DCMAKE_CUDA_STANDARD=${standard}
      -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
      -DCMAKE_CUDA_ARCHITECTURES=${number}
      -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared
      "-DCMAKE_CUDA_FLAGS=--pre-include=\"${header}\""
      -DKokkos_ENABLE_CUDA=ON
      -DKokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE=ON
      -DKokkos_ENABLE_IMPL_MDSPAN=OFF
      -D${architecture}=ON)
    if(CMAKE_CUDA_HOST_COMPILER)
      list(APPEND options -DCMAKE_CUDA_HOST_COMPILER=${CMAKE_CUDA_HOST_COMPILER})
    endif()
    file(SHA256 ${header} header_hash)
    string(APPEND identity " ${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION} ${header_hash}")
  elseif(gpu STREQUAL "HIP")
    tessera_kokkos_hip_architecture(${source} architecture)
    if(NOT architecture)
      set(${reason_var} "Kokkos ${version} knows none of the architectures '${TESSERA_HIP_TARGETS}'" PARENT_SCOPE)
      return()
    endif()
    list(GET TESSERA_HIP_LANES 0 lanes)
    tessera_hip_target_options(${lanes} target_options)
    list(JOIN TESSERA_HIP_TARGETS_${lanes} "-" targets)
    set(kind hip-${targets})
    # Kokkos takes one architecture, whose macros hold for the others too. The flags compile its kernels for each; it
    # adds -x hip itself, which must not be there when programs are linked.
    list(JOIN TESSERA_HIP_OPTIONS " " flags)
    list(JOIN target_options " " target_flags)
    string(REPLACE "-x hip" "" flags "${flags}")
    # ROCm's Thrust only serves sorting by Kokkos, which nothing here calls (the backend sorts with rocPRIM).
    list(APPEND options
      -DCMAKE_CXX_STANDARD=17
      "-DCMAKE_CXX_FLAGS=${flags} ${target_flags} -Wno-unused-command-line-argument"
      -DKokkos_ENABLE_HIP=ON
      -DKokkos_ENABLE_ROCTHRUST=OFF
      -DKokkos_ARCH_${architecture}=ON)
    string(APPEND identity " ${TESSERA_HIP_VERSION} ${TESSERA_HIP_INCLUDE}")
  else()
    list(APPEND options -DCMAKE_CXX_STANDARD=20)
  endif()

  # The sources from the registry are known to compile as one unit; the sources of a user may not.
  set(foreign "")
  if(source STREQUAL "${TESSERA_DEPS_DIR}/sources/kokkos-${version}")
    list(APPEND options -DCMAKE_PROJECT_Kokkos_INCLUDE=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/unite.cmake)
  else()
    set(foreign ";${source}")
  endif()

  # The name of the installation must not depend on the path of this checkout, which does not affect the build.
  string(REPLACE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}" "" described "${options};${identity}${foreign}")
  string(SHA256 hash "${described}")
  string(SUBSTRING ${hash} 0 10 hash)
  set(name kokkos-${version}-${kind}-${hash})
  set(prefix ${TESSERA_DEPS_DIR}/${name})
  set(stamp ${prefix}/.complete)

  file(MAKE_DIRECTORY ${TESSERA_DEPS_DIR})
  file(LOCK ${TESSERA_DEPS_DIR}/${name}.lock GUARD FUNCTION)
  if(EXISTS ${stamp})
    set(${prefix_var} ${prefix} PARENT_SCOPE)
    return()
  endif()

  find_program(TESSERA_CCACHE ccache)
  if(TESSERA_CCACHE)
    list(APPEND options -DCMAKE_CXX_COMPILER_LAUNCHER=${TESSERA_CCACHE}
                        -DCMAKE_CUDA_COMPILER_LAUNCHER=${TESSERA_CCACHE})
  endif()
  if(CMAKE_MAKE_PROGRAM)
    list(APPEND options -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM})
  endif()
  cmake_host_system_information(RESULT jobs QUERY NUMBER_OF_LOGICAL_CORES)
  set(build ${TESSERA_DEPS_DIR}/build/${name})
  set(log ${TESSERA_DEPS_DIR}/${name}.log)
  message(STATUS "Kokkos: building ${version} (${kind}) in ${prefix}")
  file(REMOVE_RECURSE ${prefix} ${build})
  # Ignores compiler flags in the environment, because the name of the installation does not contain them.
  set(clean ${CMAKE_COMMAND} -E env --unset=CXXFLAGS --unset=CUDAFLAGS --unset=LDFLAGS)
  set(configure ${clean} ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} -S ${source} -B ${build}
      -DCMAKE_INSTALL_PREFIX=${prefix} ${options})
  set(compile ${clean} ${CMAKE_COMMAND} --build ${build} --config Release --parallel ${jobs})
  set(install ${clean} ${CMAKE_COMMAND} --install ${build} --config Release)
  file(WRITE ${log} "${configure}\n")
  foreach(step configure compile install)
    execute_process(COMMAND ${${step}} RESULT_VARIABLE result OUTPUT_VARIABLE output
      ERROR_VARIABLE output)
    file(APPEND ${log} "\n== ${step}\n${output}")
    if(NOT result EQUAL 0)
      string(LENGTH "${output}" length)
      if(length GREATER 4000)
        math(EXPR start "${length} - 4000")
        string(SUBSTRING "${output}" ${start} -1 output)
      endif()
      message(NOTICE "${output}")
      set(${reason_var} "the step '${step}' of building Kokkos ${version} failed, see ${log}"
          PARENT_SCOPE)
      return()
    endif()
  endforeach()
  file(REMOVE_RECURSE ${build})
  file(WRITE ${stamp} "${described}\n")
  set(${prefix_var} ${prefix} PARENT_SCOPE)
endfunction()
