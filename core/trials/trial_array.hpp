#ifndef TESSERA_CORE_TRIALS_TRIAL_ARRAY_HPP
#define TESSERA_CORE_TRIALS_TRIAL_ARRAY_HPP

#include "core/memory/array.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// An array of a trial: the given values on the host, and device memory for them between guard
/// zones. Order, poisoning, guard zones and gaps are handled here for all operations.

namespace tessera {

enum class TrialRole {
  input,    ///< read; must not change
  updated,  ///< read and written
  output,   ///< written; previous contents must not matter
};

/// Element (i, j, k) lies at i * strides[0] + j * strides[1] + k * strides[2]. Where the first
/// index counts items, it is permuted with them.
struct TrialShape {
  std::array<std::int64_t, 3> extents = {0, 1, 1};
  std::array<std::int64_t, 3> strides = {1, 1, 1};
  bool by_item = true;

  /// Row-major matrix with `columns` columns.
  [[nodiscard]] static TrialShape items(std::int64_t count, std::int64_t columns = 1) {
    return {{count, columns, 1}, {columns, 1, 1}, true};
  }
  /// The same, or where `by_column` a column-major matrix with gaps between its columns.
  [[nodiscard]] static TrialShape matrix(std::int64_t count, std::int64_t columns, bool by_column) {
    if (!by_column) return items(count, columns);
    return {{count, columns, 1}, {1, count + 3, 1}, true};
  }
  /// Elements that belong to no item.
  [[nodiscard]] static TrialShape plain(std::int64_t count) {
    return {{count, 1, 1}, {1, 1, 1}, false};
  }

  [[nodiscard]] std::int64_t size() const { return extents[0] * extents[1] * extents[2]; }
  /// Number of elements from the first to one past the last, gaps included.
  [[nodiscard]] std::int64_t span() const {
    std::int64_t last = 0;
    for (std::size_t r = 0; r < 3; ++r)
      last += (extents[r] - 1) * strides[r];
    return size() == 0 ? 0 : last + 1;
  }
};

/// Interface of a trial to its arrays of any type.
class TrialArrayBase {
 public:
  virtual ~TrialArrayBase() = default;

  /// Writes everything anew: the given values with item `order[p]` at position p, outputs filled
  /// with the byte `poison`, and the guard zones.
  virtual void place(std::span<const std::int64_t> order, unsigned char poison) = 0;

  /// Copies the values to the host, in the given order. \returns the fault where an element outside
  /// the output was written, or an element of the output was not; otherwise an empty text.
  [[nodiscard]] virtual std::string fetch() = 0;

  /// Appends the bytes of the fetched values; nothing for inputs.
  virtual void append_bits(std::vector<unsigned char>& bits) const = 0;

  /// Sets whether the array is an argument of the next calls. If not, its view is empty, and the
  /// array must not change.
  void give(bool given) { given_ = given; }
  [[nodiscard]] bool given() const { return given_; }

 protected:
  bool given_ = true;
};

template <class T>
class TrialArray final : public TrialArrayBase {
  static constexpr std::int64_t guard_bytes = 1024;
  static constexpr std::int64_t guard = guard_bytes / static_cast<std::int64_t>(sizeof(T));
  static_assert(guard_bytes % sizeof(T) == 0, "guard zones must keep the alignment");
  /// Pattern of the guard zones. As a number of any type it is not zero, and small enough that an
  /// erroneous addition of a usual number changes it.
  static constexpr unsigned char guard_byte = 0x3f;

 public:
  TrialArray(const Context& context, std::string name, TrialRole role, TrialShape shape,
             std::vector<T> values)
      : name_(std::move(name)),
        role_(role),
        shape_(shape),
        original_(std::move(values)),
        device_(context, shape.span() + 2 * guard) {
    if (role == TrialRole::output) original_.resize(static_cast<std::size_t>(shape.size()));
    if (static_cast<std::int64_t>(original_.size()) != shape.size())
      throw ArgumentError("trial: " + name_ + " has " + std::to_string(original_.size()) +
                          " values for " + std::to_string(shape.size()) + " elements");
  }

