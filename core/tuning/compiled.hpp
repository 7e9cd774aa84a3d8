#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tessera/core/base/error.hpp>
#include <type_traits>

/// \file
/// Values that a kernel is compiled for, named once: they are the values of a knob, what it may be
/// set to, and the way from a run-time value to a template argument.
///
///     using Width = Compiled<4, 8, 16>;
///     Knob{"width", &Policy::width, Width{}}                             // knob and validity
///     Width::with(policy.width, [&]<int W>() { launch<W>(...); });       // dispatch
///
/// A value that stands for the decision of the implementation is no compiled one:
/// `Knob{"width", &Policy::width, Width::And<0>{}}` allows 0 too.

namespace tessera {

template <auto First, auto... Rest>
struct Compiled {
  using Value = std::remove_cvref_t<decltype(First)>;
  static constexpr std::array<Value, 1 + sizeof...(Rest)> values{First, Rest...};

  template <Value... More>
  using And = Compiled<More..., First, Rest...>;

  [[nodiscard]] constexpr auto begin() const { return values.begin(); }
  [[nodiscard]] constexpr auto end() const { return values.end(); }

  [[nodiscard]] static constexpr bool contains(const Value& value) {
    return ((value == First) || ... || (value == Rest));
  }

  /// Calls `call.template operator()<V>()` with the V that equals `value`.
  /// \throws ArgumentError when there is none: whoever asks has not checked the knob.
  template <class Call>
  static void with(const Value& value, const Call& call) {
    if (!(call_if<First>(value, call) || ... || call_if<Rest>(value, call)))
      throw ArgumentError("a kernel was asked for a value that it is not compiled for");
  }

 private:
  template <Value V, class Call>
  static bool call_if(const Value& value, const Call& call) {
    if (!(value == V)) return false;
    call.template operator()<V>();
    return true;
  }
};

template <class T>
inline constexpr bool is_compiled = false;
template <auto... Values>
inline constexpr bool is_compiled<Compiled<Values...>> = true;

}  // namespace tessera
