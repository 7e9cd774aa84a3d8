#include "physics/md/mixing/mixing.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace tessera::md {
namespace {

constexpr std::array all_rules = {MixingRule::geometric, MixingRule::arithmetic,
                                  MixingRule::sixthpower};

double sixth_power(double x) {
  const double cube = x * x * x;
  return cube * cube;
}

/// Coefficients of every pair of types, as far as they are known while missing ones are filled in.
class Completion {
 public:
  Completion(MixingRule rule, const PairPotential& potential, std::span<const AtomType> types,
             const CoefficientValues& for_all)
      : rule_(rule),
        potential_(potential),
        types_(types),
        for_all_(for_all),
        pairs_(types.size() * types.size()),
        table_(potential, static_cast<int>(types.size())) {
    for (const auto& [name, value] : for_all)
      static_cast<void>(potential.field(name));
  }

  void give(const PairCoefficient& c) {
    const int count = static_cast<int>(types_.size());
    if (c.type_i < 0 || c.type_i >= count || c.type_j < 0 || c.type_j >= count)
      throw ArgumentError("pair coefficient of a type that does not exist");
    for (const auto& [name, value] : c.values) {
      if (const auto wrong = out_of_range(potential_.fields()[potential_.field(name)], value))
        throw ArgumentError("pair coefficients of " + both(c.type_i, c.type_j) + ": " + name +
                            ": " + *wrong);
    }
    pair(c.type_i, c.type_j) = pair(c.type_j, c.type_i) = c.values;
    given_.resize(pairs_.size());
    given_[place(c.type_i, c.type_j)] = given_[place(c.type_j, c.type_i)] = true;
  }

  CoefficientTable complete() {
    const int count = static_cast<int>(types_.size());
    given_.resize(pairs_.size());
    for (int i = 0; i < count; ++i)
      set(i, i);
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        set(i, j);
    for (int i = 0; i < count; ++i)
      check_required(i, i);
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j)
        check_required(i, j);
    return std::move(table_);
  }

 private:
  void set(int i, int j) {
    for (std::size_t f = 0; f < potential_.fields().size(); ++f)
      table_.set(i, j, f, value(i, j, f));
  }

  double value(int i, int j, std::size_t f) {
    const CoefficientField& field = potential_.fields()[f];
    if (const auto own = find(pair(i, j), field.name)) return *own;
    // For unlike types without given coefficients, mixing takes precedence over the value for all
    // pairs, because the two types may have their own cutoffs.
    const bool mixes = field.is_cutoff || field.mixing != CoefficientField::Mixing::none;
    if (i != j && mixes && !given_[place(i, j)]) return mixed(i, j, f);
    if (const auto all = find(for_all_, field.name)) return *all;
    if (field.is_cutoff && f > 0) return table_.at(i, j, 0);
    if (field.default_value) return *field.default_value;
    if (field.scope == CoefficientField::Scope::units) return 1;
    if (i == j)
      throw ArgumentError("no pair coefficients for like pairs of type " + name(i) + ": expected " +
                          wanted());
    throw ArgumentError("no pair coefficients for " + both(i, j) + ", expected " + field.name +
                        (mixes ? "" : ", which has no mixing rule"));
  }

  [[nodiscard]] double mixed(int i, int j, std::size_t f) const {
    const CoefficientField& field = potential_.fields()[f];
    const double a = table_.at(i, i, f);
    const double b = table_.at(j, j, f);
    if (field.mixing != CoefficientField::Mixing::epsilon) return mix_length(rule_, a, b);
    if (a < 0 || b < 0)
      throw ArgumentError("no pair coefficients for " + both(i, j) + ", expected " + field.name +
                          ", which has no mixing rule where it is negative");
    const std::optional<std::size_t> sigma = sigma_beside(f);
    return mix_epsilon(rule_, a, sigma ? table_.at(i, i, *sigma) : 1, b,
                       sigma ? table_.at(j, j, *sigma) : 1);
  }

  /// The field that mixes as sigma in the part of field `f`.
  [[nodiscard]] std::optional<std::size_t> sigma_beside(std::size_t f) const {
    std::size_t first = 0;
    for (const PairPotentialPart& part : potential_.parts()) {
      const std::size_t end = first + part.fields.size();
      for (std::size_t s = first; f < end && s < end; ++s)
        if (potential_.fields()[s].mixing == CoefficientField::Mixing::sigma) return s;
      if (f < end) return {};
      first = end;
    }
    return {};
  }

  void check_required(int i, int j) const {
    for (std::size_t f = 0; f < potential_.fields().size(); ++f) {
      const auto of_same_pair = [&](const std::string& other) {
        return table_.at(i, j, potential_.field(other));
      };
      const double value = table_.at(i, j, f);
      if (const auto wrong = contradicts(potential_.fields()[f], value, of_same_pair))
        throw ArgumentError("pair coefficients of " + both(i, j) + ": " +
                            potential_.fields()[f].name + " = " + rounded_number(value) + ": " +
                            *wrong);
    }
  }

  /// Names of the coefficients that the input must set for each pair.
  [[nodiscard]] std::string wanted() const {
    std::string text;
    for (const CoefficientField& field : potential_.fields()) {
      if (field.scope != CoefficientField::Scope::pair || field.default_value) continue;
      if (field.is_cutoff || find(for_all_, field.name)) continue;
      text += (text.empty() ? "" : " and ") + field.name;
    }
    return text.empty() ? "a cutoff" : text;
  }

  [[nodiscard]] static std::optional<double> find(const CoefficientValues& values,
                                                  const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  }

  [[nodiscard]] const std::string& name(int type) const {
    return types_[static_cast<std::size_t>(type)].name;
  }
  [[nodiscard]] std::string both(int i, int j) const {
    return "types " + name(i) + " and " + name(j);
  }
  [[nodiscard]] std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * types_.size() + static_cast<std::size_t>(j);
  }
  CoefficientValues& pair(int i, int j) { return pairs_[place(i, j)]; }

  MixingRule rule_;
  const PairPotential& potential_;
  std::span<const AtomType> types_;
  const CoefficientValues& for_all_;
  std::vector<CoefficientValues> pairs_;
  std::vector<bool> given_;
  CoefficientTable table_;
};

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

double mix_epsilon(MixingRule rule, double epsilon_a, double sigma_a, double epsilon_b,
                   double sigma_b) {
  const double geometric = epsilon_a == epsilon_b ? epsilon_a : std::sqrt(epsilon_a * epsilon_b);
  if (rule != MixingRule::sixthpower || sigma_a == sigma_b) return geometric;
  const double product = sigma_a * sigma_b;
  return 2 * geometric * product * product * product /
         (sixth_power(sigma_a) + sixth_power(sigma_b));
}

CoefficientTable mix_coefficients(MixingRule rule, const PairPotential& potential,
                                  std::span<const AtomType> types,
                                  std::span<const PairCoefficient> given,
                                  const CoefficientValues& for_all) {
  Completion completion(rule, potential, types, for_all);
  for (const PairCoefficient& c : given)
    completion.give(c);
  return completion.complete();
}

}  // namespace tessera::md
