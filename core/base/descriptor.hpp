#ifndef TESSERA_CORE_BASE_DESCRIPTOR_HPP
#define TESSERA_CORE_BASE_DESCRIPTOR_HPP

#include <utility>

/// \file
/// Owner of a file descriptor: an open file, folder or end of a pipe.

namespace tessera {

/// Closes the descriptor that it owns.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  void close();
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  /// The file descriptor; negative where there is none.
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

enum class FileLock {
  held,
  shared,      ///< other processes may share it
  of_another,  ///< held by another process
  unsupported  ///< not supported by this file system
};

/// Tries to take the lock (flock) of an open file, for this process alone or shared with others.
/// Does not wait for it.
[[nodiscard]] FileLock try_lock(const Descriptor& file, FileLock wanted = FileLock::held);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_DESCRIPTOR_HPP
