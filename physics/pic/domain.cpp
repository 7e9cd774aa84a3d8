#include "physics/pic/domain.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/pic/grid_check.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

namespace tessera::pic {
namespace {

constexpr int column_of_axis[] = {0, 2, 4};
constexpr std::int64_t least_nodes_of_side = 4;
constexpr std::int64_t most_nodes_of_side = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t steps_per_doubling = 8;
constexpr std::int64_t most_step = 8000;
/// A size is kept until the wanted size is less than it by more than this number of steps of the
/// ladder.
constexpr std::int64_t steps_of_band = 2;
/// 2^(1/16): least factor by which a new size exceeds the wanted one.
constexpr double to_spare = 0x1.0b5586cf9890fp+0;
/// 2^(k/8).
constexpr double within_doubling[] = {0x1p+0,
                                      0x1.172b83c7d517bp+0,
                                      0x1.306fe0a31b715p+0,
                                      0x1.4bfdad5362a27p+0,
                                      0x1.6a09e667f3bcdp+0,
                                      0x1.8ace5422aa0dbp+0,
                                      0x1.ae89f995ad3adp+0,
                                      0x1.d5818dcfba487p+0};

[[noreturn]] void refuse_domain(const std::string& argument, const std::string& message) {
  throw ArgumentError("pic::Domain", argument, message);
}

std::string of_axis(const char* member, int axis) {
  return std::string(member) + "[" + std::to_string(axis) + "]";
}

void require_positive(const std::string& argument, double value) {
  if (!(value > 0) || !std::isfinite(value))
    refuse_domain(argument, shortest_number(value) + ", expected a positive number");
}
void require_domain_not_negative(const std::string& argument, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    refuse_domain(argument, shortest_number(value) + ", expected 0 or a positive number");
}

void require_sound(const DomainRule& rule) {
  for (int a = 0; a < 3; ++a) {
    if (rule.nodes[a] < least_nodes_of_side || rule.nodes[a] > most_nodes_of_side)
      refuse_domain(of_axis("nodes", a),
                    std::to_string(rule.nodes[a]) + ", expected 4 to 2^31 - 1 along each side");
    const bool given = rule.kind == DomainKind::fixed && !(a == 2 && rule.periodic_z);
    if (given && !std::isfinite(rule.offset[a]))
      refuse_domain(of_axis("offset", a),
                    shortest_number(rule.offset[a]) + ", expected a finite number");
    if (given) require_positive(of_axis("size", a), rule.size[a]);
  }
  require_domain_not_negative("vanishing", rule.vanishing);
  if (rule.periodic_z) require_positive("period", rule.period);
  switch (rule.kind) {
    case DomainKind::n_sigma:
      return require_positive("n_sigma", rule.n_sigma);
    case DomainKind::all:
      require_domain_not_negative("margin", rule.margin);
      for (int a = 0; a < (rule.periodic_z ? 2 : 3); ++a)
        if (!(static_cast<double>(rule.nodes[a] - 1) - 2 * rule.margin > 0))
          refuse_domain("margin",
                        shortest_number(rule.margin) + " on either side leaves nothing of " +
                            std::to_string(rule.nodes[a]) + " nodes along " + axis_name[a]);
      return;
    case DomainKind::fixed:
      return;
  }
  refuse_domain("kind", "none of n_sigma, all, fixed");
}

void require_sound(const DomainState& state) {
  bool sound = state.asked >= 0 && state.kept >= 0 && state.kept <= state.asked;
  constexpr std::int64_t most = most_step - steps_of_band;
  for (int a = 0; a < 3; ++a)
    sound = sound && state.step[a] >= -most && state.step[a] <= most &&
            std::isfinite(state.spacing[a]) &&
            (state.asked == 0 ? state.spacing[a] == 0 : state.spacing[a] > 0);
  if (!sound) refuse_domain("state", "not one that a domain had");
}

/// Ladder step of a direction for a wanted size; `kept` is the former step, which does not exist if
/// `first`.
std::int64_t next_step(double wanted, bool first, std::int64_t kept) {
  if (!first && wanted <= ladder_size(kept) && wanted >= ladder_size(kept - steps_of_band))
    return kept;
  return ladder_step(wanted * to_spare);
}

}  // namespace

double ladder_size(std::int64_t step) {
  if (step < -most_step || step > most_step)
    throw ArgumentError("pic::ladder_size", "step",
                        std::to_string(step) + ", expected -8000 to 8000");
  const std::int64_t part = ((step % steps_per_doubling) + steps_per_doubling) % steps_per_doubling;
  return std::ldexp(within_doubling[part], static_cast<int>((step - part) / steps_per_doubling));
}

std::int64_t ladder_step(double size) {
  if (!(size >= ladder_size(-most_step)) || !(size <= ladder_size(most_step)))
    throw ArgumentError("pic::ladder_step", "size",
                        shortest_number(size) + ", expected 2^-1000 to 2^1000");
  int exponent = 0;
  // The mantissa is in [1, 2).
  const double mantissa = 2 * std::frexp(size, &exponent);
  const auto* const at =
      std::lower_bound(std::begin(within_doubling), std::end(within_doubling), mantissa);
  return (exponent - 1) * steps_per_doubling + (at - std::begin(within_doubling));
}

Domain::Domain(const DomainRule& rule, const DomainState& state) : rule_(rule), state_(state) {
  require_sound(rule);
  require_sound(state);
}

double Domain::hit_rate() const {
  return state_.asked > 0 ? static_cast<double>(state_.kept) / static_cast<double>(state_.asked)
                          : 0;
}

Domain::Wanted Domain::wanted(const BunchMoments& moments) const {
  if (rule_.kind == DomainKind::fixed) {
    Wanted fixed{};
    std::copy(rule_.offset, rule_.offset + 3, fixed.centre);
    std::copy(rule_.size, rule_.size + 3, fixed.size);
    return fixed;
  }
  if (moments.not_finite != 0)
    refuse_domain("moments", std::to_string(moments.not_finite) +
                                 " particles with numbers that are not finite");
  if (moments.particles < 1) refuse_domain("moments", "of no particle");
  if (rule_.kind == DomainKind::all) return around_all(moments, rule_.margin);
  return around_mean(moments);
}

Domain::Wanted Domain::around_mean(const BunchMoments& moments) const {
  constexpr double free_nodes = 1;
  if (moments.weight == 0) return around_all(moments, free_nodes);
  Wanted around{};
  for (int a = 0; a < 3; ++a) {
    const int column = column_of_axis[a];
    const double square = moments.second[column][column];
    around.centre[a] = moments.mean[column];
    around.size[a] = std::sqrt(square);
    if (!std::isfinite(around.centre[a]) || !std::isfinite(around.size[a]))
      refuse_domain("moments", std::string("mean and deviation of ") + axis_name[a] + " are " +
                                   shortest_number(around.centre[a]) + " and " +
                                   shortest_number(around.size[a]) + ", expected finite numbers");
  }
  const auto vanishes = [&](double size) { return size <= rule_.vanishing; };
  if (std::all_of(around.size, around.size + 3, vanishes)) return around_all(moments, free_nodes);
  replace_vanishing(around.size);
  for (double& size : around.size)
    size *= rule_.n_sigma;
  return around;
}

Domain::Wanted Domain::around_all(const BunchMoments& moments, double margin) const {
  // Bound of the rounding errors between a position and its coordinate on the grid.
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  Wanted around{};
  for (int a = 0; a < 3; ++a) {
    const double least = moments.least[column_of_axis[a]];
    const double greatest = moments.greatest[column_of_axis[a]];
    around.size[a] = greatest - least;
    around.centre[a] = least + around.size[a] / 2;
    if (!std::isfinite(least) || !std::isfinite(around.size[a]) || around.size[a] < 0)
      refuse_domain("moments", std::string("the least and the greatest ") + axis_name[a] + " are " +
                                   shortest_number(least) + " and " + shortest_number(greatest) +
                                   ", expected finite numbers one after the other");
  }
  replace_vanishing(around.size);
  for (int a = 0; a < 3; ++a) {
    const double furthest = std::max(std::abs(moments.least[column_of_axis[a]]),
                                     std::abs(moments.greatest[column_of_axis[a]]));
    const auto nodes = static_cast<double>(rule_.nodes[a]);
    // Spacings from the first node to the last, without the margins.
    const double spacings = nodes - 1 - 2 * margin;
    around.size[a] = (around.size[a] * (1 + rounding) + rounding * furthest) / spacings * nodes;
  }
  return around;
}

void Domain::replace_vanishing(double (&size)[3]) const {
  const double own[] = {size[0], size[1], size[2]};
  const auto there = [&](int a) { return own[a] > rule_.vanishing; };
  if (!there(0) && !there(1) && !there(2))
    refuse_domain("moments", "the bunch has no extent: those of x, y and z are " +
                                 shortest_number(own[0]) + ", " + shortest_number(own[1]) +
                                 " and " + shortest_number(own[2]) + ", expected one above " +
                                 shortest_number(rule_.vanishing));
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    const int c = (a + 2) % 3;
    if (!there(a))
      size[a] = there(b) && there(c) ? std::min(own[b], own[c]) : std::max(own[b], own[c]);
  }
}

