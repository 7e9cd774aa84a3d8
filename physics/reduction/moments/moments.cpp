#include "physics/reduction/moments/moments.hpp"

#include "physics/reduction/row_weights_check.hpp"

#include <string>

namespace tessera::reduction {

MomentsCheck::MomentsCheck(const MomentsProblem& problem) : problem_(problem) {
  require_count(Moments::name, "rows", problem.rows);
  require_count(Moments::name, "columns", problem.columns, 1, most_moment_columns);
}

template <class Storage>
void MomentsCheck::operator()(ArgumentCheck& check, const MomentsArgs<Storage>& args) const {
  const std::int64_t rows = problem_.rows;
  const std::int64_t columns = problem_.columns;
  check.array("values", args.values, {rows, columns});
  check_row_weights(check, args, rows);
  check.at_least("weight", args.weight, 1);
  check.at_least("means", args.means, columns);
  if (problem_.seconds)
    check.array("seconds", args.seconds, {columns, columns});
  else
    check.require(!args.seconds.given(), "seconds", "given for moments without them");
  const auto apart_from_inputs = [&](const char* name, const auto& view) {
    check.no_overlap(name, view, "values", args.values);
    check.no_overlap(name, view, "weights", args.weights);
    check.no_overlap(name, view, "weight_class", args.weight_class);
    check.no_overlap(name, view, "mask", args.mask);
  };
  apart_from_inputs("weight", args.weight);
  apart_from_inputs("means", args.means);
  apart_from_inputs("seconds", args.seconds);
  check.no_overlap("weight", args.weight, "means", args.means);
  check.no_overlap("weight", args.weight, "seconds", args.seconds);
  check.no_overlap("means", args.means, "seconds", args.seconds);
}

template void MomentsCheck::operator()(ArgumentCheck&, const MomentsArgs<double>&) const;
template void MomentsCheck::operator()(ArgumentCheck&, const MomentsArgs<float>&) const;

template <class Storage>
MomentsProblem moments_problem(const MomentsArgs<Storage>& args, Determinism determinism) {
  const ArgumentCheck check(Moments::name);
  const std::int64_t columns = args.values.extent(1);
  check.require(columns >= 1 && columns <= most_moment_columns, "values", [&] {
    return std::to_string(columns) + " columns, expected 1 to " +
           std::to_string(most_moment_columns);
  });
  const MomentsProblem problem{check.rows("values", args.values), static_cast<int>(columns),
                               args.seconds.given(), determinism};
  check_arguments<Moments>(problem, args);
  return problem;
}

template MomentsProblem moments_problem<double>(const MomentsArgs<double>&, Determinism);
template MomentsProblem moments_problem<float>(const MomentsArgs<float>&, Determinism);

}  // namespace tessera::reduction
