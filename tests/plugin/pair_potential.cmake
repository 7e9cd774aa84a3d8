# Tests a plugin with the pair potential of tests/potentials/soft.hpp, which the library does not have: checks it in
# every implementation of this build, and runs a case with it. Without the plugin both are refused with the name.
function(run expected_code)
  execute_process(COMMAND ${PROGRAM} ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL expected_code)
    message(FATAL_ERROR "tessera ${ARGN}: exit code ${code}, expected ${expected_code}\n${out}${err}")
  endif()
  set(output "${out}${err}" PARENT_SCOPE)
endfunction()

function(expect text)
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "expected '${text}' in\n${output}")
  endif()
endfunction()

run(0 --plugin ${FORM} verify --verbose --operation md/pair_force --input "form soft")
expect("passed")
if(output MATCHES "FAILED|no pair loop")
  message(FATAL_ERROR "an implementation does not run the potential:\n${output}")
endif()
run(2 verify --verbose --operation md/pair_force --input "form soft")
expect("form soft")

run(2 --plugin ${FORM} --plugin ${FORM} list)
expect("pair potential 'soft': expected a name that no other potential has")

file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/case.toml "
[system]
lattice = \"fcc\"
density = 0.8
cells = [5, 5, 5]
[velocities]
temperature = 0.5
[pair]
style = \"soft\"
cutoff = 2.5
[[pair.coefficients]]
types = [1, 1]
a = 30.0
[run]
steps = 20
")
run(0 --plugin ${FORM} run ${WORK}/case.toml --overwrite --out ${WORK}/out)
run(2 run ${WORK}/case.toml --overwrite --out ${WORK}/out)
expect("pair.style")
run(2 --plugin ${FORM} run ${WORK}/case.toml --set pair.coefficients.0.cutof=2 --out ${WORK}/out)
expect("did you mean 'cutoff'")