Grid Domain::grid(const BunchMoments& moments) {
  Wanted want = wanted(moments);
  DomainState next = state_;
  const bool first = state_.asked == 0;
  Grid grid;
  for (int a = 0; a < 3; ++a) {
    grid.nodes[a] = rule_.nodes[a];
    grid.periodic[a] = a == 2 && rule_.periodic_z;
    if (grid.periodic[a]) {
      want.centre[a] = 0;
      want.size[a] = rule_.period;
    } else if (rule_.quantised && rule_.kind != DomainKind::fixed) {
      if (!(want.size[a] < 0x1p+999) || !(want.size[a] > 0x1p-999))
        refuse_domain("moments", std::string("a domain of ") + shortest_number(want.size[a]) +
                                     " along " + axis_name[a] + ", expected 2^-999 to 2^999");
      next.step[a] = next_step(want.size[a], first, state_.step[a]);
      want.size[a] = ladder_size(next.step[a]);
    }
    grid.spacing[a] = want.size[a] / static_cast<double>(rule_.nodes[a]);
    grid.lower[a] = want.centre[a] - want.size[a] / 2;
    next.spacing[a] = grid.spacing[a];
    const double upper = grid.lower[a] + want.size[a];
    if (!(grid.lower[a] + grid.spacing[a] / 2 > grid.lower[a]) ||
        !(upper - grid.spacing[a] / 2 < upper) || !std::isfinite(1 / grid.spacing[a]) ||
        !std::isfinite(upper))
      refuse_domain(grid.periodic[a]                  ? "period"
                    : rule_.kind == DomainKind::fixed ? of_axis("size", a)
                                                      : "moments",
                    std::string("nodes along ") + axis_name[a] + " around " +
                        shortest_number(want.centre[a]) + " are " +
                        shortest_number(grid.spacing[a]) + " apart, which is too little there");
  }
  ++next.asked;
  if (!first && std::equal(next.spacing, next.spacing + 3, state_.spacing)) ++next.kept;
  state_ = next;
  return grid;
}

}  // namespace tessera::pic
