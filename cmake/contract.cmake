# The contract that a plugin compiled elsewhere must share with the program that loads it: the version and the headers
# that users get (the list "headers", by their path from the root), as they are in the tree. Comments and white space
# are no part of it. The sum of each header is kept, so that a refusal can name those that differ.

# tessera_contract_text(<file> <out>): what of a header matters.
function(tessera_contract_text file out)
  file(READ ${file} text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
  string(REGEX REPLACE "[ \t\r\n]+" "" text "${text}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(sums "")
foreach(header IN LISTS headers)
  tessera_contract_text(${PROJECT_SOURCE_DIR}/${header} text)
  string(SHA256 sum "${text}")
  string(SUBSTRING ${sum} 0 12 sum)
  string(REGEX REPLACE "^physics/" "" header ${header})
  string(APPEND sums "${header}=${sum} ")
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING ${sum} 0 12 sum)
set(TESSERA_CONTRACT "tessera-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} headers ${sum}")
set(TESSERA_CONTRACT_HEADERS "${sums}")
set_property(GLOBAL PROPERTY TESSERA_CONTRACT "${TESSERA_CONTRACT}")
set_property(GLOBAL PROPERTY TESSERA_CONTRACT_HEADERS "${TESSERA_CONTRACT_HEADERS}")
