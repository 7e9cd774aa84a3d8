# Functions for tests that configure, build and run other projects. The including scripts get the variables
#   WORK                                            an empty folder to work in
#   GENERATOR, CXX_COMPILER, LAUNCHER, BUILD_TYPE   those of the enclosing build
# A step that fails ends the test with the output of the step.

# run_step(<name> [FAILS <code>] COMMAND ...): runs a command, and sets step_output to its output.
function(run_step name)
  cmake_parse_arguments(R "" "FAILS" "COMMAND" ${ARGN})
  execute_process(COMMAND ${R_COMMAND} RESULT_VARIABLE result OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  set(expected 0)
  if(R_FAILS)
    set(expected ${R_FAILS})
  endif()
  if(NOT result EQUAL expected)
    message(FATAL_ERROR "${name}: exit ${result}, expected ${expected}\n${output}")
  endif()
  message("-- ${name}")
  set(step_output "${output}" PARENT_SCOPE)
endfunction()

# Checks that the output of the last step matches a regular expression.
function(expect_output regex)
  if(NOT step_output MATCHES "${regex}")
    message(FATAL_ERROR "expected '${regex}' in:\n${step_output}")
  endif()
endfunction()

# configure_and_build(<source> <build> <option>...): configures and builds a project with the settings of this build.
function(configure_and_build source build)
  file(REMOVE_RECURSE ${build})
  run_step("configure ${source}" COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR}
           -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}
           -DCMAKE_BUILD_TYPE=${BUILD_TYPE} ${ARGN})
  run_step("build ${build}" COMMAND ${CMAKE_COMMAND} --build ${build} --parallel 2)
endfunction()
