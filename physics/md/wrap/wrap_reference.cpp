#include <cmath>
#include <tessera/md/wrap/wrap_reference.hpp>

namespace tessera::md {

template <class Storage>
void wrap_reference(const WrapProblem& problem, const WrapArgs<Storage>& args) {
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
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
