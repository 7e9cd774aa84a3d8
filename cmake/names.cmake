# C++ names derived from file names.
include_guard(GLOBAL)

# tessera_type_name(<file name> <out>): derives PairSection from pair_section.
function(tessera_type_name name out)
  set(type "")
  string(REPLACE "_" ";" words ${name})
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND type ${first}${rest})
  endforeach()
  set(${out} ${type} PARENT_SCOPE)
endfunction()
