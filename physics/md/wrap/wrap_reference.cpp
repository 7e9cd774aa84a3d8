#include "physics/md/wrap/wrap_reference.hpp"

#include "physics/md/wrap/share_rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::md {
namespace {

/// Number of lengths to subtract at once, so that only a few are counted one by one.
double most_of(double share) {
  return std::isfinite(share) && std::abs(share) > 1000 ? std::floor(share) : 0;
}

std::int32_t image_after(std::int32_t image, double crossings) {
  return static_cast<std::int32_t>(std::clamp<double>(image + crossings,
                                                      std::numeric_limits<std::int32_t>::min(),
                                                      std::numeric_limits<std::int32_t>::max()));
}

/// Adds or subtracts one edge at a time until its coordinate is in range. Changing one coordinate
/// along an edge leaves the others unchanged, which does not hold for Cartesian coordinates.
template <class Storage>
void wrap_tilted(const WrapArgs<Storage>& args, std::int64_t i) {
  const Box& box = args.box;
  const double tolerance = rounding_of_shares<Storage>(box);
  Vec3<double> r = {static_cast<double>(args.positions(i, 0)),
                    static_cast<double>(args.positions(i, 1)),
                    static_cast<double>(args.positions(i, 2))};
  const auto share = [&](int d) {
    const Vec3<double> s = box.shares(r);
    return d == 0 ? s.x : d == 1 ? s.y : s.z;
  };
  for (int d = 2; d >= 0; --d) {
    if (!box.periodic[d]) continue;
    if (!std::isfinite(share(d))) continue;
    double crossings = most_of(share(d));
    r = r - crossings * box.edge(d);
    for (int n = 0; share(d) < -tolerance && n < 2000; ++n, --crossings)
      r = r + box.edge(d);
    for (int n = 0; share(d) >= 1 + tolerance && n < 2000; ++n, ++crossings)
      r = r - box.edge(d);
    if (args.images.given()) args.images(i, d) = image_after(args.images(i, d), crossings);
  }
  args.positions(i, 0) = static_cast<Storage>(r.x);
  args.positions(i, 1) = static_cast<Storage>(r.y);
  args.positions(i, 2) = static_cast<Storage>(r.z);
}

}  // namespace

template <class Storage>
void wrap_reference(const WrapProblem& problem, const WrapArgs<Storage>& args) {
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    if (args.box.tilted()) {
      wrap_tilted(args, i);
      continue;
    }
    for (std::int64_t d = 0; d < 3; ++d) {
      if (!args.box.periodic[d]) continue;
      const double low = args.box.lower[d];
      const double length = args.box.length[d];
      double x = static_cast<double>(args.positions(i, d));
      if (!std::isfinite(x)) continue;
      double crossings = most_of((x - low) / length);
      x -= crossings * length;
      // So far away the spacing of floating-point numbers exceeds the box: places the atom at the
      // lower face.
      if (std::abs(crossings) > 0x1p52) x = low;
      for (; x < low; --crossings)
        x += length;
      for (; x >= low + length; ++crossings)
        x -= length;
      args.positions(i, d) = static_cast<Storage>(x);
      if (args.images.given()) args.images(i, d) = image_after(args.images(i, d), crossings);
    }
  }
}

template void wrap_reference<double>(const WrapProblem&, const WrapArgs<double>&);
template void wrap_reference<float>(const WrapProblem&, const WrapArgs<float>&);

}  // namespace tessera::md
