#ifndef TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP
#define TESSERA_PHYSICS_PIC_BUNCH_STATISTICS_BUNCH_STATISTICS_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/bunch_moments.hpp"

#include <string>
#include <string_view>

/// \file
/// pic/bunch_statistics: for the particles i of a bunch with coordinates v(i, a), a = 0 to 5, and
/// weights w(i), which are 1 where none are given, it computes
///
///     W = sum w(i),  m_a = sum w(i) v(i, a) / W,
///     c_ab = sum w(i) (v(i, a) - m_a) (v(i, b) - m_b) / W,
///
/// the smallest and the largest v(i, a), and the number of particles. These are moments of a
/// population: c_aa is the square of the rms size. H. Wiedemann, Particle Accelerator Physics
/// (2015), section 8.1; J. Buon, "Beam phase space and emittance", CERN 91-04 (1991).
///
/// A particle counts where `alive` is not 0. A particle that would count but has a coordinate or a
/// weight that is infinite or NaN is counted in `not_finite` and in nothing else; a caller that
/// does not accept such particles checks this number. Where no particle counts, or W is 0, means
/// and second moments are NaN; the minimum and the maximum of no numbers are infinity and
/// -infinity. Results beyond the range of a double (a coordinate of 1e200 squared) are infinite or
/// NaN.
///
/// All sums are in double about values near the mean and are corrected at the end (the shifted
/// one-pass algorithm of T. F. Chan, G. H. Golub and R. J. LeVeque, "Algorithms for Computing the
/// Sample Variance", The American Statistician 37, 242 (1983)), so that a bunch at 1 m with a
/// deviation of 1e-9 m keeps all its digits. The shift is the mean of a few particles. Where it is
/// more than four deviations from the mean of all, a second pass uses the latter. Weights that are
/// not negative give no negative c_aa: the rounding remainder of a coordinate that is the same for
/// all is set to 0.
///
/// The portable body is run_to_run. With any_order the bits of every number are the same for any
/// order of the particles, number of threads, backend and device: sums are in fixed point
/// (reduction/sum/fixed_point.hpp), and the first pass gives the mean that the second one uses as
/// shift.
///
/// Precisions: double and single, for the coordinates; all else is in double.

namespace tessera::pic {

template <class Storage>
struct BunchStatisticsArgs {
  View<const Storage, 2> coordinates;  ///< particles x 6, any strides
  View<const std::uint8_t, 1> alive;   ///< one flag per particle: 0 is lost. Not given: all count
  View<const Storage, 1> weights;      ///< one per particle. Not given: 1
  View<double, 1> result;              ///< bunch_number::count numbers, for BunchMoments
};

struct BunchStatisticsProblem {
  std::int64_t particles = 0;  ///< rows of the arrays, including lost particles
  /// Minimum determinism that an implementation must give.
  Determinism determinism = Determinism::none;
};

[[nodiscard]] inline ProblemKey problem_key(const BunchStatisticsProblem& problem) {
  return {problem.particles, {{"determinism", std::string(name(problem.determinism))}}, {}};
}

/// Checks the arguments of a call.
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
