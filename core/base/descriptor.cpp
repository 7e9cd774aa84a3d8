#include "core/base/descriptor.hpp"

#include <cerrno>
#include <sys/file.h>
#include <unistd.h>

namespace tessera {

void Descriptor::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

FileLock try_lock(const Descriptor& file, FileLock wanted) {
  const int operation = wanted == FileLock::shared ? LOCK_SH : LOCK_EX;
  int result = -1;
  do {
    result = ::flock(file.number(), operation | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return wanted;
  return errno == EWOULDBLOCK ? FileLock::of_another : FileLock::unsupported;
}

}  // namespace tessera
