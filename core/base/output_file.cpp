#include "core/base/output_file.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace tessera {
namespace {

int flags_of(OutputFile::Mode mode) {
  switch (mode) {
    case OutputFile::Mode::append:
      return O_CREAT | O_NOFOLLOW | O_NONBLOCK;  // opening a named pipe would block
    case OutputFile::Mode::create:
      return O_CREAT | O_EXCL | O_NOFOLLOW;
    case OutputFile::Mode::replace:
      break;
  }
  return O_CREAT | O_TRUNC;
}

FileError failure(const std::filesystem::path& path, const char* doing) {
  return {path.string(), doing, std::strerror(errno)};
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path, Mode mode) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags_of(mode), 0666);
  if (descriptor_ < 0) throw failure(path_, "opening for writing");
  struct stat status {};
  if (mode == Mode::append && ::fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode)) {
    ::close(std::exchange(descriptor_, -1));
    throw FileError(path_.string(), "opening for writing", "it is not a regular file");
  }
  size_ = std::max<std::int64_t>(0, ::lseek(descriptor_, 0, SEEK_END));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      size_(other.size_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(size_, other.size_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

void OutputFile::append(std::string_view bytes) {
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ::ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      const FileError error = failure(path_, "writing");
      // A pipe cannot be truncated; the caller gets the error in either case.
      if (::ftruncate(descriptor_, size_) == 0) ::lseek(descriptor_, 0, SEEK_END);
      throw error;
    }
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  size_ += static_cast<std::int64_t>(bytes.size());
}

void OutputFile::cut_back(std::int64_t size) {
  if (::ftruncate(descriptor_, size) != 0 || ::lseek(descriptor_, 0, SEEK_END) < 0) {
    throw failure(path_, "cutting back");
  }
  size_ = size;
}

void OutputFile::synchronize() {
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw failure(path_, "writing");
  }
}

void OutputFile::close() {
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) {
    throw failure(path_, "closing");
  }
}

}  // namespace tessera
