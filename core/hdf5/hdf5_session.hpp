#ifndef TESSERA_CORE_HDF5_HDF5_SESSION_HPP
#define TESSERA_CORE_HDF5_HDF5_SESSION_HPP

#include "core/hdf5/hdf5_functions.hpp"

#include <mutex>
#include <string>
#include <utility>

/// \file
/// One thread's turn in HDF5, and what it keeps open.

namespace tessera::hdf5 {

/// The library is not made for several threads at once, and prints what goes wrong: while a session
/// lives others wait, and errors are silent. What was set before is set again behind it.
class Session {
 public:
  /// \throws RefusalError where there is no HDF5.
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> turn_;
  PrintErrors print_ = nullptr;
  void* data_ = nullptr;
};

/// What HDF5 says of the call that failed last: the innermost reason. Empty where it says nothing.
[[nodiscard]] std::string last_error();

/// Closes what an identifier stands for.
class Handle {
 public:
  using Close = Status (*)(Id);

  Handle() = default;
  Handle(Id id, Close by) : id_(id), close_(by) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] Id id() const { return id_; }
  /// For what can fail when it is closed. \returns whether it did not.
  [[nodiscard]] bool close() { return close_(std::exchange(id_, -1)) >= 0; }

 private:
  Id id_ = -1;
  Close close_ = nullptr;
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_SESSION_HPP
