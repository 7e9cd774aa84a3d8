# Builds with one backend, without optimisation and in few units, because this only tests the build system.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)
set(BUILD_TYPE Debug)
set(options -DTESSERA_SOURCE_DIR=${SOURCE} -DTESSERA_BACKENDS=serial -DCMAKE_CXX_FLAGS_DEBUG=-O0
            -DTESSERA_UNITY_BUILD=ON -DTESSERA_PAIR_FORMS=lj/cut)
# If the source is a repository without changes, FetchContent fetches its last commit.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git status --porcelain WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE changes ERROR_QUIET)
  if("${changes}" STREQUAL "")
    execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
configure_and_build(${CMAKE_CURRENT_LIST_DIR}/consumer ${WORK}/add_subdirectory ${options})
set(program ${WORK}/add_subdirectory/consumer ${WORK}/add_subdirectory/consumer_plugin.so)
run_step("run the consumer" COMMAND ${program} ${WORK}/add_subdirectory/gaussian_core/gaussian_core.so)
expect_output("serial: energy -1")
expect_output("loaded consumer.none: finds nothing")
expect_output("serial: gaussian/core, energy 0.367879441")

# FetchContent calls the same add_subdirectory(), so that only the potential is built again; the program from above
# loads it.
run_step("configure with FetchContent" COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer
         -B ${WORK}/fetch_content -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} ${options}
         -DCMAKE_BUILD_TYPE=${BUILD_TYPE} -DTESSERA_FETCH=ON -DTESSERA_FETCH_COMMIT=${commit})
run_step("build its potential" COMMAND ${CMAKE_COMMAND} --build ${WORK}/fetch_content --parallel 2 --target gaussian_core)
run_step("run the consumer with it" COMMAND ${program} ${WORK}/fetch_content/gaussian_core/gaussian_core.so)
expect_output("serial: gaussian/core, energy 0.367879441")
