#ifndef TESSERA_CORE_MEMORY_ARRAY_HPP
#define TESSERA_CORE_MEMORY_ARRAY_HPP

#include "core/base/error.hpp"
#include "core/memory/device.hpp"
#include "core/memory/view.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// An array that owns memory on a device. Move only; copies to and from the host are explicit.

namespace tessera {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;

  Array(Context context, std::int64_t size) : context_(std::move(context)), size_(size) {
    if (size < 0 || size > most)
      throw ArgumentError("Array", "size",
                          std::to_string(size) + ", expected 0 to " + std::to_string(most));
    data_ = static_cast<T*>(context_.opened().allocate(bytes()));
  }

  Array(Context context, std::span<const T> host)
      : Array(std::move(context), static_cast<std::int64_t>(host.size())) {
    copy_from(host);
  }

  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    Array taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Array() {
    if (data_ != nullptr) context_.device->release(data_);
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] const Context& context() const { return context_; }

  [[nodiscard]] View<T, 1> view() { return {data_, {size_}}; }
  [[nodiscard]] View<const T, 1> view() const { return {data_, {size_}}; }

  /// View of the elements as a row-major matrix with `columns` columns.
  /// \throws ArgumentError where the size is no multiple of `columns`.
  [[nodiscard]] View<T, 2> rows(std::int64_t columns) {
    return {data_, {count_rows(columns), columns}};
  }
  [[nodiscard]] View<const T, 2> rows(std::int64_t columns) const {
    return {data_, {count_rows(columns), columns}};
  }

  void copy_from(std::span<const T> host) {
    require_size(static_cast<std::int64_t>(host.size()));
    if (size_ > 0) context_.device->copy_to_device(data_, host.data(), bytes(), context_.stream);
  }

  void copy_to(std::span<T> host) const {
    require_size(static_cast<std::int64_t>(host.size()));
    if (size_ > 0) context_.device->copy_to_host(host.data(), data_, bytes(), context_.stream);
  }

  [[nodiscard]] std::vector<T> to_host() const {
    std::vector<T> host(static_cast<std::size_t>(size_));
    copy_to(host);
    return host;
  }

  void fill_bytes(unsigned char byte) {
    if (size_ > 0) context_.device->fill(data_, byte, bytes(), context_.stream);
  }

 private:
  static constexpr std::int64_t most =
      std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(sizeof(T));

  [[nodiscard]] std::int64_t count_rows(std::int64_t columns) const {
    if (columns > 0 && size_ % columns == 0) return size_ / columns;
    throw ArgumentError("Array::rows", "columns",
                        std::to_string(columns) + ", expected a number that divides the size " +
                            std::to_string(size_));
  }

  void swap(Array& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }

  void require_size(std::int64_t size) const {
    if (size != size_)
      throw ArgumentError("copy of " + std::to_string(size) + " elements with an array of " +
                          std::to_string(size_));
  }

  Context context_;
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace tessera

#endif  // TESSERA_CORE_MEMORY_ARRAY_HPP
