#ifndef TESSERA_CORE_OPERATIONS_ARGUMENT_CHECK_HPP
#define TESSERA_CORE_OPERATIONS_ARGUMENT_CHECK_HPP

#include "core/memory/device.hpp"
#include "core/memory/device_checks.hpp"
#include "core/memory/view.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Requirements on the arguments of an operation, stated once for all of its implementations. The
/// tag of an operation names a class that is constructed from a problem and checks the arguments of
/// a call:
///
///     class SumCheck {
///      public:
///       explicit SumCheck(const SumProblem& problem);  // throws ArgumentError or a subclass
///       template <class Visit, class Args>
///       void for_each_argument(Visit& visit, Args& args) const {
///         visit.array("values", args.values, {problem_.rows, problem_.columns});
///         visit.at_least("result", args.result, problem_.terms);
///         visit.no_overlap("result", args.result, "values", args.values);
///       }
///       template <class Storage>
///       void operator()(ArgumentCheck& check, const SumArgs<Storage>& args) const;
///     };
///
/// for_each_argument declares the arguments: it calls a function of ArgumentCheck for each of them.
/// Trials and tests pass other visitors with the same functions, and get the arrays, their names
/// and their shapes from it (core/trials/trial_arguments.hpp, tests/calls/arguments.hpp). Visitors
/// of tests also change the arguments. operator() calls it, and checks what depends on values.
///
/// Plans call it before every prepare and execute (implementation.hpp), and so do functions that
/// make a problem from arguments. An execute on known arrays costs a few comparisons. The contents
/// of an array are checked at every prepare, and at the first execute with the array.

namespace tessera {

/// The arrays that the last calls of a plan passed, in the order in which the check names them.
class KnownArrays {
 public:
  explicit KnownArrays(const Context& context) : context_(context) {}

  /// Assumes that indices in arrays that were checked once stay in range: see
  /// Plan::assume_indices_valid().
  void assume_indices_valid() { indices_assumed_valid_ = true; }

 private:
  friend class ArgumentCheck;

  struct Array {
    const void* data = nullptr;
    std::int64_t extent = 0;
    std::int64_t stride = 0;
  };
  static constexpr std::size_t most = 32;

  Context context_;
  std::array<Array, most> arrays_{};
  std::unique_ptr<IndexValidator> index_validator_;
  bool indices_assumed_valid_ = false;
};

/// One pass over the arguments of a call. Every function throws ArgumentError with the name of the
/// argument. Each pass has to call the same functions in the same order, also for omitted
/// arguments, because arrays are identified by their position.
class ArgumentCheck {
 public:
  enum class Call { prepare, execute };

  /// Checks only shapes.
  explicit ArgumentCheck(std::string_view operation) : operation_(operation) {}
  /// Also checks the memory of arrays that are not in `known_arrays`, and the contents of arrays at
  /// prepare and where they are not in `known_arrays`.
  ArgumentCheck(std::string_view operation, Call call, KnownArrays& known_arrays)
      : operation_(operation), call_(call), known_arrays_(&known_arrays) {}

  [[nodiscard]] bool preparing() const {
    return known_arrays_ != nullptr && call_ == Call::prepare;
  }

  /// The number of rows of `view`, for an array whose size is not determined by the problem.
  /// Requires that it is not negative.
  template <class T, int Rank>
  [[nodiscard]] std::int64_t rows(const char* name, const View<T, Rank>& view) const {
    if (view.extents[0] < 0)
      refuse(name, std::to_string(view.extents[0]) + " rows, expected 0 or more");
    return view.extents[0];
  }

  /// Requires an array with these extents, in memory that kernels of the context can reach.
  template <class T, int Rank>
  void array(const char* name, const View<T, Rank>& view, const std::int64_t (&extents)[Rank]) {
    expect_shape(name, view, extents);
    register_array(name, view);
  }

  /// The same for an array that may be omitted.
  template <class T, int Rank>
  void optional(const char* name, const View<T, Rank>& view, const std::int64_t (&extents)[Rank]) {
    if (is_left_out(view)) return skip();
    array(name, view, extents);
  }

  /// The same for an array that may have fewer rows than `extents`.
  template <class T, int Rank>
  void at_most_rows(const char* name, const View<T, Rank>& view,
                    const std::int64_t (&extents)[Rank]) {
    if (rows(name, view) > extents[0]) [[unlikely]]
      refuse(name, std::to_string(view.extents[0]) + " particles, expected at most " +
                       std::to_string(extents[0]) + ", for which the plan was made");
    std::int64_t expected[Rank];
    for (int r = 0; r < Rank; ++r)
      expected[r] = r == 0 ? view.extents[0] : extents[r];
    array(name, view, expected);
  }

