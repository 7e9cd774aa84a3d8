#include "core/memory/device_timing.hpp"
#include "core/operations/registry.hpp"
#include "physics/reduction/moments/moments.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <Kokkos_Core.hpp>
#include <cub/device/device_reduce.cuh>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// \file
/// Times reduction/sum, cub::DeviceReduce::Sum and Kokkos::parallel_reduce on a GPU: sums of one
/// column, all first and second moments of six columns, means and covariances, and small sums in a
/// captured graph. All candidates of a table are timed in turn; the results are medians of the
/// rounds. Exit code 77 without a GPU.
///
///     tessera_sum_peers [--parameter NAME=VALUE]...
///
/// --parameter sets a tuning parameter of cuda.single_pass.

namespace {

using namespace tessera;
using reduction::SumArgs;
using reduction::SumProblem;

constexpr int rounds = 15;

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

/// Array in GPU memory.
template <class T>
class Array {
 public:
  explicit Array(std::int64_t n) {
    check(cudaMalloc(&data_, static_cast<std::size_t>(n) * sizeof(T)), "allocation");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
  [[nodiscard]] T first() const {
    T value;
    check(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDefault), "copy");
    return value;
  }

 private:
  void* data_ = nullptr;
};

/// Fills with pseudo-random numbers from -1 to 1, or integers from -1000 to 1000.
template <class T>
__global__ void fill(T* to, std::int64_t n) {
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
    std::uint64_t z = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u + 1;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    const double uniform = static_cast<double>(z >> 12) * 0x1p-51 - 1;
    to[i] = static_cast<T>(std::is_integral_v<T> ? 1000 * uniform : uniform);
  }
}

template <class T>
void fill_array(const Array<T>& array, std::int64_t n) {
  fill<<<2048, 256>>>(array.data(), n);
  check(cudaDeviceSynchronize(), "fill");
}

struct Candidate {
  std::string name;
  std::function<void()> call;
  std::function<double()> value;
  Context context;
  std::vector<double> seconds = {};

