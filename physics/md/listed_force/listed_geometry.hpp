#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_GEOMETRY_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_GEOMETRY_HPP

#include "core/base/device_code.hpp"
#include "physics/md/pair_potential/potential_traits.hpp"

#include <math.h>

/// \file
/// Lengths and angles of listed terms, and the forces that follow from the slope of a potential in
/// them.
///
/// Separations are divided by their lengths first, so that no power of a length appears, which
/// could leave the range of float. An angle between two separations of which one vanishes has no
/// slope: the terms of atoms in one place or on one line are finite or, where the potential itself
/// diverges, infinite.

namespace tessera::md::potentials {

/// 1 / x; 0 for 0.
template <class Real>
[[nodiscard]] TESSERA_INLINE Real inverse_or_zero(const Real& x) {
  return x > Real(0) ? Real(1) / x : Real(0);
}

template <class Real>
struct Bond {
  Vector<Real> direction;  ///< from the second atom to the first
  Real distance;

  TESSERA_INLINE explicit Bond(const Vector<Real>& separation)
      : distance(sqrt(dot(separation, separation))) {
    direction = inverse_or_zero(distance) * separation;
  }

  [[nodiscard]] TESSERA_INLINE Real squared() const { return distance * distance; }
  [[nodiscard]] TESSERA_INLINE Real inverse_squared() const { return inverse() * inverse(); }
  [[nodiscard]] TESSERA_INLINE Real inverse() const { return Real(1) / distance; }
  [[nodiscard]] TESSERA_INLINE Real length() const { return distance; }
};

/// The angle at the second of three atoms.
template <class Real>
class Angle {
 public:
  /// \param first, last separations of the first and the last atom from the second.
  TESSERA_INLINE Angle(const Vector<Real>& first, const Vector<Real>& last)
      : first_(first), last_(last) {
    const Vector<Real> normal = cross(first_.direction, last_.direction);
    cosine_ = dot(first_.direction, last_.direction);
    sine_ = sqrt(dot(normal, normal));
  }

  [[nodiscard]] TESSERA_INLINE Real cosine() const { return cosine_; }
  [[nodiscard]] TESSERA_INLINE Real sine() const { return sine_; }  ///< not negative
  [[nodiscard]] TESSERA_INLINE Real value() const { return atan2(sine_, cosine_); }

  /// Forces on the first and the last atom; the sum of all three is zero.
  /// \param slope derivative of the energy by the angle.
  TESSERA_INLINE void forces(const Real& slope, Vector<Real>& on_first,
                             Vector<Real>& on_last) const {
    const Real share = slope * inverse_or_zero(sine_);
    on_first =
        (share * inverse_or_zero(first_.distance)) * (last_.direction - cosine_ * first_.direction);
    on_last =
        (share * inverse_or_zero(last_.distance)) * (first_.direction - cosine_ * last_.direction);
  }

 private:
  Bond<Real> first_;
  Bond<Real> last_;
  Real cosine_;
  Real sine_;
};

/// The angle between the planes of atoms 1, 2, 3 and 2, 3, 4, from -180 to 180 degrees: 0 if atoms
/// 1 and 4 are on the same side (cis), 180 in the trans conformation, and positive if, seen from
/// atom 2 to atom 3, the bond to atom 4 is clockwise of that to atom 1 (IUPAC, Biochemistry 9, 3471
/// (1970)). The forces are those of A. Blondel, M. Karplus, J. Comput. Chem. 17, 1132 (1996), which
/// divide by no sine of the angle.
template <class Real>
class Dihedral {
 public:
  /// \param first, axis, last separations of atom 1 from 2, 2 from 3, and 4 from 3.
  TESSERA_INLINE Dihedral(const Vector<Real>& first, const Vector<Real>& axis,
                          const Vector<Real>& last)
      : first_(first), axis_(axis), last_(last) {
    const Vector<Real> a = cross(first_.direction, axis_.direction);
    const Vector<Real> b = cross(last_.direction, axis_.direction);
    const Real a_squared = dot(a, a);
    const Real b_squared = dot(b, b);
    over_a_ = inverse_or_zero(a_squared) * a;
    over_b_ = inverse_or_zero(b_squared) * b;
    const Real size = sqrt(a_squared) * sqrt(b_squared);
    cosine_ = size > Real(0) ? dot(a, b) / size : Real(1);
    sine_ = size > Real(0) ? dot(cross(b, a), axis_.direction) / size : Real(0);
  }

  [[nodiscard]] TESSERA_INLINE Real cosine() const { return cosine_; }
  [[nodiscard]] TESSERA_INLINE Real sine() const { return sine_; }
  [[nodiscard]] TESSERA_INLINE Real value() const { return atan2(sine_, cosine_); }

  /// Forces on atoms 1, 3 and 4; the sum of all four is zero.
  /// \param slope derivative of the energy by the angle.
  TESSERA_INLINE void forces(const Real& slope, Vector<Real>& on_first, Vector<Real>& on_third,
                             Vector<Real>& on_last) const {
    on_first = (slope * inverse_or_zero(first_.distance)) * over_a_;
    on_last = (-slope * inverse_or_zero(last_.distance)) * over_b_;
    const Real along = slope * inverse_or_zero(axis_.distance);
    const Vector<Real> shared = (along * dot(first_.direction, axis_.direction)) * over_a_ -
                                (along * dot(last_.direction, axis_.direction)) * over_b_;
    on_third = shared - on_last;
  }

 private:
  Bond<Real> first_;
  Bond<Real> axis_;
  Bond<Real> last_;
  Vector<Real> over_a_;  ///< normal of the first plane over its square
  Vector<Real> over_b_;
  Real cosine_;
  Real sine_;
};

}  // namespace tessera::md::potentials

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_GEOMETRY_HPP
