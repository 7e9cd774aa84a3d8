# Script that writes the C++ file SOURCE: a digest of each group of files that the file GROUPS lists, over the paths of
# the files relative to ROOT and their contents. Leaves the time stamp of SOURCE if its contents would not change.
set(rows "")

function(tessera_group name files)
  set(text "")
  foreach(file IN LISTS files)
    file(SHA256 ${file} hash)
    file(RELATIVE_PATH file ${ROOT} ${file})
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(rows "${rows}      {\"${name}\", \"${hash}\"},\n" PARENT_SCOPE)
endfunction()
include(${GROUPS})

file(CONFIGURE OUTPUT ${SOURCE} CONTENT "\
// Generated: digests of what implementations are compiled from.
#include <map>
#include <string>

namespace tessera::generated {

const std::map<std::string, std::string>& source_digests() {
  static const std::map<std::string, std::string> digests{
${rows}  };
  return digests;
}

}  // namespace tessera::generated
" @ONLY)
