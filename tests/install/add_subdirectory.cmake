# One backend and no optimisation: this is about the build system.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)
set(BUILD_TYPE Debug)
configure_and_build(${CMAKE_CURRENT_LIST_DIR}/consumer ${WORK}/add_subdirectory
                    -DTESSERA_SOURCE_DIR=${SOURCE} -DTESSERA_BACKENDS=serial)
run_step("run the consumer" COMMAND ${WORK}/add_subdirectory/consumer)
expect_output("serial: energy -1")
