# The contract that a plugin compiled elsewhere must share with the program that loads it: the version
# and the public headers, because layouts are theirs.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/core/*.hpp
     ${PROJECT_SOURCE_DIR}/physics/*.hpp)
list(SORT headers)
set(sums "")
foreach(header IN LISTS headers)
  file(SHA256 ${header} sum)
  string(APPEND sums ${sum})
endforeach()
string(SHA256 sum "${sums}")
string(SUBSTRING ${sum} 0 12 sum)
set(TESSERA_CONTRACT "tessera-${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} headers ${sum}")
set_property(GLOBAL PROPERTY TESSERA_CONTRACT "${TESSERA_CONTRACT}")
