#include "physics/pic/reorder/reorder_reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tessera::pic {
namespace {

/// Sort key: kind (0: on the grid, 1: off it, 2: lost), then the cell along z, y, x.
using Place = std::array<std::int64_t, 4>;

template <class Storage>
Place place_of(const ReorderArgs<Storage>& args, std::int64_t p) {
  if (args.alive.given() && args.alive(p) == 0) return {2, 0, 0, 0};
  Place place{};
  for (int a = 0; a < 3; ++a) {
    const Grid& grid = args.grid;
    const auto x = static_cast<double>(args.coordinates(p, 2 * a));
    const std::int64_t n = grid.nodes[a];
    const double first = grid.lower[a] + 0.5 * grid.spacing[a];
    const double s = (x - first) * (1 / grid.spacing[a]);
    if (!std::isfinite(s) || std::abs(s) >= 0x1p52) return {1, 0, 0, 0};
    auto cell = static_cast<std::int64_t>(std::floor(s));
    if (grid.periodic[a]) {
      cell = ((cell % n) + n) % n;
    } else {
      if (s < 0 || s > static_cast<double>(n - 1)) return {1, 0, 0, 0};
      cell = std::min(cell, n - 2);
    }
    place[static_cast<std::size_t>(3 - a)] = cell;
  }
  return place;
}

template <class T>
void permute(const View<T, 1>& view, const std::vector<std::int64_t>& order) {
  if (!view.given()) return;
  std::vector<T> moved;
  for (const std::int64_t p : order)
    moved.push_back(view(p));
  for (std::size_t p = 0; p < moved.size(); ++p)
    view(static_cast<std::int64_t>(p)) = moved[p];
}

}  // namespace

template <class Storage>
std::vector<std::int64_t> order_reference(const ReorderArgs<Storage>& args,
                                          std::int64_t (&counts)[2]) {
  const std::int64_t n = args.coordinates.extents[0];
  std::vector<Place> places;
  std::vector<std::int64_t> order;
  counts[0] = counts[1] = 0;
  for (std::int64_t p = 0; p < n; ++p) {
    places.push_back(place_of(args, p));
    order.push_back(p);
    counts[0] += places.back()[0] == 0 ? 1 : 0;
    counts[1] += places.back()[0] < 2 ? 1 : 0;
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)];
  });
  return order;
}

template <class Storage>
void reorder_reference(const ReorderProblem&, const ReorderArgs<Storage>& args) {
  std::int64_t counts[2];
  const std::vector<std::int64_t> order = order_reference(args, counts);
  for (std::int64_t c = 0; c < 6; ++c)
    permute(
        View<Storage, 1>{
            &args.coordinates(0, c), {args.coordinates.extents[0]}, {args.coordinates.strides[0]}},
        order);
  permute(args.alive, order);
  permute(args.weights, order);
  permute(args.ids, order);
  args.counts(0) = counts[0];
  args.counts(1) = counts[1];
}

template std::vector<std::int64_t> order_reference<double>(const ReorderArgs<double>&,
                                                           std::int64_t (&)[2]);
template std::vector<std::int64_t> order_reference<float>(const ReorderArgs<float>&,
                                                          std::int64_t (&)[2]);
template void reorder_reference<double>(const ReorderProblem&, const ReorderArgs<double>&);
template void reorder_reference<float>(const ReorderProblem&, const ReorderArgs<float>&);

}  // namespace tessera::pic
