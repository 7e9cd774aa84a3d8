#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "physics/reduction/sum/fixed_point.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Prints the relative errors of every implementation of reduction/sum for sums that cancel, by
/// default and if any order of summation must give the same result (Determinism::any_order),
/// compared with an exact sum in 128-bit integers.

namespace tessera {
namespace {

constexpr int rows = 1 << 16;
/// All numbers are multiples of 2^lowest and at most 2^highest, so that 2^16 of them add up exactly
/// in 128 bits.
constexpr int lowest = -60;
constexpr int highest = 46;

double multiple_of(int exponent, double x) {
  return std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
}

/// Numbers in random order whose sum of magnitudes is about `condition` times the sum. Half of them
/// cancel in pairs; the others are positive and smaller by the factor `condition`.
std::vector<double> ill_conditioned(double condition) {
  RandomSequence random(20261123);
  std::vector<double> values;
  while (values.size() < rows) {
    const double large = multiple_of(highest - 52, std::ldexp(random.uniform(0.5, 1), highest));
    values.insert(values.end(), {large, -large});
    for (int k = 0; k < 2; ++k)
      values.push_back(
          multiple_of(lowest, std::ldexp(random.uniform(0.5, 1), highest) / condition));
  }
  for (std::size_t i = values.size() - 1; i > 0; --i)
    std::swap(values[i], values[random() % (i + 1)]);
  return values;
}

struct Exact {
  double sum = 0;
  double magnitudes = 0;
};

Exact exact_sum(const std::vector<double>& values) {
  using reduction::fixed_point::Integer128;
  Integer128 sum = 0;
  Integer128 magnitudes = 0;
  for (const double v : values) {
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(v, &exponent), 53));
    const int shift = exponent - 53 - lowest;
    const Integer128 whole = shift >= 0 ? Integer128{mantissa} * (Integer128{1} << shift)
                                        : Integer128{mantissa} / (Integer128{1} << -shift);
    sum += whole;
    magnitudes += whole < 0 ? -whole : whole;
  }
  return {reduction::fixed_point::to_double(sum, lowest),
          reduction::fixed_point::to_double(magnitudes, lowest)};
}

double sum_of(const ImplementationBase& implementation, const std::vector<double>& values,
              Determinism determinism) {
  const Context context = open_for(registry(), implementation);
  Array<double> data(context, values);
  Array<double> result(context, 1);
  reduction::SumArgs<double> args;
  args.values = data.rows(1);
  args.terms.term[args.terms.count++] = {0, -1};
  args.result = result.view();
  const auto plan =
      dynamic_cast<const Implementation<reduction::Sum, Double>&>(implementation)
          .make_plan(reduction::sum_problem(args, determinism), context, ParameterValues{});
  plan->execute(args);
  return result.to_host()[0];
}

void print_table() {
  const std::vector<double> conditions = {1e0, 1e4, 1e8, 1e12, 1e16, 1e20, 1e24};
  fmt::print("{} doubles, relative error of their sum\n{:<34}", rows, "sum of magnitudes over sum");
  std::vector<std::vector<double>> inputs;
  std::vector<double> exact;
  for (const double condition : conditions) {
    inputs.push_back(ill_conditioned(condition));
    const Exact known = exact_sum(inputs.back());
    exact.push_back(known.sum);
    fmt::print("{:>10.1e}", known.magnitudes / std::fabs(known.sum));
  }
  fmt::print("\n");
  for (const ImplementationBase* implementation :
       registry().implementations("reduction/sum", Precision::double_precision)) {
    const ImplementationInfo& info = implementation->info();
    for (const Determinism determinism : {Determinism::none, Determinism::any_order}) {
      if (determinism > most_determinism(info)) continue;
      std::string line = fmt::format(
          "{:<34}", info.name + (determinism == Determinism::any_order ? ", any order" : ""));
      try {
        for (std::size_t i = 0; i < inputs.size(); ++i)
          line += fmt::format(
              "{:>10.1e}", std::fabs(sum_of(*implementation, inputs[i], determinism) - exact[i]) /
                               std::fabs(exact[i]));
      } catch (const RefusalError&) {
        continue;  // the implementation cannot run on this machine
      }
      fmt::print("{}\n", line);
    }
  }
}

}  // namespace
}  // namespace tessera

int main() {
  try {
    tessera::print_table();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "sum_accuracy: {}\n", error.what());
    return 1;
  }
}
