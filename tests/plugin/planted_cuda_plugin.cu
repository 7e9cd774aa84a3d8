#include "planted_ways.hpp"
#include <tessera/core/operations/plugin.hpp>
#include <tessera/reduction/sum/term_of_row.hpp>

#include <cuda_runtime.h>

/// \file
/// The correct and wrong sums of planted_plugin.cpp on a GPU, where some faults make the CUDA
/// context of the process unusable, or hang.

namespace tessera::planted {
namespace {

using Args = reduction::SumArgs<double>;

constexpr int threads = 256;

/// Sums the terms, one block per term.
__global__ void sum_terms(Args args, std::int64_t rows, Way way) {
  __shared__ double partial[threads];
  const int t = static_cast<int>(blockIdx.x);
  const int lane = static_cast<int>(threadIdx.x);
  if (way == Way::endless)
    while (true)
      __nanosleep(1000);
  const reduction::SumTerm term = args.terms.term[t];
  double total = 0;
  for (std::int64_t i = lane; i < rows; i += threads)
    total += reduction::term_of_row(args, term, i);
  partial[lane] = total;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) partial[lane] += partial[lane + half];
  }
  if (lane > 0) return;
  const bool last = t == args.terms.count - 1;
  if (way == Way::aborts) *reinterpret_cast<double*>(16) = 1;
  if (way == Way::unwritten && last) return;
  args.result(t) = partial[0];
  if (way == Way::wrong_element && last) args.result(t) += 1e-3 * (1 + fabs(partial[0]));
  if (way == Way::out_of_bounds && last) args.result.data[args.terms.count] = 0;
  if (way == Way::sound)
    for (int pause = 0; pause < 2000; ++pause)
      __nanosleep(1000);
}

class PlantedSum : public Plan<reduction::Sum, Double> {
 public:
  using Parameters = planted::Parameters;
  static constexpr PlanTraits<reduction::Sum> traits{.determinism = Determinism::run_to_run,
                                                     .description = "planted"};
  static Refusal can_run(const reduction::SumProblem&, const Context&, const Parameters&) {
    return {};
  }

  PlantedSum(const reduction::SumProblem& problem, const Context& context,
             const Parameters& parameters)
      : rows_(problem.rows),
        stream_(static_cast<cudaStream_t>(context.stream.handle)),
        way_(parameters.way) {}

  void execute(const planted::Args& args) override {
    constexpr std::int64_t tile = 32;
    if (args.terms.count == 0) return;
    const std::int64_t rows = way_ == Way::remainder ? rows_ - rows_ % tile : rows_;
    sum_terms<<<static_cast<unsigned>(args.terms.count), threads, 0, stream_>>>(args, rows, way_);
  }

 private:
  std::int64_t rows_;
  cudaStream_t stream_;
  Way way_;
};

}  // namespace
}  // namespace tessera::planted

TESSERA_PLUGIN(registry) {
  using namespace tessera;
  registry.add(plugin_implementation<planted::PlantedSum>("test.planted", TESSERA_PLUGIN_BACKEND,
                                                          MemorySpace::cuda));
}
