#include "physics/reduction/sum/sum_reference.hpp"

#include "core/base/compensated_sum.hpp"
#include "core/base/error.hpp"

#include <string>

namespace tessera::reduction {
namespace {

template <class Storage>
double column(const SumArgs<Storage>& args, std::int64_t row, int index) {
  if (index < 0) return 1.0;
  const double from = args.origin.given() ? args.origin(index) : 0.0;
  return static_cast<double>(args.values(row, index)) - from;
}

template <class Storage>
double weight(const SumArgs<Storage>& args, std::int64_t row) {
  if (!args.weights.given()) return 1.0;
  return args.weights(args.weight_class.given() ? args.weight_class(row) : row);
}

}  // namespace

template <class Storage>
void sum_reference(const SumProblem& problem, const SumArgs<Storage>& args) {
  for (int t = 0; t < args.terms.count; ++t) {
    const SumTerm term = args.terms.term[t];
    CompensatedSum sum;
    for (std::int64_t i = 0; i < problem.rows; ++i) {
      if (args.mask.given() && args.mask(i) == 0) continue;
      sum.add(weight(args, i) * column(args, i, term.a) * column(args, i, term.b));
    }
    args.result(t) = sum.value();
  }
}

/// Sums of integers in a plain loop, with 128 bits.
template <class Storage>
void integer_reference(const SumProblem& problem, const SumArgs<Storage>& args) {
  __extension__ using Wide = __int128;
  for (int t = 0; t < args.terms.count; ++t) {
    const SumTerm term = args.terms.term[t];
    Wide sum = 0;
    bool fits = true;
    for (std::int64_t i = 0; i < problem.rows; ++i) {
      if (args.mask.given() && args.mask(i) == 0) continue;
      Wide product = 1;
      for (const std::int16_t index : {term.a, term.b})
        if (index >= 0) product *= args.values(i, index);
      fits = !__builtin_add_overflow(sum, product, &sum) && fits;
    }
    const auto result = static_cast<std::int64_t>(sum);
    args.result(t) = result;
    fits = fits && Wide{result} == sum;
    if (args.overflow.given())
      args.overflow(t) = fits ? 0 : 1;
    else if (!fits)
      throw OverflowError(std::string(Sum::name) + ": term " + std::to_string(t) +
                          " does not fit in an integer of 64 bits");
  }
}

template <>
void sum_reference<std::int32_t>(const SumProblem& problem, const SumArgs<std::int32_t>& args) {
  integer_reference(problem, args);
}
template <>
void sum_reference<std::int64_t>(const SumProblem& problem, const SumArgs<std::int64_t>& args) {
  integer_reference(problem, args);
}
template void sum_reference<double>(const SumProblem&, const SumArgs<double>&);
template void sum_reference<float>(const SumProblem&, const SumArgs<float>&);

}  // namespace tessera::reduction
