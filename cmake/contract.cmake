# Sets the global property TESSERA_CONTRACT, by which a program recognizes plugins that it can load: the version and a
# digest of the public headers, without comments and white space. TESSERA_CONTRACT_HEADERS has a digest of each header,
# so that a refusal can name the headers that differ. The list "headers" holds the paths of the headers from the root.

# tessera_contract_text(<file> <out>): text of a header without comments and white space.
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