  [[nodiscard]] double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

/// Times all candidates in turn and prints the results. `bytes` is the size of the data that a call
/// reads.
void measure(const std::string& title, std::vector<Candidate>& all, double bytes) {
  constexpr double sample_seconds = 2e-3;
  constexpr double assumed_rate = 4e12;
  const int calls =
      std::clamp(static_cast<int>(sample_seconds / (bytes / assumed_rate + 5e-6)), 3, 200);
  for (Candidate& c : all)
    for (int warm = 0; warm < 3; ++warm)
      c.call();
  for (Candidate& c : all)
    c.context.device->fence(c.context.stream);
  for (int round = 0; round < rounds; ++round)
    for (Candidate& c : all)
      c.seconds.push_back(c.context.device->timing().seconds_of(c.context.stream, [&] {
        for (int k = 0; k < calls; ++k)
          c.call();
      }) / calls);
  std::printf("\n%s\n%-40s %10s %10s %10s   %s\n", title.c_str(), "", "us", "GB/s", "of first",
              "first sum");
  for (const Candidate& c : all)
    std::printf("%-40s %10.2f %10.1f %10.3f   %.12g\n", c.name.c_str(), 1e6 * c.median(),
                1e-9 * bytes / c.median(), all.front().median() / c.median(), c.value());
  std::fflush(stdout);
}

ParameterValues parameters_given;

/// Adds an implementation of Tessera as a candidate that owns its plan and its array of results.
template <class P>
void add_tessera(std::vector<Candidate>& all, const Context& context, const std::string& name,
                 SumArgs<typename P::Storage> args, Determinism determinism,
                 const std::string& note = "") {
  using Result = reduction::SumOf<typename P::Storage>;
  const ImplementationBase& found = registry().find("reduction/sum", P::value, name);
  const auto result = std::make_shared<Array<Result>>(reduction::max_terms);
  const auto overflow = std::make_shared<Array<std::int32_t>>(reduction::max_terms);
  args.result = {result->data(), {args.terms.count}};
  if constexpr (std::is_integral_v<typename P::Storage>)
    args.overflow = {overflow->data(), {args.terms.count}};
  const SumProblem problem = reduction::sum_problem(args, determinism);
  const std::shared_ptr<Plan<reduction::Sum, P>> plan =
      dynamic_cast<const Implementation<reduction::Sum, P>&>(found).make_plan(
          problem, context, name == "cuda.single_pass" ? parameters_given : ParameterValues{});
  all.push_back({name + note, [plan, args, overflow] { plan->execute(args); },
                 [result] { return static_cast<double>(result->first()); }, context});
}

template <class T>
struct AddElement {
  const T* from;
  KOKKOS_FUNCTION void operator()(std::int64_t i, T& sum) const { sum += from[i]; }
};

reduction::SumTerms column_sum() {
  reduction::SumTerms terms;
  terms.term[terms.count++] = {0, -1};
  return terms;
}

reduction::SumTerms moments() {
  reduction::SumTerms terms;
  for (std::int16_t a = 0; a < 6; ++a)
    terms.term[terms.count++] = {a, -1};
  for (std::int16_t a = 0; a < 6; ++a)
    for (std::int16_t b = a; b < 6; ++b)
      terms.term[terms.count++] = {a, b};
  return terms;
}

template <class P>
void one_column(const Context& cuda, const Context& kokkos, std::int64_t n) {
  using T = typename P::Storage;
  const Array<T> column(n);
  fill_array(column, n);
  const double bytes = static_cast<double>(n) * sizeof(T);
  std::vector<Candidate> all;

  const Array<T> cub_result(1);
  std::size_t workspace_bytes = 0;
  check(cub::DeviceReduce::Sum(nullptr, workspace_bytes, column.data(), cub_result.data(), n),
        "cub::DeviceReduce");
  const Array<unsigned char> workspace(static_cast<std::int64_t>(workspace_bytes));
  const auto stream = static_cast<cudaStream_t>(cuda.stream.handle);
  all.push_back({"cub::DeviceReduce::Sum",
                 [&] {
                   check(cub::DeviceReduce::Sum(workspace.data(), workspace_bytes, column.data(),
                                                cub_result.data(), n, stream),
                         "cub::DeviceReduce");
                 },
                 [&] { return static_cast<double>(cub_result.first()); }, cuda});
  const Array<T> kokkos_result(1);
  all.push_back(
      {"Kokkos::parallel_reduce",
       [&] {
         Kokkos::parallel_reduce(
             "sum", Kokkos::RangePolicy<Kokkos::IndexType<std::int64_t>>(0, n),
             AddElement<T>{column.data()},
             Kokkos::View<T, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>(kokkos_result.data()));
       },
       [&] { return static_cast<double>(kokkos_result.first()); }, kokkos});
  SumArgs<T> args;
  args.values = {column.data(), {n, 1}};
  args.terms = column_sum();
  for (const char* name : {"cuda.single_pass", "cuda.cub", "cuda.portable"})
    add_tessera<P>(all, cuda, name, args, Determinism::none);
  add_tessera<P>(all, kokkos, "kokkos.portable", args, Determinism::none);
  if constexpr (!std::is_integral_v<T>) {
    add_tessera<P>(all, cuda, "cuda.single_pass", args, Determinism::any_order, ", any order");
    add_tessera<P>(all, cuda, "cuda.portable", args, Determinism::any_order, ", any order");
  }
  measure(std::string(name(P::value)) + ", one column of " + std::to_string(n), all, bytes);
}

/// Times the 27 moments of six columns, which are interleaved by row. With `weighted`, rows have
/// the weights of three classes.
void six_columns(const Context& cuda, const Context& kokkos, std::int64_t n, bool weighted) {
  const Array<double> values(6 * n);
  fill_array(values, 6 * n);
  const Array<std::int32_t> classes(n);
  check(cudaMemset(classes.data(), 0, static_cast<std::size_t>(n) * sizeof(std::int32_t)), "fill");
  const Array<double> weights(3);
  fill_array(weights, 3);
  SumArgs<double> args;
  args.values = {values.data(), {n, 6}};
  args.terms = moments();
  if (weighted) {
    args.weights = {weights.data(), {3}};
    args.weight_class = {classes.data(), {n}};
  }
  std::vector<Candidate> all;
  for (const char* name : {"cuda.single_pass", "cuda.portable"}) {
    add_tessera<Double>(all, cuda, name, args, Determinism::none);
    add_tessera<Double>(all, cuda, name, args, Determinism::any_order, ", any order");
  }
  add_tessera<Double>(all, kokkos, "kokkos.portable", args, Determinism::none);
  add_tessera<Double>(all, kokkos, "kokkos.portable", args, Determinism::any_order, ", any order");
  add_tessera<Double>(all, cuda, "cuda.cub", args, Determinism::none);
  measure(
      "double, 27 moments of " + std::to_string(n) + (weighted ? " rows with classes" : " rows"),
      all, static_cast<double>(n) * (weighted ? 52 : 48));
}

/// Times means and covariances, which follow from sums relative to an origin.
void mean_and_deviation(const Context& cuda, const Context& kokkos, std::int64_t n) {
  const Array<double> values(6 * n);
  fill_array(values, 6 * n);
  std::vector<Candidate> all;
  const auto add = [&](const Context& context, const std::string& name, Determinism determinism,
                       const std::string& note) {
    const auto results = std::make_shared<Array<double>>(1 + 6 + 36);
    reduction::MomentsArgs<double> args;
    args.values = {values.data(), {n, 6}};
    args.weight = {results->data(), {1}};
    args.means = {results->data() + 1, {6}};
    args.seconds = {results->data() + 7, {6, 6}};
    const ImplementationBase& found =
        registry().find("reduction/moments", Precision::double_precision, name);
    const std::shared_ptr<Plan<reduction::Moments, Double>> plan =
        dynamic_cast<const Implementation<reduction::Moments, Double>&>(found).make_plan(
            reduction::moments_problem(args, determinism), context, {});
    all.push_back({name + note, [plan, args, results] { plan->execute(args); },
                   [results] { return results->first(); }, context});
  };
  add(cuda, "cuda.portable", Determinism::none, "");
  add(cuda, "cuda.portable", Determinism::any_order, ", any order");
  add(kokkos, "kokkos.portable", Determinism::none, "");
  measure("double, means and covariances of " + std::to_string(n) + " rows of six", all,
          static_cast<double>(n) * 48);
}

/// Times launches of a captured graph that contains one execute().
void in_a_graph(const Context& given, std::int64_t n) {
  const Array<double> values(6 * n);
  fill_array(values, 6 * n);
  SumArgs<double> args;
  args.values = {values.data(), {n, 6}};
  args.terms = moments();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  Context context = given;
  context.stream = {stream, MemorySpace::cuda};
  std::vector<Candidate> all;
  for (const char* name : {"cuda.single_pass", "cuda.portable", "cuda.cub"})
    add_tessera<Double>(all, context, name, args, Determinism::none);
  for (const char* name : {"cuda.single_pass", "cuda.portable"})
    add_tessera<Double>(all, context, name, args, Determinism::any_order, ", any order");
  std::vector<cudaGraphExec_t> graphs;
  for (Candidate& c : all) {
    c.call();
    check(cudaStreamSynchronize(stream), "first call");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t launchable = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    c.call();
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&launchable, graph, 0), "graph");
    check(cudaGraphDestroy(graph), "graph");
    graphs.push_back(launchable);
    // Captures the former callable too, because it owns the plan that the graph uses.
    c.call = [plain = c.call, launchable, stream] {
      check(cudaGraphLaunch(launchable, stream), "launch of a graph");
    };
  }
  measure("double, 27 moments of " + std::to_string(n) + " rows, each in a captured graph", all,
          static_cast<double>(n) * 48);
  for (cudaGraphExec_t graph : graphs)
    check(cudaGraphExecDestroy(graph), "graph");
  all.clear();
  check(cudaStreamDestroy(stream), "stream");
}

