# Checks forces and torques of tests/potentials/lj_sf_dipole_sf.hpp in every implementation that runs potentials that are
# not central; the others refuse it with the reason.
set(system "form lj/sf/dipole/sf")
foreach(order "" " in any order")
  execute_process(COMMAND ${PROGRAM} --plugin ${FORM} verify --verbose --operation md/pair_force
                          --input "${system}${order}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${system}${order}: exit code ${code}\n${out}${err}")
  endif()
  # With any order the vector code has no loops.
  set(expected serial.portable openmp.portable)
  if(NOT order)
    list(APPEND expected openmp.cluster)
  endif()
  foreach(implementation IN LISTS expected)
    if(NOT out MATCHES "${implementation} [^\n]*passed")
      message(FATAL_ERROR "${system}${order}: ${implementation} did not pass\n${out}${err}")
    endif()
  endforeach()
endforeach()
