#ifndef TESSERA_CORE_BASE_VEC3_HPP
#define TESSERA_CORE_BASE_VEC3_HPP

#include "core/base/device_code.hpp"

/// \file
/// A vector of three components.

namespace tessera {

/// A plain aggregate, trivially copyable, usable in kernels.
template <class T>
struct Vec3 {
  T x{};
  T y{};
  T z{};

  friend TESSERA_INLINE Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend TESSERA_INLINE Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend TESSERA_INLINE Vec3 operator*(T s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend TESSERA_INLINE T dot(const Vec3& a, const Vec3& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_VEC3_HPP
