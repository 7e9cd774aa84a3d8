#ifndef TESSERA_PHYSICS_MD_WRAP_WRAP_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_WRAP_WRAP_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/md/wrap/share_rounding.hpp"
#include "physics/md/wrap/wrap.hpp"

/// \file
/// The portable body of md/wrap: one work item per atom.

namespace tessera::md {

/// Largest integer not above x, for x of any magnitude.
template <class Real>
[[nodiscard]] TESSERA_INLINE Real whole_below(Real x) {
  // Larger numbers have no fraction, and the largest do not fit in a 64-bit integer.
  constexpr auto large = static_cast<Real>(std::int64_t{1} << 60);
  if (!(x > -large && x < large)) return x;
  const auto truncated = static_cast<Real>(static_cast<std::int64_t>(x));
  return truncated > x ? truncated - 1 : truncated;
}

/// An image flag after crossings; it saturates at the limits of its type.
[[nodiscard]] TESSERA_INLINE std::int32_t image_after(std::int32_t image, double crossings) {
  constexpr std::int32_t most = 2147483647;
  const double sum = image + crossings;
  if (sum >= most) return most;
  if (sum <= -most - 1.0) return -most - 1;
  return static_cast<std::int32_t>(sum);
}

/// Wraps an atom in a tilted box by the number of whole edges in its coordinates along the edges.
/// An atom within rounding of a face is not moved; otherwise repeated calls would move it back and
/// forth.
template <class Storage>
struct WrapTiltedAtom {
  WrapArgs<Storage> args;
  double tolerance;  ///< of a coordinate along an edge, in units of the edge

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    const Box& box = args.box;
    const Vec3<double> r = {static_cast<double>(args.positions(i, 0)),
                            static_cast<double>(args.positions(i, 1)),
                            static_cast<double>(args.positions(i, 2))};
    const Vec3<double> s = box.shares(r);
    const Vec3<double> n = {crossings(s.x, 0), crossings(s.y, 1), crossings(s.z, 2)};
    if (n.x == 0 && n.y == 0 && n.z == 0) return;
    const Vec3<double> inside = r - box.edges(n);
    args.positions(i, 0) = static_cast<Storage>(inside.x);
    args.positions(i, 1) = static_cast<Storage>(inside.y);
    args.positions(i, 2) = static_cast<Storage>(inside.z);
    if (!args.images.given()) return;
    args.images(i, 0) = image_after(args.images(i, 0), n.x);
    args.images(i, 1) = image_after(args.images(i, 1), n.y);
    args.images(i, 2) = image_after(args.images(i, 2), n.z);
  }

 private:
  /// Number of whole edges to subtract from an atom at coordinate `share` along edge d.
  [[nodiscard]] TESSERA_INLINE double crossings(double share, int d) const {
    if (!args.box.periodic[d] || (share >= -tolerance && share < 1 + tolerance)) return 0;
    if (!(share - share == 0)) return 0;  // not finite: other checks report it
    return whole_below(share);
  }
};

template <class Storage>
struct WrapAtom {
  WrapArgs<Storage> args;

  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    for (int d = 0; d < 3; ++d) {
      if (!args.box.periodic[d]) continue;
      const auto lower = static_cast<Storage>(args.box.lower[d]);
      const auto length = static_cast<Storage>(args.box.length[d]);
      Storage s = args.positions(i, d) - lower;
      // Non-finite coordinates stay; other checks report them.
      if ((s >= 0 && s < length) || !(s - s == 0)) continue;
      Storage crossings = whole_below(s / length);
      s -= crossings * length;
      // Rounding may leave the result on the wrong side of a face.
      if (s < 0) {
        s += length;
        --crossings;
      }
      if (s >= length) {
        s -= length;
        ++crossings;
      }
      // So far away the spacing of floating-point numbers exceeds the box: places the atom at the
      // lower face.
      if (s < 0 || s >= length) s = 0;
      Storage x = lower + s;
      if (!(x < lower + length)) {
        x = lower;
        ++crossings;
      }
      args.positions(i, d) = x;
      if (args.images.given()) args.images(i, d) = image_after(args.images(i, d), crossings);
    }
  }
};

template <class P, ExecutionSpace Space>
class WrapPortable : public PortablePlan<Wrap, P, Space> {
 public:
  using PortablePlan<Wrap, P, Space>::PortablePlan;
  using Args = typename Plan<Wrap, P>::Args;
  static constexpr PlanTraits<Wrap> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const WrapProblem&, const Context&, const NoParameters&) { return {}; }

  void execute(const Args& args) override {
    using Storage = typename P::Storage;
    if (args.box.tilted())
      this->space_.for_each("wrap tilted", this->problem_.atoms,
                            WrapTiltedAtom<Storage>{args, rounding_of_shares<Storage>(args.box)});
    else
      this->space_.for_each("wrap", this->problem_.atoms, WrapAtom<Storage>{args});
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_WRAP_WRAP_PORTABLE_HPP
