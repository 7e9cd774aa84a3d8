# Builds examples/plugin_pair_force against the installed package, and loads it with the installed program.
include(${CMAKE_CURRENT_LIST_DIR}/../install/run_step.cmake)
set(build ${WORK}/example)
configure_and_build(${SOURCE}/examples/plugin_pair_force ${build} -DCMAKE_PREFIX_PATH=${PREFIX}
                    -DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON)
set(program ${PREFIX}/bin/tessera --plugin ${build}/pair_force_cells.so)

run_step("listed" COMMAND ${program} list --operation pair_force --backend openmp --verbose)
expect_output("openmp.cells +openmp +double mixed single +run_to_run +no +comes after [a-z.]+ in the default order: it is external")
expect_output("cells_per_task = 4 .of 1, 4, 16, 64.")
run_step("verified" COMMAND ${program} verify --verbose --operation pair_force --implementation openmp.cells)
expect_output("openmp.cells +double")
expect_output("no implementation failed")
run_step("tested by the installed program" COMMAND ${PREFIX}/bin/tessera_conformance --operation pair_force
         --plugin ${build}/pair_force_cells.so --implementation openmp.cells --precision mixed)
expect_output("md/pair_force=openmp.cells in mixed")
expect_output("[1-9][0-9]+ passed \\| 0 failed")
run_step("and refused what it does not know" FAILS 2 COMMAND ${PREFIX}/bin/tessera_conformance pair_force)
expect_output("'pair_force': expected an option")
run_step("benchmarked" COMMAND ${program} bench --operation pair_force --implementation openmp.cells
         --precision double --size 4000 --repeat 3)
expect_output("openmp.cells +double +melt +4000")
run_step("selected, from the environment" COMMAND ${CMAKE_COMMAND} -E env
         TESSERA_PLUGINS=${build}/pair_force_cells.so ${PREFIX}/bin/tessera run
         ${SOURCE}/tests/cli/golden/melt.toml --backend openmp --select pair_force=openmp.cells
         --parameter pair_force.cells_per_task=16 --out ${build}/run --overwrite)
expect_output("selected: md/pair_force=openmp.cells")
expect_output(" 0 +1.44 +-6.77336805 ")
run_step("a bad parameter is refused" FAILS 2 COMMAND ${program} verify --operation pair_force
         --implementation openmp.cells --input two --parameter pair_force.cells_per_task=0)
expect_output("cells_per_task=0: expected cells_per_task of 1 or more")
