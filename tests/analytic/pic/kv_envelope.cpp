#include "tests/analytic/pic/kv_envelope.hpp"

#include "core/base/error.hpp"

#include <cmath>

namespace tessera::pic::analytic {
namespace {

Envelope slope_of(const EnvelopeProblem& problem, const Envelope& now, double focusing) {
  const double repulsion = 2 * problem.perveance / (now.a + now.b);
  const double squared = problem.emittance * problem.emittance;
  return {now.a_slope,
          -focusing * now.a + repulsion + squared / (now.a * now.a * now.a),
          now.b_slope,
          focusing * now.b + repulsion + squared / (now.b * now.b * now.b),
          problem.emittance / (now.a * now.a),
          problem.emittance / (now.b * now.b)};
}

Envelope moved(const Envelope& from, const Envelope& slope, double by) {
  return {from.a + by * slope.a,
          from.a_slope + by * slope.a_slope,
          from.b + by * slope.b,
          from.b_slope + by * slope.b_slope,
          from.phase_x + by * slope.phase_x,
          from.phase_y + by * slope.phase_y};
}

}  // namespace

Envelope advanced(const EnvelopeProblem& problem, const Envelope& start, int first_step,
                  int steps) {
  const double h = problem.cell / problem.steps;
  Envelope now = start;
  for (int k = first_step; k < first_step + steps; ++k) {
    const double focusing = problem.focusing((k % problem.steps + 0.5) * h);
    const Envelope s1 = slope_of(problem, now, focusing);
    const Envelope s2 = slope_of(problem, moved(now, s1, h / 2), focusing);
    const Envelope s3 = slope_of(problem, moved(now, s2, h / 2), focusing);
    const Envelope s4 = slope_of(problem, moved(now, s3, h), focusing);
    now = moved(moved(moved(moved(now, s1, h / 6), s2, h / 3), s3, h / 3), s4, h / 6);
  }
  return now;
}

Envelope matched(const EnvelopeProblem& problem, const Envelope& guess) {
  const int half = problem.steps / 2;
  const auto slopes = [&](double a, double b) { return advanced(problem, {a, 0, b, 0}, 0, half); };
  double a = guess.a;
  double b = guess.b;
  for (int round = 0; round < 50; ++round) {
    const Envelope here = slopes(a, b);
    const double step = 1e-6 * a;
    const Envelope along_a = slopes(a + step, b);
    const Envelope along_b = slopes(a, b + step);
    const double aa = (along_a.a_slope - here.a_slope) / step;
    const double ab = (along_b.a_slope - here.a_slope) / step;
    const double ba = (along_a.b_slope - here.b_slope) / step;
    const double bb = (along_b.b_slope - here.b_slope) / step;
    const double determinant = aa * bb - ab * ba;
    const double change_a = (bb * here.a_slope - ab * here.b_slope) / determinant;
    const double change_b = (aa * here.b_slope - ba * here.a_slope) / determinant;
    a -= change_a;
    b -= change_b;
    if (std::hypot(change_a, change_b) < 1e-12 * (a + b)) return {a, 0, b, 0};
  }
  throw Error("no matched envelope was found");
}

Envelope matched_with_phase(EnvelopeProblem& problem, const Envelope& guess, double phase) {
  Envelope beam = guess;
  const auto phase_with = [&](double perveance) {
    problem.perveance = perveance;
    beam = matched(problem, beam);
    return advanced(problem, beam, 0, problem.steps).phase_x;
  };
  if (!(phase_with(0) > phase)) throw Error("charge makes a phase advance smaller, not larger");
  double low = 0;
  double high = problem.emittance / problem.cell;
  while (phase_with(high) > phase)
    high *= 2;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (phase_with(middle) > phase ? low : high) = middle;
  }
  return beam;
}

}  // namespace tessera::pic::analytic
