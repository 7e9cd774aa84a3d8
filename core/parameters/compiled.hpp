#ifndef TESSERA_CORE_PARAMETERS_COMPILED_HPP
#define TESSERA_CORE_PARAMETERS_COMPILED_HPP

#include "core/base/error.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

/// \file
/// Compile-time values of a kernel, listed once. The list serves as the values of a tuning
/// parameter, as its allowed values, and for the dispatch from a run-time value to a template
/// argument.
///
///     using Width = Compiled<4, 8, 16>;
///     TuningParameter{"width", &Parameters::width, Width{}}                     // values
///     Width::with(parameters.width, [&]<int W>() { launch<W>(...); });          // dispatch
///
/// A value that leaves the decision to the implementation is not compiled: Width::And<0>{} in
/// place of Width{} allows 0 as well.
///
/// A build configured with -DTESSERA_TUNE_SPACE=wide tries more values, and compiles more kernels:
///
///     using Width = InSpace<Compiled<4, 8>, Compiled<2, 4, 8, 16>>;
///     TuningParameter{"block", &Parameters::block,
///                     in_space(std::array{128, 256}, std::array{64, 128, 256})}

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
  /// \throws ArgumentError when no V equals it, which means that the caller has not checked the
  /// parameter.
  template <class Call>
  static void with(const Value& value, const Call& call) {
    if (!(call_if<First>(value, call) || ... || call_if<Rest>(value, call)))
      throw ArgumentError("a kernel was called with a value for which it is not compiled");
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

/// Whether this translation unit is compiled for the wide space. All units of a program agree,
/// because the definition comes with the targets tessera_headers and Tessera::tessera.
#if defined(TESSERA_TUNE_SPACE_WIDE)
inline constexpr bool wide_tune_space = true;
#else
inline constexpr bool wide_tune_space = false;
#endif

/// The list of values for the tuning space of this build. Defaults and other automatic decisions
/// must not depend on it.
template <class Default, class Wide, bool IsWide = wide_tune_space>
using InSpace = std::conditional_t<IsWide, Wide, Default>;

/// The same for lists that are objects, such as those of parameters that are read at run time.
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