  /// The array as an argument of the operation.
  template <int Rank>
  [[nodiscard]] View<T, Rank> view() {
    View<T, Rank> v;
    if (!given_) return v;
    v.data = device_.data() + guard;
    for (int r = 0; r < Rank; ++r) {
      v.extents[r] = shape_.extents[static_cast<std::size_t>(r)];
      v.strides[r] = shape_.strides[static_cast<std::size_t>(r)];
    }
    return v;
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  /// The values on the device after fetch(), in the given order.
  [[nodiscard]] const std::vector<T>& values() const { return fetched_; }
  /// The input values, in the given order.
  [[nodiscard]] const std::vector<T>& source() const { return moved_.empty() ? original_ : moved_; }

  /// `values` of the given order in the present order of the items.
  [[nodiscard]] std::vector<T> in_order(const std::vector<T>& values) const {
    std::vector<T> ordered;
    for_each_element([&](std::int64_t element, std::int64_t) {
      ordered.push_back(values[static_cast<std::size_t>(element)]);
    });
    return ordered;
  }

  [[nodiscard]] bool is_moved() const { return !moved_.empty(); }

  /// Replaces the values until the next place().
  void move(std::vector<T> values) {
    moved_ = std::move(values);
    device_.copy_from(staged());
  }

  void place(std::span<const std::int64_t> order, unsigned char poison) override {
    moved_.clear();
    order_.assign(order.begin(), order.end());
    given_order_ = std::is_sorted(order_.begin(), order_.end());
    poison_ = poison;
    device_.copy_from(staged());
  }

  [[nodiscard]] std::string fetch() override {
    std::vector<T> now = device_.to_host();
    const std::vector<T> before = staged();
    const bool written = role_ != TrialRole::input && given_;
    fetched_ = source();
    std::vector<std::int64_t> unwritten;
    if (written)
      for_each_element([&](std::int64_t element, std::int64_t at) {
        T& value = now[static_cast<std::size_t>(guard + at)];
        fetched_[static_cast<std::size_t>(element)] = value;
        if (role_ == TrialRole::output && is_poison(value)) unwritten.push_back(element);
        std::memcpy(&value, &before[static_cast<std::size_t>(guard + at)], sizeof(T));
      });
    std::string fault = first_difference(now, before);
    if (fault.empty()) fault = first_unwritten(unwritten);
    suspects_ = std::move(unwritten);
    suspects_poison_ = poison_;
    return fault;
  }

  void append_bits(std::vector<unsigned char>& bits) const override {
    if (role_ == TrialRole::input || !given_) return;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(fetched_.data());
    bits.insert(bits.end(), bytes, bytes + fetched_.size() * sizeof(T));
  }

 private:
  /// Calls action(index among the given values, offset on the device) for each element, in the
  /// order of positions on the device.
  template <class Action>
  void for_each_element(const Action& action) const {
    if (in_one_piece()) {
      for (std::int64_t i = 0; i < shape_.size(); ++i)
        action(i, i);
      return;
    }
    for (std::int64_t i = 0; i < shape_.extents[0]; ++i) {
      const std::int64_t item = shape_.by_item ? order_[static_cast<std::size_t>(i)] : i;
      for (std::int64_t j = 0; j < shape_.extents[1]; ++j)
        for (std::int64_t k = 0; k < shape_.extents[2]; ++k)
          action((item * shape_.extents[1] + j) * shape_.extents[2] + k,
                 i * shape_.strides[0] + j * shape_.strides[1] + k * shape_.strides[2]);
    }
  }

  /// Whether the elements are dense and in the given order; large arrays are then copied as a
  /// whole.
  [[nodiscard]] bool in_one_piece() const {
    return (given_order_ || !shape_.by_item) && shape_.strides[2] == 1 &&
           (shape_.extents[1] == 1 || shape_.strides[1] == shape_.extents[2]) &&
           shape_.strides[0] == shape_.extents[1] * shape_.extents[2];
  }

  [[nodiscard]] std::vector<T> staged() const {
    std::vector<T> all(static_cast<std::size_t>(device_.size()));
    if (in_one_piece()) {
      const auto bytes = static_cast<std::size_t>(shape_.size()) * sizeof(T);
      std::memset(static_cast<void*>(all.data()), guard_byte, guard_bytes);
      std::memset(static_cast<void*>(all.data() + guard + shape_.size()), guard_byte, guard_bytes);
      if (role_ == TrialRole::output)
        std::memset(static_cast<void*>(all.data() + guard), poison_, bytes);
      else if (bytes > 0)
        std::memcpy(static_cast<void*>(all.data() + guard), source().data(), bytes);
      return all;
    }
    std::memset(static_cast<void*>(all.data()), guard_byte, all.size() * sizeof(T));
    for_each_element([&](std::int64_t element, std::int64_t at) {
      T* const target = &all[static_cast<std::size_t>(guard + at)];
      if (role_ == TrialRole::output)
        std::memset(static_cast<void*>(target), poison_, sizeof(T));
      else
        *target = source()[static_cast<std::size_t>(element)];
    });
    return all;
  }

  [[nodiscard]] bool is_poison(const T& value) const {
    T poison;
    std::memset(static_cast<void*>(&poison), poison_, sizeof(T));
    return std::memcmp(&poison, &value, sizeof(T)) == 0;
  }

  [[nodiscard]] std::string first_difference(const std::vector<T>& now,
                                             const std::vector<T>& before) const {
    if (std::memcmp(now.data(), before.data(), now.size() * sizeof(T)) == 0) return {};
    std::size_t at = 0;
    while (std::memcmp(&now[at], &before[at], sizeof(T)) == 0)
      ++at;
    const std::int64_t offset = static_cast<std::int64_t>(at) - guard;
    if (offset < 0) return "wrote " + std::to_string(-offset) + " before the start of " + name_;
    if (offset >= shape_.span())
      return "wrote " + std::to_string(offset - shape_.span() + 1) + " past the end of " + name_;
    if (!given_) return "wrote to " + name_ + ", which was not given";
    if (role_ == TrialRole::input) return "wrote to " + name_ + ", which is an input";
    return "wrote between the elements of " + name_;
  }

  /// The fault where one of `unwritten`, the elements that equal the poison, was certainly not
  /// written; otherwise an empty text. A result may equal the poison by chance, but not two
  /// different poisons in two runs. A computed floating-point number never equals the poison that
  /// is a NaN.
  [[nodiscard]] std::string first_unwritten(const std::vector<std::int64_t>& unwritten) const {
    constexpr unsigned char not_a_number = 0xff;
    for (const std::int64_t element : unwritten) {
      bool sure = std::is_floating_point_v<T> && poison_ == not_a_number;
      if (poison_ != suspects_poison_)
        for (const std::int64_t other : suspects_)
          sure = sure || other == element;
      if (sure) return "element " + std::to_string(element) + " of " + name_ + " was not written";
    }
    return {};
  }

  std::string name_;
  TrialRole role_;
  TrialShape shape_;
  std::vector<T> original_;
  std::vector<T> moved_;
  std::vector<T> fetched_;
  std::vector<std::int64_t> order_;
  bool given_order_ = false;
  unsigned char poison_ = 0;
  std::vector<std::int64_t> suspects_;
  unsigned char suspects_poison_ = 0;
  Array<T> device_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_ARRAY_HPP
