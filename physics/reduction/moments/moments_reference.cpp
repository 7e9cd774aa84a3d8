#include "physics/reduction/moments/moments_reference.hpp"

#include "core/base/compensated_sum.hpp"

namespace tessera::reduction {
namespace {

/// Sums weight(i) * term(i) over the rows that count.
template <class Storage, class Term>
double weighted_sum(const MomentsArgs<Storage>& args, std::int64_t rows, const Term& term) {
  CompensatedSum sum;
  for (std::int64_t i = 0; i < rows; ++i) {
    if (args.mask.given() && args.mask(i) == 0) continue;
    double weight = 1;
    if (args.weights.given())
      weight = args.weights(args.weight_class.given() ? std::int64_t{args.weight_class(i)} : i);
    sum.add(weight * term(i));
  }
  return sum.value();
}

}  // namespace

template <class Storage>
void moments_reference(const MomentsProblem& problem, const MomentsArgs<Storage>& args) {
  const auto sum = [&](const auto& term) { return weighted_sum(args, problem.rows, term); };
  const double weight = sum([](std::int64_t) { return 1.0; });
  args.weight(0) = weight;
  // The second round adds the mean of the deviations from the first result, which corrects its
  // rounding error.
  double means[most_moment_columns] = {};
  const auto deviation = [&](std::int64_t i, int a) {
    return static_cast<double>(args.values(i, a)) - means[a];
  };
  for (int round = 0; round < 2; ++round)
    for (int a = 0; a < problem.columns; ++a)
      means[a] += sum([&](std::int64_t i) { return deviation(i, a); }) / weight;
  for (int a = 0; a < problem.columns; ++a)
    args.means(a) = means[a];
  if (!problem.seconds) return;
  for (int a = 0; a < problem.columns; ++a)
    for (int b = 0; b < problem.columns; ++b)
      args.seconds(a, b) =
          sum([&](std::int64_t i) { return deviation(i, a) * deviation(i, b); }) / weight;
}

template void moments_reference(const MomentsProblem&, const MomentsArgs<double>&);
template void moments_reference(const MomentsProblem&, const MomentsArgs<float>&);

}  // namespace tessera::reduction
