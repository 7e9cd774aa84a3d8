#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/md/mixing/mixing.hpp>

namespace tessera::md {
namespace {

constexpr std::array all_rules = {MixingRule::geometric, MixingRule::arithmetic,
                                  MixingRule::sixthpower};

double sixth_power(double x) {
  const double cube = x * x * x;
  return cube * cube;
}

double mix_length(MixingRule rule, double a, double b) {
  if (a == b) return a;
  switch (rule) {
    case MixingRule::geometric:
      return std::sqrt(a * b);
    case MixingRule::arithmetic:
      return 0.5 * (a + b);
    case MixingRule::sixthpower:
      break;
  }
  return std::pow(0.5 * (sixth_power(a) + sixth_power(b)), 1.0 / 6.0);
}

double mix_energy(MixingRule rule, const MixedCoefficient& a, const MixedCoefficient& b) {
  const double geometric = a.epsilon == b.epsilon ? a.epsilon : std::sqrt(a.epsilon * b.epsilon);
  if (rule != MixingRule::sixthpower || a.sigma == b.sigma) return geometric;
  const double product = a.sigma * b.sigma;
  return 2 * geometric * product * product * product /
         (sixth_power(a.sigma) + sixth_power(b.sigma));
}

void check(const PairCoefficient& c, std::span<const AtomType> types) {
  const int count = static_cast<int>(types.size());
  if (c.type_i < 0 || c.type_i >= count || c.type_j < 0 || c.type_j >= count) {
    throw ArgumentError("pair coefficient of a type that does not exist");
  }
  const auto valid = [](double value, bool may_be_zero) {
    return std::isfinite(value) && (value > 0 || (may_be_zero && value == 0));
  };
  if (!valid(c.epsilon, true) || !valid(c.sigma, c.epsilon == 0) ||
      (c.cutoff && !valid(*c.cutoff, false))) {
    throw ArgumentError("pair coefficients of types " +
                        types[static_cast<std::size_t>(c.type_i)].name + " and " +
                        types[static_cast<std::size_t>(c.type_j)].name +
                        ": expected epsilon >= 0, sigma > 0 and a cutoff > 0");
  }
}

}  // namespace

std::string_view name(MixingRule rule) {
  switch (rule) {
    case MixingRule::geometric:
      return "geometric";
    case MixingRule::arithmetic:
      return "arithmetic";
    case MixingRule::sixthpower:
      return "sixthpower";
  }
  return "unknown";
}

MixingRule mixing_rule_from_name(std::string_view text) {
  std::vector<std::string> names;
  for (const MixingRule rule : all_rules) {
    if (name(rule) == text) return rule;
    names.emplace_back(name(rule));
  }
  throw SelectionError("mixing rule", std::string(text), names);
}

double PairTable::largest_cutoff() const {
  double largest = 0;
  for (const MixedCoefficient& entry : entries_)
    largest = std::max(largest, entry.cutoff);
  return largest;
}

MixedCoefficient mix(MixingRule rule, const MixedCoefficient& a, const MixedCoefficient& b) {
  return {mix_energy(rule, a, b), mix_length(rule, a.sigma, b.sigma),
          mix_length(rule, a.cutoff, b.cutoff)};
}

PairTable mix_coefficients(MixingRule rule, std::span<const AtomType> types,
                           std::span<const PairCoefficient> given, double cutoff) {
  if (!(cutoff > 0) || !std::isfinite(cutoff)) {
    throw ArgumentError("mix_coefficients: expected a cutoff greater than zero");
  }
  const int count = static_cast<int>(types.size());
  PairTable table(count);
  PairTable is_given(count);  // a pair that is given has a cutoff there
  for (const PairCoefficient& c : given) {
    check(c, types);
    const MixedCoefficient value = {c.epsilon, c.sigma, c.cutoff.value_or(cutoff)};
    table.set(c.type_i, c.type_j, value);
    is_given.set(c.type_i, c.type_j, value);
  }
  const auto missing = [&](int i, int j) { return is_given.at(i, j).cutoff == 0; };
  for (int i = 0; i < count; ++i) {
    for (int j = i; j < count; ++j) {
      if (!missing(i, j)) continue;
      for (const int type : {i, j}) {
        if (!missing(type, type)) continue;
        throw ArgumentError("no pair coefficients for type " +
                            types[static_cast<std::size_t>(type)].name +
                            " with itself, expected epsilon and sigma");
      }
      table.set(i, j, mix(rule, table.at(i, i), table.at(j, j)));
    }
  }
  return table;
}

}  // namespace tessera::md
