#include "planted_ways.hpp"
#include <tessera/core/operations/plugin.hpp>
#include <tessera/reduction/sum/term_of_row.hpp>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <thread>

/// \file
/// An implementation of reduction/sum whose tuning parameter selects a correct algorithm or faster
/// ones that are wrong.

namespace tessera::planted {
namespace {

class PlantedSum : public Plan<reduction::Sum, Double> {
 public:
  using Parameters = planted::Parameters;
  static constexpr PlanTraits<reduction::Sum> traits{.determinism = Determinism::run_to_run,
                                                     .description = "planted"};
  static Refusal can_run(const reduction::SumProblem&, const Context&, const Parameters&) {
    return {};
  }

  PlantedSum(const reduction::SumProblem& problem, const Context&, const Parameters& parameters)
      : rows_(problem.rows), way_(parameters.way) {}

  void execute(const Args& args) override {
    constexpr std::int64_t tile = 32;
    if (way_ == Way::aborts) std::abort();
    while (way_ == Way::endless)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    if (way_ == Way::sound) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const std::int64_t rows = way_ == Way::remainder ? rows_ - rows_ % tile : rows_;
    const int last = args.terms.count - 1;
    for (int t = 0; t <= last; ++t)
      if (way_ != Way::unwritten || t != last) args.result(t) = sum(args, t, 0, rows);
    if (way_ == Way::wrong_element) args.result(last) += 1e-3 * (1 + std::abs(args.result(last)));
    if (way_ == Way::out_of_bounds) (&args.result(0))[args.terms.count] = 0;
  }

 private:
  /// Pairwise summation, so that rounding errors do not grow with the number of rows.
  static double sum(const Args& args, int t, std::int64_t begin, std::int64_t end) {
    if (end - begin > 64) {
      const std::int64_t middle = begin + (end - begin) / 2;
      return sum(args, t, begin, middle) + sum(args, t, middle, end);
    }
    double total = 0;
    for (std::int64_t i = begin; i < end; ++i)
      total += reduction::term_of_row(args, args.terms.term[t], i);
    return total;
  }

  std::int64_t rows_;
  Way way_;
};

}  // namespace
}  // namespace tessera::planted

TESSERA_PLUGIN(registry) {
  using namespace tessera;
  registry.add(plugin_implementation<planted::PlantedSum>("test.planted", TESSERA_PLUGIN_BACKEND,
                                                          MemorySpace::host));
}
