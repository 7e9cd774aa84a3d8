#include "physics/reduction/moments/moments.hpp"

#include <string>

namespace tessera::reduction {

MomentsCheck::MomentsCheck(const MomentsProblem& problem) : problem_(problem) {
  require_count(Moments::name, "rows", problem.rows);
  require_count(Moments::name, "columns", problem.columns, 1, most_moment_columns);
}

template <class Storage>
void MomentsCheck::operator()(ArgumentCheck& check, const MomentsArgs<Storage>& args) const {
  for_each_argument(check, args);
  check_row_weights(check, args, problem_.rows);
  check.require(problem_.seconds || !args.seconds.given(), "seconds",
                "given for moments without them");
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
