#ifndef TESSERA_CORE_TRIALS_CACHEABLE_REFERENCE_HPP
#define TESSERA_CORE_TRIALS_CACHEABLE_REFERENCE_HPP

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// \file
/// Answers of the oracle that processes share through files, because computing them takes longer
/// than the results that are checked against them.

namespace tessera {

/// Appends its arguments to `bytes`.
class ReferenceWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(const T& value) { append(&value, sizeof value); }
  template <class T>
  void operator()(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    (*this)(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(T));
  }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  std::string bytes_;
};

/// Reads the values that a ReferenceWriter wrote from `bytes`, in the same order.
class ReferenceReader {
 public:
  explicit ReferenceReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { take(&value, sizeof value); }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t size = 0;
    (*this)(size);
    whole_ = whole_ && size <= rest_.size() / sizeof(T);
    values.resize(whole_ ? static_cast<std::size_t>(size) : 0);
    take(values.data(), values.size() * sizeof(T));
  }

  /// Whether the bytes contained all values that were read, and no more.
  [[nodiscard]] bool whole() const { return whole_ && rest_.empty(); }

 private:
  void take(void* into, std::size_t size) {
    whole_ = whole_ && size <= rest_.size();
    if (!whole_ || size == 0) return;
    std::memcpy(into, rest_.data(), size);
    rest_.remove_prefix(size);
  }
  std::string_view rest_;
  bool whole_ = true;
};

/// Base of a shared answer, which has a member
///
///     template <class Archive>
///     void share(Archive& archive) { archive(forces); archive(total); }
struct CacheableReference {};

/// Sets the folder in which answers are searched and stored; "" disables sharing. Only processes
/// that work on the same inputs may use the same folder.
void cache_references_in(const std::string& folder);

/// The bytes of the answer for a key; empty where the folder has none.
[[nodiscard]] std::string find_cached_reference(const std::string& key);
/// Stores an answer. On failure other processes compute it again.
void store_cached_reference(const std::string& key, const std::string& bytes);
[[nodiscard]] bool references_are_cached();

template <class Answer>
[[nodiscard]] bool read_reference(const std::string& key, Answer& answer) {
  if constexpr (std::is_base_of_v<CacheableReference, Answer>) {
    const std::string bytes = find_cached_reference(key);
    if (bytes.empty()) return false;
    ReferenceReader reader(bytes);
    answer.share(reader);
    if (reader.whole()) return true;
    answer = {};
  }
  return false;
}

template <class Answer>
void write_reference(const std::string& key, Answer& answer) {
  if constexpr (std::is_base_of_v<CacheableReference, Answer>) {
    if (!references_are_cached()) return;
    ReferenceWriter writer;
    answer.share(writer);
    store_cached_reference(key, writer.bytes());
  }
}

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_CACHEABLE_REFERENCE_HPP
