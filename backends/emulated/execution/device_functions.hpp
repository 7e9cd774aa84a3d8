#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_FUNCTIONS_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_FUNCTIONS_HPP

#include <bit>
#include <concepts>
#include <limits>
#include <math.h>
#include <type_traits>

/// \file
/// Functions of single threads that CUDA adds to those of C++.

template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
[[nodiscard]] constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
[[nodiscard]] constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

[[nodiscard]] inline double rsqrt(double x) {
  return 1 / sqrt(x);
}
[[nodiscard]] inline float rsqrtf(float x) {
  return 1 / sqrtf(x);
}
[[nodiscard]] inline float __fdividef(float a, float b) {
  return a / b;
}
[[nodiscard]] inline float __fadd_rn(float a, float b) {
  return a + b;
}
[[nodiscard]] inline double __dadd_rn(double a, double b) {
  return a + b;
}
[[nodiscard]] inline double __dmul_rn(double a, double b) {
  return a * b;
}

[[nodiscard]] inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
[[nodiscard]] inline unsigned __float_as_uint(float x) {
  return std::bit_cast<unsigned>(x);
}
[[nodiscard]] inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
[[nodiscard]] inline float __uint_as_float(unsigned x) {
  return std::bit_cast<float>(x);
}
[[nodiscard]] inline double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}
[[nodiscard]] inline int __double2hiint(double x) {
  return static_cast<int>(std::bit_cast<unsigned long long>(x) >> 32);
}

/// The nearest integer. Numbers beyond the range become its ends; NaN becomes `of_nan`.
[[nodiscard]] inline long long nearest_integer(double x, long long of_nan) {
  constexpr double end = 9223372036854775808.0;
  if (x != x) return of_nan;
  if (x >= end) return std::numeric_limits<long long>::max();
  if (x < -end) return std::numeric_limits<long long>::min();
  return llrint(x);
}
[[nodiscard]] inline long long __double2ll_rn(double x) {
  return nearest_integer(x, std::numeric_limits<long long>::min());
}
[[nodiscard]] inline long long __float2ll_rn(float x) {
  return nearest_integer(static_cast<double>(x), std::numeric_limits<long long>::min());
}

[[nodiscard]] inline int __popc(unsigned bits) {
  return std::popcount(bits);
}
[[nodiscard]] inline int __clz(int bits) {
  return std::countl_zero(static_cast<unsigned>(bits));
}
/// 1 plus the number of the lowest bit that is set, 0 where there is none.
[[nodiscard]] inline int __ffs(int bits) {
  return bits == 0 ? 0 : 1 + std::countr_zero(static_cast<unsigned>(bits));
}
[[nodiscard]] inline int __popcll(unsigned long long bits) {
  return std::popcount(bits);
}
[[nodiscard]] inline int __clzll(long long bits) {
  return std::countl_zero(static_cast<unsigned long long>(bits));
}
[[nodiscard]] inline int __ffsll(long long bits) {
  return bits == 0 ? 0 : 1 + std::countr_zero(static_cast<unsigned long long>(bits));
}

template <class T>
[[nodiscard]] T __ldg(const T* from) {
  return *from;
}

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_DEVICE_FUNCTIONS_HPP