int run() {
  if (const std::string reason = registry().unavailable("cuda"); !reason.empty()) {
    std::printf("skipped: %s\n", reason.c_str());
    return 77;
  }
  const Context cuda = registry().open("cuda");
  const Context kokkos = registry().open("kokkos");
  std::printf("%s, copies %.1f GB/s; medians of %d rounds, all of a table in turn\n",
              cuda.device->properties().name.c_str(),
              1e-9 * cuda.device->timing().copy_limit()->best(), rounds);
  for (const int log2 : {22, 25, 28}) {
    const std::int64_t n = std::int64_t{1} << log2;
    one_column<Int32>(cuda, kokkos, n);
    one_column<Single>(cuda, kokkos, n);
    one_column<Double>(cuda, kokkos, n);
  }
  for (const std::int64_t n : {std::int64_t{32000}, std::int64_t{1000000}, std::int64_t{21000000}})
    six_columns(cuda, kokkos, n, false);
  six_columns(cuda, kokkos, 21000000, true);
  for (const std::int64_t n : {std::int64_t{32000}, std::int64_t{21000000}})
    mean_and_deviation(cuda, kokkos, n);
  in_a_graph(cuda, 32000);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (int a = 1; a + 1 < argc; a += 2) {
      const std::string text = argv[a + 1];
      const std::size_t split = text.find('=');
      if (std::strcmp(argv[a], "--parameter") != 0 || split == std::string::npos)
        throw std::runtime_error("expected --parameter NAME=VALUE");
      parameters_given[text.substr(0, split)] = std::stoll(text.substr(split + 1));
    }
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sum_peers: %s\n", error.what());
    return 1;
  }
}
