# Tests that the contract with plugins depends on the code of headers, and not on comments and white space.
# usage: cmake -DSOURCE=<tree> -DWORK=<folder> -P contract.cmake
function(contract_of text out_sum out_headers)
  file(WRITE ${WORK}/tree/core/a.hpp "${text}")
  set(PROJECT_SOURCE_DIR ${WORK}/tree)
  set(headers core/a.hpp)
  set(PROJECT_VERSION_MAJOR 0)
  set(PROJECT_VERSION_MINOR 1)
  include(${SOURCE}/cmake/contract.cmake)
  set(${out_sum} "${TESSERA_CONTRACT}" PARENT_SCOPE)
  set(${out_headers} "${TESSERA_CONTRACT_HEADERS}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK}/tree)
contract_of("struct A { int x = 1; };\n" first headers)
if(NOT headers MATCHES "^core/a.hpp=[0-9a-f]+ $")
  message(FATAL_ERROR "the headers are '${headers}'")
endif()
foreach(same
    "/// What it is.\nstruct A { int x = 1; };\n"
    "struct A {\n  int x = 1;  // one [of; two\n};\n"
    "/* a ** b\n   c */ struct A { int x /**/ = 1; };\n")
  contract_of("${same}" other headers)
  if(NOT other STREQUAL first)
    message(FATAL_ERROR "a comment changed the contract: ${same}")
  endif()
endforeach()
foreach(changed "struct A { int x = 2; };\n" "struct A { int y = 1; };\n" "struct A { int x = 1; char c; };\n")
  contract_of("${changed}" other headers)
  if(other STREQUAL first)
    message(FATAL_ERROR "a change was not seen: ${changed}")
  endif()
endforeach()
