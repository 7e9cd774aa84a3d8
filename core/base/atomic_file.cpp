#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <tessera/core/base/atomic_file.hpp>
#include <tessera/core/base/error.hpp>
#include <utility>

namespace tessera {
namespace {

std::filesystem::path part_name(const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  return part;
}

/// Makes a rename in `directory` durable. Some file systems cannot do this; then nothing is lost
/// but the guarantee after a power failure.
void synchronize_directory(std::filesystem::path directory) {
  if (directory.empty()) directory = ".";
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), file_(part_name(path_)) {}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(file_.path().c_str());
}

void AtomicFile::commit() {
  file_.synchronize();
  file_.close();
  if (::rename(file_.path().c_str(), path_.c_str()) != 0)
    throw FileError(path_.string(), "renaming", std::strerror(errno));
  committed_ = true;
  synchronize_directory(path_.parent_path());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

}  // namespace tessera
