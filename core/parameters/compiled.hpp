#ifndef TESSERA_CORE_PARAMETERS_COMPILED_HPP
#define TESSERA_CORE_PARAMETERS_COMPILED_HPP

#include "core/base/error.hpp"

#include <array>
#include <cstddef>
#include <string>
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
///
/// A build configured with -DTESSERA_TUNE_SPACE=wide tries more, and compiles kernels for more:
///
///     using Width = InSpace<Compiled<4, 8>, Compiled<2, 4, 8, 16>>;
///     Knob{"block", &Policy::block, in_space(std::array{128, 256}, std::array{64, 128, 256})}

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

/// Whether this unit is compiled for the wide space. One answer a program: the definition comes
/// with the targets tessera_headers and Tessera::tessera.
#if defined(TESSERA_TUNE_SPACE_WIDE)
inline constexpr bool wide_tune_space = true;
#else
inline constexpr bool wide_tune_space = false;
#endif

/// The list of the space of this build. What works without a word from the user, defaults included,
/// must not depend on it.
template <class Default, class Wide, bool IsWide = wide_tune_space>
using InSpace = std::conditional_t<IsWide, Wide, Default>;

/// The same for lists that are values, as those of knobs that are read at run time.
template <bool IsWide = wide_tune_space, class Default, class Wide>
[[nodiscard]] constexpr auto in_space([[maybe_unused]] const Default& usual,
                                      [[maybe_unused]] const Wide& wide) {
  if constexpr (IsWide)
    return wide;
  else
    return usual;
}

}  // namespace tessera

#endif  // TESSERA_CORE_PARAMETERS_COMPILED_HPP
