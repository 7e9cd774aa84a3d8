#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/bunch_moments.hpp"

#include <string>
#include <string_view>

/// \file
/// pic/bunch_statistics: for the particles i of a bunch with coordinates v(i, a), a = 0 to 5, and
/// weights w(i), which are 1 if none are given, it computes
///
///     W = sum w(i),  m_a = sum w(i) v(i, a) / W,
///     c_ab = sum w(i) (v(i, a) - m_a) (v(i, b) - m_b) / W,
///
/// the smallest and the largest v(i, a), and the number of particles. These are moments of a
/// population: c_aa is the square of the rms size. H. Wiedemann, Particle Accelerator Physics
/// (2015), section 8.1; J. Buon, "Beam phase space and emittance", CERN 91-04 (1991).
///
/// A particle counts if its `alive` is not 0. A particle that would count but has a coordinate or a
/// weight that is infinite or NaN is counted in `not_finite` only; a caller that does not accept
/// such particles must check this number. If no particle counts, or W is 0, means and second
/// moments are NaN; the minimum and maximum over no particles are infinity and -infinity. Results
/// beyond the range of a double (for instance the square of a coordinate of 1e200) are infinite or
/// NaN.
///
/// All sums are in double, about a shift near the mean, and are corrected at the end (the shifted
/// one-pass algorithm of T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for Computing the
/// Sample Variance", The American Statistician 37, 242 (1983)), so that a bunch at 1 m with a
/// deviation of 1e-9 m loses no digits. The shift is the mean of a few particles. If it is more
/// than four deviations from the mean of all particles, a second pass uses that mean as shift. With
/// weights that are not negative no c_aa is negative: the rounding error that remains for a
/// coordinate that is equal for all particles is set to 0.
///
/// The portable body is run_to_run. With any_order all numbers have the same bits for any order of
/// the particles, number of threads, backend and device: sums are in fixed point
/// (reduction/sum/fixed_point.hpp), and a first pass computes the mean that the second pass uses as
/// shift.
///
/// Precisions: double and single, for the coordinates; all else is in double.

namespace tessera::pic {

template <class Storage>
struct BunchStatisticsArgs {
  View<const Storage, 2> coordinates;  ///< particles x 6, any strides
  View<const std::uint8_t, 1> alive;   ///< one flag per particle; 0: lost. Not given: all count
  View<const Storage, 1> weights;      ///< one per particle. Not given: 1
  View<double, 1> result;              ///< bunch_number::count numbers, argument of BunchMoments
};

struct BunchStatisticsProblem {
  std::int64_t particles = 0;  ///< rows of the arrays, including lost particles
  /// Least determinism that an implementation must guarantee.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const BunchStatisticsProblem& problem) {
  return {problem.particles, {{"determinism", std::string(name(problem.determinism))}}, {}};
}

/// Checks the arguments of a call.
class BunchStatisticsCheck {
 public:
  explicit BunchStatisticsCheck(const BunchStatisticsProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("coordinates", args.coordinates, {problem_.particles, coordinates_of_particle});
    visit.optional("alive", args.alive, {problem_.particles});
    visit.optional("weights", args.weights, {problem_.particles});
    visit.at_least("result", args.result, bunch_number::count);
    visit.no_overlap("result", args.result, "coordinates", args.coordinates);
    visit.no_overlap("result", args.result, "alive", args.alive);
    visit.no_overlap("result", args.result, "weights", args.weights);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const BunchStatisticsArgs<Storage>& args) const;

 private:
  BunchStatisticsProblem problem_;
};

struct BunchStatistics : PlainOperation<BunchStatisticsArgs, BunchStatisticsProblem,
                                        OperationTraits{.selects_determinism = true}> {
  static constexpr std::string_view name = "pic/bunch_statistics";
  using Check = BunchStatisticsCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together.
template <class Storage>
[[nodiscard]] BunchStatisticsProblem bunch_statistics_problem(
    const BunchStatisticsArgs<Storage>& args, Determinism determinism = Determinism::none);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void bunch_statistics(const Context& context, const BunchStatisticsArgs<typename P::Storage>& args,
                      Determinism determinism = Determinism::none) {
  run_once<BunchStatistics, P>(bunch_statistics_problem(args, determinism), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP
