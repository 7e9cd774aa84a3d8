#ifndef TESSERA_CORE_EXECUTION_BUFFER_HPP
#define TESSERA_CORE_EXECUTION_BUFFER_HPP

#include "core/execution/execution_space.hpp"

#include <cstdint>
#include <utility>

/// \file
/// Memory of an execution space that a plan owns.

namespace tessera {

/// Uninitialized elements of a trivially copyable type; grows, never shrinks.
template <class T, class Space>
class Buffer {
 public:
  explicit Buffer(Space space) : space_(std::move(space)) {}
  Buffer(Space space, std::int64_t size) : Buffer(std::move(space)) { require(size); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  /// Ensures a size of at least `size` elements; growing discards the contents.
  void require(std::int64_t size) {
    if (size <= size_) return;
    release();
    data_ = static_cast<T*>(space_.allocate(static_cast<std::size_t>(size) * sizeof(T)));
    size_ = size;
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

  void upload(const T* host, std::int64_t count) {
    require(count);
    if (count > 0) space_.copy_to_device(data_, host, static_cast<std::size_t>(count) * sizeof(T));
  }

  /// Sets the first `count` elements to zero bits.
  void zero(std::int64_t count) {
    space_.fill(data_, 0, static_cast<std::size_t>(count) * sizeof(T));
  }

  /// Blocking read of one element.
  [[nodiscard]] T read(std::int64_t index = 0) {
    T value;
    space_.copy_to_host(&value, data_ + index, sizeof(T));
    return value;
  }

 private:
  void release() {
    if (data_ != nullptr) space_.release(data_);
    data_ = nullptr;
    size_ = 0;
  }

  Space space_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

/// Workspace of collectives that grows to the largest request. Its zero-initialized counters lie in
/// front of the data.
template <class Space>
class WorkspaceBuffer {
 public:
  explicit WorkspaceBuffer(Space space) : bytes_(std::move(space)) {}
  WorkspaceBuffer(Space space, std::size_t bytes) : WorkspaceBuffer(std::move(space)) {
    require(bytes);
  }
  void require(std::size_t bytes) {
    if (bytes == 0) return;
    const std::int64_t before = bytes_.size();
    bytes_.require(static_cast<std::int64_t>(bytes) + front);
    if (bytes_.size() != before) bytes_.zero(front);
  }
  [[nodiscard]] Workspace get() const {
    if (bytes_.size() == 0) return {};
    return {bytes_.data() + front, static_cast<std::size_t>(bytes_.size() - front),
            reinterpret_cast<std::uint32_t*>(bytes_.data())};
  }

 private:
  /// Size of the counters in bytes, a multiple of the alignment so that the data stay aligned.
  static constexpr std::int64_t front = 256;
  Buffer<unsigned char, Space> bytes_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_EXECUTION_BUFFER_HPP
