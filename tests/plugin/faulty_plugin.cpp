#include <tessera/core/operations/plugin.hpp>
#include <tessera/reduction/sum/term_of_row.hpp>

#include <cstdlib>
#include <unistd.h>

/// \file
/// Implementations of reduction/sum with one fault each, and a correct one, to test trials in
/// worker processes.

namespace tessera::reduction {
namespace {

enum class Fault { none, aborts, hangs, out_of_bounds, unwritten, tile };

template <Fault fault>
class FaultySum : public Plan<Sum, Double> {
 public:
  using Parameters = NoParameters;
  static constexpr PlanTraits<Sum> traits{.determinism = Determinism::run_to_run,
                                          .description = "planted"};

  FaultySum(const SumProblem& problem, const Context&, const Parameters&) : rows_(problem.rows) {}
  static Refusal can_run(const SumProblem&, const Context&, const Parameters&) { return {}; }

  void execute(const Args& args) override {
    constexpr std::int64_t tile = 32;
    if (fault == Fault::aborts) std::abort();
    while (fault == Fault::hangs)
      ::sleep(1);
    const std::int64_t rows = fault == Fault::tile ? rows_ - rows_ % tile : rows_;
    const int written = args.terms.count - (fault == Fault::unwritten ? 1 : 0);
    for (int t = 0; t < written; ++t)
      args.result(t) = sum(args, t, 0, rows);
    if (fault == Fault::out_of_bounds) (&args.result(0))[args.terms.count] = 0;
  }

 private:
  /// Pairwise summation, so that rounding errors do not grow with the number of rows.
  static double sum(const Args& args, int t, std::int64_t begin, std::int64_t end) {
    if (end - begin > 32) {
      const std::int64_t middle = begin + (end - begin) / 2;
      return sum(args, t, begin, middle) + sum(args, t, middle, end);
    }
    double total = 0;
    for (std::int64_t i = begin; i < end; ++i)
      total += term_of_row(args, args.terms.term[t], i);
    return total;
  }

  std::int64_t rows_;
};

template <Fault fault>
void add(Registry& registry, const char* name) {
  registry.add(
      plugin_implementation<FaultySum<fault>>(name, TESSERA_PLUGIN_BACKEND, MemorySpace::host));
}

}  // namespace
}  // namespace tessera::reduction

TESSERA_PLUGIN(registry) {
  using namespace tessera::reduction;
  add<Fault::none>(registry, "test.sound");
  add<Fault::aborts>(registry, "test.aborts");
  add<Fault::hangs>(registry, "test.hangs");
  add<Fault::out_of_bounds>(registry, "test.out_of_bounds");
  add<Fault::unwritten>(registry, "test.unwritten");
  add<Fault::tile>(registry, "test.tile");
}
