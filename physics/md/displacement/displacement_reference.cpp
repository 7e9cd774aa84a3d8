#include "physics/md/displacement/displacement_reference.hpp"

#include <cmath>

namespace tessera::md {

template <class Storage>
void displacement_reference(const DisplacementProblem& problem,
                            const DisplacementArgs<Storage>& args) {
  DisplacementResult result{0, -1};
  for (std::int64_t i = 0; i < problem.atoms; ++i) {
    double moved = 0;
    for (std::int64_t d = 0; d < 3; ++d) {
      const auto x = static_cast<double>(args.positions(i, d));
      const double from = args.reference.given() ? static_cast<double>(args.reference(i, d)) : x;
      moved += (x - from) * (x - from);
    }
    moved = std::isfinite(moved) ? std::sqrt(moved) : INFINITY;
    if (result.atom < 0 || moved > result.largest) result = {moved, i};
  }
  args.result(0) = result;
}

template void displacement_reference<double>(const DisplacementProblem&,
                                             const DisplacementArgs<double>&);
template void displacement_reference<float>(const DisplacementProblem&,
                                            const DisplacementArgs<float>&);

}  // namespace tessera::md
