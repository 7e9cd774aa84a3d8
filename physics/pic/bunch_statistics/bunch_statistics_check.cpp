#include "physics/pic/bunch_statistics/bunch_statistics.hpp"

namespace tessera::pic {

BunchStatisticsCheck::BunchStatisticsCheck(const BunchStatisticsProblem& problem)
    : problem_(problem) {
  require_count(BunchStatistics::name, "particles", problem.particles);
}

template <class Storage>
void BunchStatisticsCheck::operator()(ArgumentCheck& check,
                                      const BunchStatisticsArgs<Storage>& args) const {
  for_each_argument(check, args);
}

template void BunchStatisticsCheck::operator()(ArgumentCheck&,
                                               const BunchStatisticsArgs<double>&) const;
template void BunchStatisticsCheck::operator()(ArgumentCheck&,
                                               const BunchStatisticsArgs<float>&) const;

template <class Storage>
BunchStatisticsProblem bunch_statistics_problem(const BunchStatisticsArgs<Storage>& args,
                                                Determinism determinism) {
  const BunchStatisticsProblem problem{
      ArgumentCheck(BunchStatistics::name).rows("coordinates", args.coordinates), determinism};
  check_arguments<BunchStatistics>(problem, args);
  return problem;
}

template BunchStatisticsProblem bunch_statistics_problem<double>(const BunchStatisticsArgs<double>&,
                                                                 Determinism);
template BunchStatisticsProblem bunch_statistics_problem<float>(const BunchStatisticsArgs<float>&,
                                                                Determinism);

}  // namespace tessera::pic
