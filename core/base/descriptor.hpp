#ifndef TESSERA_CORE_BASE_DESCRIPTOR_HPP
#define TESSERA_CORE_BASE_DESCRIPTOR_HPP

#include <utility>

/// \file
/// An open file, folder or end of a pipe.

namespace tessera {

/// Closes what it holds.
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
  /// Below 0 where nothing is held.
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

enum class FileLock {
  held,
  shared,      ///< with others that share it
  of_another,  ///< process
  unsupported  ///< by this file system
};

/// Takes the lock (flock) of what is open, for this process alone or shared with others, without
/// waiting for it.
[[nodiscard]] FileLock try_lock(const Descriptor& file, FileLock wanted = FileLock::held);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_DESCRIPTOR_HPP
