#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/bunch_moments.hpp"

#include <string>
#include <string_view>

/// \file
/// pic/bunch_statistics: of the particles i of a bunch with coordinates v(i, a), a = 0 to 5, and
/// weights w(i), which are 1 where none are given,
///
///     W = sum w(i),  m_a = sum w(i) v(i, a) / W,
///     c_ab = sum w(i) (v(i, a) - m_a) (v(i, b) - m_b) / W,
///
/// the smallest and the largest v(i, a), and the number of particles. These are moments of a
/// population: c_aa is the square of the rms size. H. Wiedemann, Particle Accelerator Physics
/// (2015), section 8.1; J. Buon, "Beam phase space and emittance", CERN 91-04 (1991).
///
/// A particle counts where `alive` is not 0. One that would, but has a coordinate or a weight that
/// is infinite or NaN, is counted in `not_finite`, and in nothing else: a caller that wants none
/// looks there. Where no particle counts, or W is 0, means and second moments are NaN; the least
/// and the greatest of no numbers are infinity and -infinity. What a double cannot hold (a
/// coordinate of 1e200 squared) is infinite or NaN.
///
/// Everything is added up in double about numbers near the mean, which are corrected for at the end
/// (the shifted one-pass algorithm of T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for
/// Computing the Sample Variance", The American Statistician 37, 242 (1983)), so that a bunch at 1
/// m with a deviation of 1e-9 m keeps all digits of it. The shift is the mean of a few particles;
/// where it turns out to be more than four deviations from that of all, a second pass takes the
/// latter. Weights that are not negative have no negative c_aa: what rounding leaves of a
/// coordinate that is the same for all is 0.
///
/// The portable body is run_to_run. With any_order the bits of every number are the same for any
/// order of the particles, number of threads, backend and device: sums are in fixed point
/// (reduction/sum/fixed_point.hpp), a first pass gives the mean that the second is about.
///
/// Precisions: double and single, which is of the coordinates; everything else is in double.

namespace tessera::pic {

template <class Storage>
struct BunchStatisticsArgs {
  View<const Storage, 2> coordinates;  ///< particles x 6, any strides
  View<const std::uint8_t, 1> alive;   ///< by particle: 0 is lost. Not given: all count
  View<const Storage, 1> weights;      ///< by particle. Not given: 1
  View<double, 1> result;              ///< bunch_number::count numbers, for BunchMoments
};

struct BunchStatisticsProblem {
  std::int64_t particles = 0;  ///< rows of the arrays, those of lost particles included
  /// The least that an implementation has to give.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const BunchStatisticsProblem& problem) {
  return {problem.particles, {{"determinism", std::string(name(problem.determinism))}}, {}};
}

/// What a call needs.
class BunchStatisticsCheck {
 public:
  explicit BunchStatisticsCheck(const BunchStatisticsProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const BunchStatisticsArgs<Storage>& args) const;

 private:
  BunchStatisticsProblem problem_;
};

struct BunchStatistics : PlainOperation<BunchStatisticsArgs, BunchStatisticsProblem> {
  static constexpr std::string_view name = "pic/bunch_statistics";
  using Check = BunchStatisticsCheck;
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together.
template <class Storage>
[[nodiscard]] BunchStatisticsProblem bunch_statistics_problem(
    const BunchStatisticsArgs<Storage>& args, Determinism determinism = Determinism::none);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void bunch_statistics(const Context& context, const BunchStatisticsArgs<typename P::Storage>& args,
                      Determinism determinism = Determinism::none) {
  run_once<BunchStatistics, P>(bunch_statistics_problem(args, determinism), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP
