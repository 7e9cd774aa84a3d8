#include "core/base/locked_file.hpp"

#include "core/base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tessera {

LockedFile::LockedFile(const std::filesystem::path& path)
    : path_(path),
      // Without O_NONBLOCK, opening a named pipe waits for its other end.
      file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)) {
  if (file_.number() < 0)
    throw FileError(path.string(), "opening for writing", std::strerror(errno));
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0 || !S_ISREG(status.st_mode))
    throw FileError(path.string(), "opening for writing", "it is not a regular file");
  lock_ = try_lock(file_);
}

bool LockedFile::share() {
  lock_ = try_lock(file_, Lock::shared);
  return lock_ != Lock::of_another;
}

void LockedFile::write(std::string_view text) {
  const auto size = static_cast<::ssize_t>(text.size());
  // A single call writes the whole text, so that only a failure of the machine can leave a part of
  // it.
  if (::pwrite(file_.number(), text.data(), text.size(), 0) != size ||
      ::ftruncate(file_.number(), size) != 0)
    throw FileError(path_.string(), "writing", std::strerror(errno));
  ::fsync(file_.number());
}

}  // namespace tessera
