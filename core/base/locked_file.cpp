#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/locked_file.hpp>
#include <utility>

namespace tessera {

LockedFile::LockedFile(const std::filesystem::path& path) : path_(path) {
  // Without O_NONBLOCK a named pipe waits for its other end.
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor_ < 0) throw FileError(path.string(), "opening for writing", std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(std::exchange(descriptor_, -1));
    throw FileError(path.string(), "opening for writing", "it is no regular file");
  }
  take(LOCK_EX, Lock::held);
}

bool LockedFile::share() {
  take(LOCK_SH, Lock::shared);
  return lock_ != Lock::of_another;
}

void LockedFile::take(int operation, Lock lock) {
  int result = -1;
  do {
    result = ::flock(descriptor_, operation | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0)
    lock_ = lock;
  else
    lock_ = errno == EWOULDBLOCK ? Lock::of_another : Lock::unsupported;
}

LockedFile::~LockedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

LockedFile::LockedFile(LockedFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      lock_(other.lock_) {}

LockedFile& LockedFile::operator=(LockedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(lock_, other.lock_);
  return *this;
}

void LockedFile::write(std::string_view text) {
  const auto size = static_cast<::ssize_t>(text.size());
  // One call, so that nothing but a failing machine leaves a part of it.
  if (::pwrite(descriptor_, text.data(), text.size(), 0) != size ||
      ::ftruncate(descriptor_, size) != 0)
    throw FileError(path_.string(), "writing", std::strerror(errno));
  ::fsync(descriptor_);
}

}  // namespace tessera
