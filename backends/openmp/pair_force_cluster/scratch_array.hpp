#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCRATCH_ARRAY_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCRATCH_ARRAY_HPP

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

/// \file
/// Storage that is never initialised, so that pages which no thread writes cost no memory and each
/// page lands on the memory node of the thread that writes it first.

namespace tessera::openmp::cluster {

/// Array of trivial values on a 64-byte boundary; `require` grows it and loses the content.
template <class T>
class ScratchArray {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::align_val_t alignment{64};

 public:
  /// Provides at least `size` elements. Growth allocates a quarter more than requested, so that a
  /// slowly growing size does not allocate each time.
  void require(std::size_t size) {
    if (size <= size_) return;
    storage_.reset();
    size_ = 0;
    const std::size_t larger = size + size / 4 + 64 / sizeof(T) + 1;
    storage_.reset(static_cast<T*>(::operator new(larger * sizeof(T), alignment)));
    size_ = larger;
  }

  [[nodiscard]] T* data() { return storage_.get(); }
  [[nodiscard]] const T* data() const { return storage_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return storage_.get()[i]; }
  const T& operator[](std::size_t i) const { return storage_.get()[i]; }

 private:
  struct Release {
    void operator()(T* memory) const { ::operator delete(memory, alignment); }
  };

  std::unique_ptr<T, Release> storage_;
  std::size_t size_ = 0;
};

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_SCRATCH_ARRAY_HPP
