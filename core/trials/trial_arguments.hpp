#ifndef TESSERA_CORE_TRIALS_TRIAL_ARGUMENTS_HPP
#define TESSERA_CORE_TRIALS_TRIAL_ARGUMENTS_HPP

#include "core/operations/argument_visitors.hpp"
#include "core/trials/trial_array.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

/// \file
/// Arrays of a trial as the arguments that the operation declares (`for_each_argument`).

namespace tessera {

/// Sets declared arguments to the arrays of their names. Arguments without an array keep their
/// values.
[[nodiscard]] inline auto trial_arguments(std::span<const std::unique_ptr<TrialArrayBase>> arrays) {
  return [arrays]<class T, int Rank>(const char* name, View<T, Rank>& view, ArgumentKind) {
    for (const auto& array : arrays)
      if (auto* const own = dynamic_cast<TrialArray<std::remove_const_t<T>>*>(array.get()))
        if (own->name() == name) view = own->template view<Rank>();
  };
}

/// A call on copies of the arrays of a trial in host memory, for an oracle: arguments with the
/// inputs in the present order of the items.
template <class Args>
class HostCall {
 public:
  /// \param given arguments of the call on the device.
  template <class Check>
  HostCall(std::span<const std::unique_ptr<TrialArrayBase>> arrays, const Check& check,
           const Args& given)
      : args(given) {
    const auto copy = [&]<class T, int Rank>(const char* name, View<T, Rank>& view, ArgumentKind) {
      for (const auto& array : arrays)
        if (auto* const own = dynamic_cast<TrialArray<std::remove_const_t<T>>*>(array.get()))
          if (own->name() == name && own->given()) add(*own, view);
    };
    EachArray each(copy);
    check.for_each_argument(each, args);
  }
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;

  Args args;

  /// The first element that the device has written with another value; "" where there is none.
  [[nodiscard]] std::string difference() const {
    for (const auto& compare : comparisons_)
      if (std::string text = compare(); !text.empty()) return text;
    return {};
  }

 private:
  template <class Own, class T, int Rank>
  void add(const Own& own, View<T, Rank>& view) {
    using Value = std::remove_const_t<T>;
    const auto values = std::make_shared<std::vector<Value>>(own.in_order(own.source()));
    std::int64_t extents[Rank];
    std::copy_n(view.extents, Rank, extents);
    view = View<T, Rank>(values->data(), extents);
    copies_.push_back(values);
    if constexpr (!std::is_const_v<T>)
      comparisons_.push_back([values, &own]() -> std::string {
        const std::vector<Value> found = own.in_order(own.values());
        for (std::size_t e = 0; e < found.size(); ++e) {
          const Value expected = (*values)[e];
          const bool both_nan = !(found[e] <= found[e]) && !(expected <= expected);
          if (both_nan || found[e] == expected) continue;
          return "element " + std::to_string(e) + " of " + own.name() + " is " +
                 std::to_string(found[e]) + ", the oracle has " + std::to_string(expected);
        }
        return {};
      });
  }

  std::vector<std::shared_ptr<const void>> copies_;  ///< arrays to which the arguments point
  std::vector<std::function<std::string()>> comparisons_;
};

/// Finds the declared shape of an array, and whether an execute may write to it.
class DeclaredArray : public ArgumentVisitor {
 public:
  explicit DeclaredArray(std::string name) : name_(std::move(name)) {}

  TrialShape shape;
  bool found = false;
  bool constant = false;
  bool optional_argument = false;

  template <class View, int Rank>
  void array(const char* name, View& view, const std::int64_t (&extents)[Rank]) {
    if (name != name_) return;
    found = true;
    constant = std::is_const_v<std::remove_pointer_t<decltype(view.data)>>;
    for (std::size_t r = 0; r < Rank; ++r)
      shape.extents[r] = extents[r];
    for (std::size_t r = Rank; r-- > 1;)
      shape.strides[r - 1] = shape.strides[r] * std::max<std::int64_t>(shape.extents[r], 1);
  }
  template <class View, int Rank>
  void optional(const char* name, View& view, const std::int64_t (&extents)[Rank]) {
    if (name == name_) optional_argument = true;
    array(name, view, extents);
  }
  template <class View, int Rank>
  void at_most_rows(const char* name, View& view, const std::int64_t (&extents)[Rank]) {
    array(name, view, extents);
  }
  template <class View, int Rank>
  void output(const char* name, View& view, const std::int64_t (&extents)[Rank]) {
    array(name, view, extents);
  }
  template <class View>
  void at_least(const char* name, View& view, std::int64_t least) {
    array(name, view, {least});
  }
  template <class View>
  void optional_at_least(const char* name, View& view, std::int64_t least) {
    optional(name, view, {least});
  }

 private:
  std::string name_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_ARGUMENTS_HPP
