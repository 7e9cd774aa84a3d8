#ifndef TESSERA_CORE_HDF5_HDF5_SESSION_HPP
#define TESSERA_CORE_HDF5_HDF5_SESSION_HPP

#include "core/hdf5/hdf5_functions.hpp"
#include "core/hdf5/hdf5_library.hpp"

#include <mutex>
#include <string>
#include <utility>

/// \file
/// Exclusive access of a thread to HDF5, and owners of its identifiers.

namespace tessera::hdf5 {

/// HDF5 is not thread-safe and prints errors. During a session other threads wait and HDF5 prints
/// nothing. The destructor restores the previous error handler.
class Session {
 public:
  /// \throws RefusalError where there is no HDF5.
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::recursive_mutex> turn_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Innermost reason of the last failed call of HDF5; empty where HDF5 has none.
[[nodiscard]] std::string last_error();

/// Owns an identifier and closes it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close by) : id_(id), close_(by) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) {
    other.id_ = H5I_INVALID_HID;
  }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  [[nodiscard]] bool valid() const { return id_ >= 0; }
  [[nodiscard]] hid_t id() const { return id_; }
  /// Closes the identifier now. The destructor ignores failures. \returns whether it succeeded.
  [[nodiscard]] bool close() { return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

}  // namespace tessera::hdf5

#endif  // TESSERA_CORE_HDF5_HDF5_SESSION_HPP
