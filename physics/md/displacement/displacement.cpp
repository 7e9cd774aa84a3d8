#include "physics/md/displacement/displacement.hpp"

#include "core/base/error.hpp"
#include "core/memory/array.hpp"

#include <cmath>
#include <string>

namespace tessera::md {

double box_displacement(const Box& now, const Box& then) {
  double square = 0;
  // Upper bounds along x and y for the distance by which a change of tilts moves the far corners.
  const double sheared[3] = {
      std::abs(now.tilt[0] - then.tilt[0]) + std::abs(now.tilt[1] - then.tilt[1]),
      std::abs(now.tilt[2] - then.tilt[2]), 0};
  for (int d = 0; d < 3; ++d) {
    const double low = std::abs(now.lower[d] - then.lower[d]);
    const double high = std::abs(now.lower[d] + now.length[d] - then.lower[d] - then.length[d]);
    const double worst = std::fmax(low, high) + sheared[d];
    square += worst * worst;
  }
  return std::sqrt(square);
}

template <class P>
std::int64_t find_not_finite(const Context& context, View<const typename P::Storage, 2> vectors) {
  if (vectors.extent(0) == 0) return -1;
  Array<DisplacementResult> result(context, 1);
  const auto plan = make_plan<Displacement, P>({vectors.extent(0)}, context);
  plan->execute({vectors, {}, result.view()});
  const DisplacementResult found = result.to_host().front();
  return std::isfinite(found.largest) ? -1 : found.atom;
}

template <class P>
void require_finite_positions(const Context& context,
                              View<const typename P::Storage, 2> positions) {
  if (ArgumentCheck(Displacement::name).rows("positions", positions) == 0) return;
  const std::int64_t atom = find_not_finite<P>(context, positions);
  if (atom < 0) return;
  throw ParticleError({atom}, "the position of atom " + std::to_string(atom) + " is not finite");
}

template std::int64_t find_not_finite<Double>(const Context&, View<const double, 2>);
template std::int64_t find_not_finite<Mixed>(const Context&, View<const double, 2>);
template std::int64_t find_not_finite<Single>(const Context&, View<const float, 2>);
template void require_finite_positions<Double>(const Context&, View<const double, 2>);
template void require_finite_positions<Mixed>(const Context&, View<const double, 2>);
template void require_finite_positions<Single>(const Context&, View<const float, 2>);

}  // namespace tessera::md
