#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/core/memory/array.hpp>
#include <tessera/pic/charge_deposit/charge_deposit.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <vector>

namespace tessera::pic {
namespace {

constexpr const char* axis_name[] = {"x", "y", "z"};

[[noreturn]] void refuse(const std::string& what) {
  throw ArgumentError("pic/charge_deposit: " + what);
}

void check_grid(const Grid& grid) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  for (int a = 0; a < 3; ++a) {
    const std::string axis = axis_name[a];
    if (!std::isfinite(grid.lower[a]))
      refuse("grid.lower of " + axis + " is " + rounded_number(grid.lower[a]) +
             ", expected a finite number");
    if (!(grid.spacing[a] > 0) || !std::isfinite(1 / grid.spacing[a]))
      refuse("grid.spacing of " + axis + " is " + rounded_number(grid.spacing[a]) +
             ", expected a positive number");
    const std::int64_t least = grid.periodic[a] ? 1 : 2;
    if (grid.nodes[a] < least || grid.nodes[a] >= most)
      refuse("grid.nodes of " + axis + " is " + std::to_string(grid.nodes[a]) + ", expected " +
             std::to_string(least) + " to 2^31 - 1");
  }
}

bool all_finite(const double* values, std::size_t count) {
  return std::all_of(values, values + count, [](double v) { return std::isfinite(v); });
}

/// Elements of a strided view brought to the host, with the view that finds them there.
template <class T, int Rank>
class HostCopy {
 public:
  HostCopy(const Context& context, const View<const T, Rank>& view) : view_(view) {
    std::int64_t below = 0;
    std::int64_t above = 0;
    for (int r = 0; r < Rank; ++r) {
      const std::int64_t reach = (view.extents[r] - 1) * view.strides[r];
      (reach < 0 ? below : above) += reach;
    }
    data_.resize(static_cast<std::size_t>(above - below + 1));
    context.device->copy_to_host(data_.data(), view.data + below, data_.size() * sizeof(T),
                                 context.stream);
    view_.data = data_.data() - below;
  }
  [[nodiscard]] const View<const T, Rank>& view() const { return view_; }

 private:
  std::vector<T> data_;
  View<const T, Rank> view_;
};

}  // namespace

/// One pass on the device finds out whether anything is wrong; only then it is looked for.
template <class P>
void require_finite_particles(const Context& context,
                              const ChargeDepositArgs<typename P::Storage>& args) {
  using Storage = typename P::Storage;
  const std::int64_t n = args.positions.extent(0);
  if (n == 0) return;
  Array<double> result(context, 4);
  reduction::SumArgs<Storage> sums;
  sums.values = args.positions;
  for (std::int16_t a = 0; a < 3; ++a)
    sums.terms.term[sums.terms.count++] = {a, -1};
  sums.result = {result.data(), {3}};
  reduction::sum<P>(context, sums);
  int count = 3;
  if (args.weights.given()) {
    reduction::SumArgs<Storage> weight;
    weight.values = {args.weights.data, {n, 1}, {args.weights.strides[0], 1}};
    weight.terms.term[weight.terms.count++] = {0, -1};
    weight.result = {result.data() + 3, {1}};
    reduction::sum<P>(context, weight);
    count = 4;
  }
  if (all_finite(result.to_host().data(), static_cast<std::size_t>(count))) return;

  const HostCopy<Storage, 2> positions(context, args.positions);
  for (std::int64_t p = 0; p < n; ++p)
    for (int a = 0; a < 3; ++a)
      if (const Storage x = positions.view()(p, a); !std::isfinite(x))
        throw ParticleError({p}, "particle " + std::to_string(p) + ": " + axis_name[a] + " is " +
                                     std::to_string(x) + ", expected a finite coordinate");
  if (!args.weights.given()) return;
  const HostCopy<Storage, 1> weights(context, args.weights);
  for (std::int64_t p = 0; p < n; ++p)
    if (const Storage w = weights.view()(p); !std::isfinite(w))
      throw ParticleError({p}, "particle " + std::to_string(p) + ": the weight is " +
                                   std::to_string(w) + ", expected a finite number");
}

template <class Storage>
ChargeDepositProblem charge_deposit_problem(const ChargeDepositArgs<Storage>& args) {
  check_grid(args.grid);
  if (args.positions.extent(1) != 3 && args.positions.extent(0) != 0)
    refuse("positions have " + std::to_string(args.positions.extent(1)) + " columns, expected 3");
  ChargeDepositProblem problem;
  problem.particles = args.positions.extent(0);
  problem.weighted = args.weights.given();
  if (problem.weighted && args.weights.extent(0) != problem.particles)
    refuse(std::to_string(args.weights.extent(0)) + " weights for " +
           std::to_string(problem.particles) + " particles");
  for (int a = 0; a < 3; ++a) {
    if (args.density.extent(a) != args.grid.nodes[a])
      refuse("the density has " + std::to_string(args.density.extent(a)) + " elements along " +
             axis_name[a] + ", the grid " + std::to_string(args.grid.nodes[a]) + " nodes");
    problem.nodes[a] = args.grid.nodes[a];
    problem.periodic[a] = args.grid.periodic[a];
  }
  if (!args.density.given()) refuse("density is not given");
  if (!args.outside.given() || args.outside.extent(0) < 1)
    refuse("outside needs room for one number");
  return problem;
}

template ChargeDepositProblem charge_deposit_problem<double>(const ChargeDepositArgs<double>&);
template ChargeDepositProblem charge_deposit_problem<float>(const ChargeDepositArgs<float>&);
template void require_finite_particles<Double>(const Context&, const ChargeDepositArgs<double>&);
template void require_finite_particles<Single>(const Context&, const ChargeDepositArgs<float>&);

}  // namespace tessera::pic
