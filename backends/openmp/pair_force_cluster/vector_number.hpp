// Included once for each instruction set, hence without an include guard: see cluster_lanes.hpp.
#if defined(TESSERA_VECTOR_NUMBER) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_VECTOR_NUMBER
#undef TESSERA_VECTOR_NUMBER
#else
#define TESSERA_VECTOR_NUMBER
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <type_traits>

/// \file
/// Vectors as the number type in which forms compute.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::cluster::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// A vector with the operators of a number. The constructors are explicit, because one that the
/// compiler generates would not be compiled for the instruction set of the target.
template <class D>
struct Number {
  static constexpr bool of_float = std::is_same_v<hn::TFromD<D>, float>;
  hn::Vec<D> v;

  HWY_INLINE Number() {}
  HWY_INLINE explicit Number(double x) : v(hn::Set(D(), static_cast<hn::TFromD<D>>(x))) {}
  HWY_INLINE explicit Number(const hn::Vec<D>& x) : v(x) {}
};
template <class D>
struct Truth {
  hn::Mask<D> m;
};

template <class D>
HWY_INLINE Number<D> operator+(const Number<D>& a, const Number<D>& b) {
  return Number<D>(hn::Add(a.v, b.v));
}
template <class D>
HWY_INLINE Number<D> operator-(const Number<D>& a, const Number<D>& b) {
  return Number<D>(hn::Sub(a.v, b.v));
}
template <class D>
HWY_INLINE Number<D> operator-(const Number<D>& a) {
  return Number<D>(hn::Neg(a.v));
}
template <class D>
HWY_INLINE Number<D> operator*(const Number<D>& a, const Number<D>& b) {
  return Number<D>(hn::Mul(a.v, b.v));
}
template <class D>
HWY_INLINE Number<D> operator/(const Number<D>& a, const Number<D>& b) {
  return Number<D>(hn::Div(a.v, b.v));
}
template <class D>
HWY_INLINE Truth<D> operator<(const Number<D>& a, const Number<D>& b) {
  return {hn::Lt(a.v, b.v)};
}
template <class D>
HWY_INLINE Number<D> where(const Truth<D>& inside, const Number<D>& a) {
  return Number<D>(hn::IfThenElseZero(inside.m, a.v));
}
template <class D>
HWY_INLINE Number<D> sqrt(const Number<D>& a) {
  return Number<D>(hn::Sqrt(a.v));
}
template <class D>
HWY_INLINE Number<D> exp(const Number<D>& a) {
  return Number<D>(hn::Exp(D(), a.v));
}
template <class D>
HWY_INLINE Number<D> log(const Number<D>& a) {
  return Number<D>(hn::Log(D(), a.v));
}
template <class D>
HWY_INLINE Number<D> sin(const Number<D>& a) {
  return Number<D>(hn::Sin(D(), a.v));
}
template <class D>
HWY_INLINE Number<D> cos(const Number<D>& a) {
  return Number<D>(hn::Cos(D(), a.v));
}
template <class D>
HWY_INLINE Number<D> floor(const Number<D>& a) {
  return Number<D>(hn::Floor(a.v));
}
template <class D>
HWY_INLINE Number<D> fabs(const Number<D>& a) {
  return Number<D>(hn::Abs(a.v));
}

}  // namespace tessera::openmp::cluster::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
