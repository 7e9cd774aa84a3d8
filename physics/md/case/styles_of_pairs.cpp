#include "physics/md/case/styles_of_pairs.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cstddef>

namespace tessera::md {
namespace {

std::string name_in_sum(const PairPotentialPart& part) {
  return part.points == 0 ? part.name : part.name + ':' + std::to_string(part.points);
}

/// Order of parts in a sum: a table, those that read no charges, those that do.
int rank(const PairPotentialPart& part) {
  if (part.points > 0) return 0;
  return (part.reads & AtomData::charge) == 0 ? 1 : 2;
}

/// A value of the field for pairs of types on which its part does not act.
double unused_value(const CoefficientField& field) {
  if (field.is_cutoff) return 0;
  if (field.default_value) return *field.default_value;
  return field.range == CoefficientField::Range::positive ? 1 : 0;
}

InputError at_pair(const cases::Origin& origin, const std::string& key, const std::string& value,
                   const std::string& expected) {
  return InputError({origin.file, origin.line, key, value}, expected);
}

}  // namespace

StylesOfPairs::StylesOfPairs(const PairSection& pair)
    : pair_(pair), usual_(pair_potentials().find(pair.style)), potential_(usual_) {
  std::vector<PairPotentialPart> parts = usual_.parts();
  for (const auto* const entries : {&pair.coefficients, &pair.coefficients_14})
    for (const CoefficientEntry& entry : *entries) {
      if (!entry.style || *entry.style == usual_.name()) continue;
      differ_ = true;
      const auto [at, fresh] = own_.try_emplace(*entry.style, pair_potentials().find(*entry.style));
      for (const PairPotentialPart& part : at->second.parts())
        if (std::none_of(parts.begin(), parts.end(), [&](const PairPotentialPart& other) {
              return name_in_sum(other) == name_in_sum(part);
            }))
          parts.push_back(part);
    }
  if (!differ_) return;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::string name;
  for (const PairPotentialPart& part : parts)
    name += (name.empty() ? "" : "+") + name_in_sum(part);
  try {
    potential_ = pair_potentials().find(name);
  } catch (const Error& error) {
    throw at_pair(pair.origin, "pair.coefficients.style", "",
                  std::string("the styles of the pairs do not make a sum: ") + error.what());
  }
}

const PairPotential& StylesOfPairs::of(const CoefficientEntry& entry) const {
  const auto own = own_.find(entry.style.value_or(usual_.name()));
  return own == own_.end() ? usual_ : own->second;
}

CoefficientValues StylesOfPairs::in_sum(const PairPotential& own, const CoefficientValues& values,
                                        double usual_cutoff) const {
  CoefficientValues all;
  for (const CoefficientField& field : potential_.fields())
    if (field.scope != CoefficientField::Scope::units) all[field.name] = unused_value(field);
  const auto given = [&](const std::string& name) {
    const auto at = values.find(name);
    return at == values.end() ? nullptr : &at->second;
  };
  const double* const first = given("cutoff");
  const double cutoff = first == nullptr ? usual_cutoff : *first;
  std::size_t of_own = 0;
  for (const PairPotentialPart& part : own.parts()) {
    std::size_t of_sum = 0;
    for (const PairPotentialPart& other : potential_.parts()) {
      if (name_in_sum(other) == name_in_sum(part)) break;
      of_sum += other.fields.size();
    }
    for (std::size_t f = 0; f < part.fields.size(); ++f, ++of_own, ++of_sum) {
      const CoefficientField& field = own.fields()[of_own];
      const std::string& name = potential_.fields()[of_sum].name;
      if (const double* const value = given(field.name))
        all[name] = *value;
      else if (field.is_cutoff)
        all[name] = cutoff;
      else if (!field.default_value)
        all.erase(name);
    }
  }
  return all;
}

void StylesOfPairs::require_one_each(const std::vector<CoefficientEntry>& entries,
                                     const std::vector<PairCoefficient>& given,
                                     const std::vector<AtomType>& types) const {
  // The coefficients of the file come first and have the usual style.
  const std::size_t of_file = given.size() - entries.size();
  std::map<std::pair<int, int>, const CoefficientEntry*> by_pair;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const CoefficientEntry& entry = entries[k];
    const PairCoefficient& own = given[of_file + k];
    const auto [at, fresh] = by_pair.try_emplace(std::minmax(own.type_i, own.type_j), &entry);
    if (!fresh && of(*at->second).name() != of(entry).name())
      throw at_pair(entry.origin, "pair.coefficients.style", cases::in_quotes(of(entry).name()),
                    "the pair has the style " + cases::in_quotes(of(*at->second).name()) +
                        " in line " + std::to_string(at->second->origin.line) +
                        ", expected one potential for each pair of types (a sum is one)");
    at->second = &entry;
  }
  const auto has_usual = [&](int type) {
    const auto at = by_pair.find({type, type});
    return at == by_pair.end() || of(*at->second).name() == usual_.name();
  };
  const auto in_file = [&](int i, int j) {
    return std::any_of(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(of_file),
                       [&](const PairCoefficient& c) {
                         return std::minmax(c.type_i, c.type_j) == std::minmax(i, j);
                       });
  };
  const int count = static_cast<int>(types.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      if (by_pair.contains({i, j}) || in_file(i, j) || (has_usual(i) && has_usual(j))) continue;
      throw at_pair(pair_.origin, "pair.coefficients", "",
                    "no potential for types " + types[static_cast<std::size_t>(i)].name + " and " +
                        types[static_cast<std::size_t>(j)].name +
                        ", expected coefficients: those of like pairs mix only where both have "
                        "pair.style");
    }
}

}  // namespace tessera::md
