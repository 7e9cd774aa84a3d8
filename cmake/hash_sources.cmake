# Writes SOURCE: a digest for each group of files in GROUPS, over their paths relative to ROOT and their contents. The
# time stamp of SOURCE does not change while the contents are the same.
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
