#include <cmath>
#include <tessera/md/wrap/share_rounding.hpp>
#include <tessera/md/wrap/wrap_reference.hpp>

namespace tessera::md {
namespace {

/// Edge by edge until its share is right; the shares do not mix, coordinates do.
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
    std::int32_t crossings = 0;
    for (; share(d) < -tolerance; --crossings)
      r = r + box.edge(d);
    for (; share(d) >= 1 + tolerance; ++crossings)
      r = r - box.edge(d);
    if (args.images.given()) args.images(i, d) += crossings;
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
      while (x < low) {
        x += length;
        if (args.images.given()) --args.images(i, d);
      }
      while (x >= low + length) {
        x -= length;
        if (args.images.given()) ++args.images(i, d);
      }
      args.positions(i, d) = static_cast<Storage>(x);
    }
  }
}

template void wrap_reference<double>(const WrapProblem&, const WrapArgs<double>&);
template void wrap_reference<float>(const WrapProblem&, const WrapArgs<float>&);

}  // namespace tessera::md
