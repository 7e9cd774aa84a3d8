# One backend, no optimisation and few units: this is about the build system.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)
set(BUILD_TYPE Debug)
set(options -DTESSERA_SOURCE_DIR=${SOURCE} -DTESSERA_BACKENDS=serial -DCMAKE_CXX_FLAGS_DEBUG=-O0
            -DTESSERA_UNITY_BUILD=ON -DTESSERA_PAIR_FORMS=lj/cut)
# From a repository where there is one: the last commit.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE commit
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
# FetchContent ends in the same add_subdirectory(), so configuring is enough.
run_step("configure with FetchContent" COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer
         -B ${WORK}/fetch_content -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX_COMPILER} ${options}
         -DTESSERA_FETCH=ON -DTESSERA_FETCH_COMMIT=${commit})
configure_and_build(${CMAKE_CURRENT_LIST_DIR}/consumer ${WORK}/add_subdirectory ${options})
run_step("run the consumer" COMMAND ${WORK}/add_subdirectory/consumer ${WORK}/add_subdirectory/consumer_plugin.so)
expect_output("serial: energy -1")
expect_output("loaded consumer.none: finds nothing")