  /// The same for an array of any length, which may be omitted.
  template <class T>
  void any_rows(const char* name, const View<T, 1>& view) {
    optional(name, view, {rows(name, view)});
  }

  /// The same for an array that only execute writes; prepare ignores it.
  template <class T, int Rank>
  void output(const char* name, const View<T, Rank>& view, const std::int64_t (&extents)[Rank]) {
    if (preparing()) return skip();
    array(name, view, extents);
  }

  /// Requires an output of at least `least` elements.
  template <class T>
  void at_least(const char* name, const View<T, 1>& view, std::int64_t least) {
    if (preparing()) return skip();
    if (view.extents[0] < least || (view.data == nullptr && least > 0)) [[unlikely]]
      refuse_too_short(name, view.data, view.extents[0], least);
    register_array(name, view);
  }
  template <class T>
  void optional_at_least(const char* name, const View<T, 1>& view, std::int64_t least) {
    if (is_left_out(view)) return skip();
    at_least(name, view, least);
  }

  /// Requires that an output of execute does not overlap another array. The whole range from the
  /// first to the last element of each counts, gaps included.
  template <class T, int Rank, class Other, int OtherRank>
  void no_overlap(const char* name, const View<T, Rank>& view, const char* other_name,
                  const View<Other, OtherRank>& other) const {
    if (preparing()) return;
    const auto [low, high] = reach(view);
    const auto [other_low, other_high] = reach(other);
    if (low < other_high && other_low < high) [[unlikely]]
      refuse(name, std::string("shares memory with '") + other_name + "'");
  }

  /// Requires an array in host memory.
  template <class T, int Rank>
  void host_array(const char* name, const View<T, Rank>& view,
                  const std::int64_t (&extents)[Rank]) {
    expect_shape(name, view, extents);
    register_array(name, view, true);
  }

  /// Requires that all elements of a previously named array are indices: at least 0, less than
  /// `upper` and, where `ascending`, not less than the element before. Skips an omitted array.
  void indices(const char* name, const View<const std::int32_t, 1>& view, std::int64_t upper,
               bool ascending = false) {
    const std::size_t place = next_place();
    if (known_arrays_ == nullptr || view.data == nullptr) return;
    const KnownArrays::Array& known = known_arrays_->arrays_[place];
    if ((call_ == Call::execute || known_arrays_->indices_assumed_valid_) &&
        known.data == view.data && known.extent == view.extents[0] &&
        known.stride == view.strides[0])
      return;
    ranges_.push_back({name, place, {view, 0, upper, ascending}});
  }

  /// Requires that all elements of a short, previously named array are finite and not negative.
  void not_negative(const char* name, const View<const double, 1>& view) {
    const std::size_t place = next_place();
    if (known_arrays_ == nullptr || view.data == nullptr) return;
    const KnownArrays::Array& known = known_arrays_->arrays_[place];
    if (call_ == Call::execute && known.data == view.data && known.extent == view.extents[0])
      return;
    numbers_.push_back({name, place, view});
  }

  /// Requires that a number is the one that the last prepare() had.
  void as_prepared(const char* name, std::int64_t value) {
    const std::size_t place = next_place();
    if (known_arrays_ == nullptr) return;
    KnownArrays::Array& known = known_arrays_->arrays_[place];
    if (call_ == Call::prepare)
      known = {known_arrays_, value, 0};
    else if (known.data != nullptr && known.extent != value) [[unlikely]]
      refuse_unprepared(name, value, known.extent);
  }

  void finite(const char* name, double value) const {
    // Not std::isfinite: <cmath> would be a sixth of the text that every including file compiles.
    constexpr double largest = std::numeric_limits<double>::max();
    if (!(value >= -largest && value <= largest)) [[unlikely]]
      refuse_number(name, value, "expected a finite number");
  }

  /// Requires one of the `allowed` values. \param names of these values.
  template <class T, std::size_t count>
  void choice(const char* name, const T& value, const T (&allowed)[count],
              const char* names) const {
    for (const T& one : allowed)
      if (value == one) [[likely]]
        return;
    refuse(name, std::string("none of ") + names);
  }

