include(${CMAKE_CURRENT_LIST_DIR}/../install/run_step.cmake)
run_step("a plugin of another version is refused" FAILS 2 COMMAND ${PROGRAM} --plugin ${FOREIGN} list)
expect_output("it was built for 'tessera-0.0 of another time', this program is 'tessera-")
expect_output("other headers: core/base/.* and [0-9]+ more; build it again")
run_step("from the environment too" FAILS 2
         COMMAND ${CMAKE_COMMAND} -E env TESSERA_PLUGINS=:${FOREIGN}: ${PROGRAM} info)
expect_output("tessera-0.0 of another time")
run_step("a library that is no plugin is refused" FAILS 2 COMMAND ${PROGRAM} --plugin ${NONE} list)
expect_output("is no plugin, expected a library made by tessera_add_plugin_library")
