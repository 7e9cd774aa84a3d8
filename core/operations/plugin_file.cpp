#include "core/operations/plugin_file.hpp"

#include "core/base/descriptor.hpp"
#include "core/base/elf_notes.hpp"
#include "core/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tessera {
namespace {

constexpr const char* note_owner = "Tessera";
constexpr std::uint32_t note_type = 1;

Descriptor opened(const std::string& path) {
  // O_NONBLOCK avoids blocking on a pipe; O_CLOEXEC keeps the descriptor from child processes.
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0)
    throw InputError({path, 0, "plugin", {}},
                     std::string("cannot be opened: ") + std::strerror(errno));
  return file;
}

void require_trusted(int descriptor, const std::string& path) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    throw InputError({path, 0, "plugin", {}}, "is not a file, expected a shared library");
  if ((status.st_mode & S_IWOTH) != 0)
    throw RefusalError("plugin " + path,
                       "every user of this machine may write to it, so its code may come from any "
                       "of them; check its origin, then remove the permission: chmod o-w " +
                           path);
}

}  // namespace

PluginFile::PluginFile(const std::string& path) {
  Descriptor file = opened(path);
  require_trusted(file.number(), path);
  bool found = false;
  for (const ElfNote& note : read_elf_notes(file.number(), path)) {
    if (note.owner != note_owner || note.type != note_type) continue;
    found = true;
    // The text holds the fingerprint and the digests of the headers; each ends with a zero byte.
    fingerprint_ = note.text.c_str();
    if (fingerprint_.size() < note.text.size())
      headers_ = note.text.substr(fingerprint_.size() + 1).c_str();
  }
  if (!found)
    throw InputError(
        {path, 0, "plugin", {}},
        "is not a plugin (it has no note of Tessera), expected a library made by "
        "tessera_add_plugin_library(); a library made by an older version has to be built again");
  descriptor_ = file.release();
  descriptor_to_close_ = descriptor_;
}

PluginFile::~PluginFile() {
  if (descriptor_to_close_ >= 0) close(descriptor_to_close_);
}

std::string PluginFile::name_of_open_file() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

}  // namespace tessera