  /// Throws where `holds` is false. \param text describes the violation and the expectation: a
  /// text, or a function that returns it and is called only for the error.
  template <class Text>
  void require(bool holds, const char* name, const Text& text) const {
    if (holds) [[likely]]
      return;
    if constexpr (std::is_invocable_v<Text>)
      refuse(name, text());
    else
      refuse(name, text);
  }

  [[noreturn]] void refuse(const char* name, const std::string& text) const;
  [[noreturn]] void refuse_number(const char* name, double value, const char* expected) const;

  /// Runs the pending checks of array contents on the device. Plans call it at the end of a pass.
  void finish() {
    if (!ranges_.empty() || !numbers_.empty()) check_contents();
  }

 private:
  struct Range {
    const char* name;
    std::size_t place;
    IndexRange range;
  };
  struct Numbers {
    const char* name;
    std::size_t place;
    View<const double, 1> view;
  };

  template <class T, int Rank>
  [[nodiscard]] static bool is_left_out(const View<T, Rank>& view) {
    if (view.data != nullptr) return false;
    for (int r = 0; r < Rank; ++r)
      if (view.extents[r] != 0) return false;
    return true;
  }

  void skip() { ++place_; }
  [[nodiscard]] std::size_t next_place() {
    if (place_ >= KnownArrays::most) too_many();
    return place_++;
  }

  template <class T, int Rank>
  void expect_shape(const char* name, const View<T, Rank>& view,
                    const std::int64_t (&extents)[Rank]) const {
    bool same = view.data != nullptr;
    for (int r = 0; r < Rank; ++r)
      same = same && view.extents[r] == extents[r];
    if (!same) [[unlikely]]
      require_shape(name, view.extents, extents, Rank);
  }

  template <class T, int Rank>
  void register_array(const char* name, const View<T, Rank>& view, bool on_host = false) {
    const std::size_t place = next_place();
    if (known_arrays_ == nullptr || view.data == nullptr ||
        known_arrays_->arrays_[place].data == view.data) [[likely]]
      return;
    bool no_overlap = true;
    for (int r = 0; r < Rank; ++r) {
      if (view.extents[r] < 1) return;
      no_overlap = no_overlap && (view.extents[r] == 1 || view.strides[r] != 0);
    }
    const auto [low, high] = reach(view);
    register_first(name, view.data, reinterpret_cast<const void*>(low),
                   reinterpret_cast<const void*>(high - 1), alignof(T), on_host,
                   std::is_const_v<T> || no_overlap);
    known_arrays_->arrays_[place].data = view.data;
  }

  /// Address range of a view, from its first byte to one past its last, for strides of any sign.
  /// The range of an empty view is empty.
  template <class T, int Rank>
  [[nodiscard]] static std::pair<std::uintptr_t, std::uintptr_t> reach(const View<T, Rank>& view) {
    auto low = reinterpret_cast<std::uintptr_t>(view.data);
    if (view.data == nullptr) return {low, low};
    std::uintptr_t high = low + sizeof(T);
    for (int r = 0; r < Rank; ++r) {
      if (view.extents[r] < 1) return {low, low};
      (view.strides[r] < 0 ? low : high) += static_cast<std::uintptr_t>(view.extents[r] - 1) *
                                            static_cast<std::uintptr_t>(view.strides[r]) *
                                            sizeof(T);
    }
    return {low, high};
  }

  void require_shape(const char* name, const std::int64_t* extents, const std::int64_t* expected,
                     int rank) const;
  [[noreturn]] void refuse_too_short(const char* name, const void* data, std::int64_t extent,
                                     std::int64_t least) const;
  void register_first(const char* name, const void* data, const void* low, const void* high,
                      std::size_t alignment, bool on_host, bool no_overlap) const;
  [[noreturn]] void refuse_unprepared(const char* name, std::int64_t value,
                                      std::int64_t prepared) const;
  void check_contents();
  [[noreturn]] void too_many() const;

  std::string_view operation_;
  Call call_ = Call::execute;
  KnownArrays* known_arrays_ = nullptr;
  std::size_t place_ = 0;
  std::vector<Range> ranges_;
  std::vector<Numbers> numbers_;
};

/// Requires that a member of a problem is from `least` to `most`. \throws ArgumentError with the
/// name of the member.
void require_count(std::string_view operation, const char* name, std::int64_t value,
                   std::int64_t least = 0,
                   std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_ARGUMENT_CHECK_HPP
