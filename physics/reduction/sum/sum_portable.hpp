#pragma once

#include <tessera/core/base/device_code.hpp>
#include <tessera/core/operations/portable_plan.hpp>
#include <tessera/reduction/sum/sum.hpp>

/// \file
/// The portable body of reduction/sum: one pass, partial sums in registers.

namespace tessera::reduction {

/// Sums of the first `Count` terms; the count is a template argument so that they stay in
/// registers.
template <int Count>
struct Sums {
  double value[Count];
};

template <int Count>
struct JoinSums {
  TESSERA_FUNCTION void operator()(Sums<Count>& into, const Sums<Count>& from) const {
    for (int t = 0; t < Count; ++t)
      into.value[t] += from.value[t];
  }
};

template <class Storage, int Count>
struct SumRow {
  SumArgs<Storage> args;

  TESSERA_FUNCTION void operator()(std::int64_t i, Sums<Count>& sums) const {
    double weight = 1;
    if (args.weights.given())
      weight = args.weights(args.weight_class.given() ? std::int64_t{args.weight_class(i)} : i);
    for (int t = 0; t < Count; ++t) {
      if (t >= args.terms.count) break;
      const SumTerm term = args.terms.term[t];
      double product = weight;
      if (term.a >= 0) product *= static_cast<double>(args.values(i, term.a));
      if (term.b >= 0) product *= static_cast<double>(args.values(i, term.b));
      sums.value[t] += product;
    }
  }
};

template <int Count>
struct StoreSums {
  const Sums<Count>* sums;
  View<double, 1> result;
  TESSERA_FUNCTION void operator()(std::int64_t t) const { result(t) = sums->value[t]; }
};

template <class P, ExecutionSpace Space>
class SumPortable : public PortablePlan<Sum, P, Space> {
 public:
  using PortablePlan<Sum, P, Space>::PortablePlan;
  using Args = typename Plan<Sum, P>::Args;
  static constexpr Determinism determinism = Determinism::run_to_run;

  static Refusal can_run(const SumProblem& problem, const Context&) {
    if (problem.terms > max_terms)
      return "takes at most " + std::to_string(max_terms) + " terms, not " +
             std::to_string(problem.terms);
    return {};
  }

  void execute(const Args& args) override {
    if (args.terms.count <= 4)
      run<4>(args);
    else if (args.terms.count <= 12)
      run<12>(args);
    else
      run<max_terms>(args);
  }

 private:
  template <int Count>
  void run(const Args& args) {
    auto* const sums = reinterpret_cast<Sums<Count>*>(result_.data());
    this->space_.reduce("sum", this->problem_.rows, Sums<Count>{},
                        SumRow<typename P::Storage, Count>{args}, JoinSums<Count>{}, sums,
                        workspace_.get());
    this->space_.for_each("sum store", args.terms.count, StoreSums<Count>{sums, args.result});
  }

  Buffer<double, Space> result_{this->space_, max_terms};
  WorkspaceBuffer<Space> workspace_{
      this->space_, Space::template reduce_bytes<Sums<max_terms>>(this->problem_.rows)};
};

}  // namespace tessera::reduction
