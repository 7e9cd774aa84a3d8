#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/operations/portable_plan.hpp>
#include <tessera/md/wrap/share_rounding.hpp>
#include <tessera/md/wrap/wrap.hpp>

/// \file
/// The portable body of md/wrap: one work item an atom.

namespace tessera::md {

/// In a tilted box: whole edges are counted in shares of the edges. An atom within rounding of a
/// face stays, or it would not come to rest.
template <class Storage>
struct WrapTiltedAtom {
  WrapArgs<Storage> args;
  double tolerance;  ///< of a share

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
    args.images(i, 0) += static_cast<std::int32_t>(n.x);
    args.images(i, 1) += static_cast<std::int32_t>(n.y);
    args.images(i, 2) += static_cast<std::int32_t>(n.z);
  }

 private:
  /// Whole edges below a share.
  [[nodiscard]] TESSERA_INLINE double crossings(double share, int d) const {
    if (!args.box.periodic[d] || (share >= -tolerance && share < 1 + tolerance)) return 0;
    const auto truncated = static_cast<double>(static_cast<std::int64_t>(share));
    return truncated > share ? truncated - 1 : truncated;
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
      if (s >= 0 && s < length) continue;
      const Storage crossings = whole(s / length);
      s -= crossings * length;
      std::int32_t image = static_cast<std::int32_t>(crossings);
      // Rounding may leave the result on the wrong side of a face.
      if (s < 0) {
        s += length;
        --image;
      }
      if (s >= length) {
        s -= length;
        ++image;
        if (s < 0) s = 0;
      }
      args.positions(i, d) = lower + s < lower + length ? lower + s : lower;
      if (args.images.given()) args.images(i, d) += image;
    }
  }

 private:
  /// Largest integer not above x.
  [[nodiscard]] static TESSERA_INLINE Storage whole(Storage x) {
    const auto truncated = static_cast<Storage>(static_cast<std::int64_t>(x));
    return truncated > x ? truncated - 1 : truncated;
  }
};

template <class P, ExecutionSpace Space>
class WrapPortable : public PortablePlan<Wrap, P, Space> {
 public:
  using PortablePlan<Wrap, P, Space>::PortablePlan;
  using Args = typename Plan<Wrap, P>::Args;
  static constexpr Determinism determinism = Determinism::any_order;

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
