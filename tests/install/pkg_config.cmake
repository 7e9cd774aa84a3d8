# Builds the consumer without CMake, by pkg-config, with the moved package.
include(${CMAKE_CURRENT_LIST_DIR}/run_step.cmake)
file(GLOB_RECURSE found ${PREFIX}/tessera.pc)
get_filename_component(folder ${found} DIRECTORY)
run_step("ask pkg-config" COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${folder} ${PKG_CONFIG} --cflags
         --libs --static tessera)
separate_arguments(flags UNIX_COMMAND "${step_output}")
file(MAKE_DIRECTORY ${WORK}/pkg_config)
run_step("build the consumer" COMMAND ${CXX_COMPILER} ${CMAKE_CURRENT_LIST_DIR}/consumer/consumer.cpp
         -o ${WORK}/pkg_config/consumer ${flags})
run_step("run the consumer" COMMAND ${WORK}/pkg_config/consumer)
expect_output("serial: energy -1")
