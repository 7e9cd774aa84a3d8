#include "physics/md/case/pair_section.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/case/pair_styles.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace tessera::md {
namespace {

using cases::Rows;
using cases::Value;

/// The name of a pair potential, or a sum of several.
struct StyleKind {
  using Type = std::string;
  static const Value* read(const Value& value, const cases::Range&, std::string& out) {
    const auto* const given = value.as<std::string>();
    if (given == nullptr) return &value;
    try {
      out = pair_potentials().find(*given).name();
    } catch (const Error&) {
      return &value;
    }
    return nullptr;
  }
  static std::string write(const std::string& style) { return cases::in_quotes(style); }
  static std::string expected(const cases::Range&, bool) {
    return "one of " + cases::list_of(pair_potentials().names()) +
           ", or a sum of several, those with charges last, like \"lj/cut+coul/cut\"";
  }
  static std::string column(const cases::Range&, bool) {
    std::string list;
    for (const std::string& name : pair_potentials().names())
      list += (list.empty() ? "`\"" : ", `\"") + name + "\"`";
    return list + ", or a sum of several, those with charges last: `\"lj/cut+coul/cut\"`";
  }
  static std::string hint(const Value& value) {
    const auto* const given = value.as<std::string>();
    if (given == nullptr) return "";
    std::vector<std::string> names = pair_potentials().names();
    if (given->find('+') != std::string::npos) names = pair_potentials().sums();
    return cases::suggestion(*given, names);
  }
};

PairStyle style_of(const PairSection& s) {
  return pair_style(s.style);
}
PairStyle style_of(const CoefficientEntry& entry, const std::string& usual) {
  return pair_style(entry.style.value_or(usual));
}

/// Adds a field of a style to the rows of a table section, whose numbers are stored in S::*values.
template <class S>
void add(const StyleField& described, std::map<std::string, double> S::*values, Rows<S>& rows) {
  cases::Options<S> options;
  options.name = described.name;
  options.unit = described.unit;
  options.range = described.range;
  options.fallback = described.fallback;
  options.meaning = described.meaning;
  options.required = !described.otherwise && described.fallback.empty();
  if (described.flag)
    rows.fields.push_back(
        cases::keyed_field(values, cases::FlagKind{}, std::move(options), described.otherwise));
  else
    rows.fields.push_back(
        cases::keyed_field(values, cases::RealKind{}, std::move(options), described.otherwise));
  const auto value_of = [=](const S& s, const std::string& key) -> std::optional<double> {
    if constexpr (std::is_same_v<S, PairSection>)
      if (key == "cutoff") return s.cutoff;
    const auto found = (s.*values).find(key);
    return found == (s.*values).end() ? std::nullopt : std::optional(found->second);
  };
  if (!described.positive_with.empty())
    rows.checks.push_back([=, name = described.name, other = described.positive_with](
                              const S& s, const cases::TableView& table) {
      if (value_of(s, other).value_or(0) != 0 && value_of(s, name).value_or(0) == 0)
        throw table.wrong(name, "a finite number greater than zero");
    });
  if (!described.below.empty())
    rows.checks.push_back([=, name = described.name, other = described.below](
                              const S& s, const cases::TableView& table) {
      const auto value = value_of(s, name);
      const auto limit = value_of(s, other);
      if (value && limit && !(*value < *limit))
        throw table.wrong(name, "a number below " + other + " = " + rounded_number(*limit));
    });
}

Rows<PairSection> settings_of(const PairStyle& style) {
  Rows<PairSection> rows;
  for (const StyleField& field : style.settings)
    add(field, &PairSection::settings, rows);
  return rows;
}

Rows<CoefficientEntry> types_and_style() {
  using S = CoefficientEntry;
  return {{cases::field_of(&S::types, cases::ManyKind<TypeReferenceKind, decltype(S::types), 2>{},
                           {.name = "types",
                            .meaning = "the two types, each by name or by number",
                            .required = true}),
           cases::field_of(&S::style, StyleKind{},
                           {.name = "style",
                            .type = "as `pair.style`",
                            .fallback = "`pair.style`",
                            .meaning = "potential of these pairs, which then decides the keys "
                                       "below, with those that `pair` has for its style"})}};
}

/// \param own whether it is not the style of all pairs, whose settings the section has.
Rows<CoefficientEntry> coefficients_of(const PairStyle& style, bool own) {
  using S = CoefficientEntry;
  Rows<S> rows;
  if (style.tabulated) {
    rows.fields.push_back(cases::field(
        &S::file, {.name = "file",
                   .meaning = "with the table, in the format of LAMMPS' pair_style table",
                   .required = true}));
    rows.fields.push_back(cases::field(&S::keyword, {.name = "keyword",
                                                     .fallback = "the only section",
                                                     .meaning = "of the section of the file"}));
    rows.fields.push_back(cases::choice(
        &S::forces, {TableForces::checked, TableForces::file},
        {.name = "forces",
         .meaning = "`checked`: a table in which more than 1 % of the forces are not -dE/dr of its "
                    "energies, as far as the spacing and the digits of its numbers show it, is "
                    "refused; `file`: they are taken as they are"}));
  }
  for (const StyleField& field : style.coefficients)
    add(field, &S::values, rows);
  if (own)
    for (const StyleField& field : style.settings)
      if (std::none_of(style.coefficients.begin(), style.coefficients.end(),
                       [&](const StyleField& other) { return other.name == field.name; }))
        add(field, &S::values, rows);
  return rows;
}

/// The rows of [[pair.coefficients]] with the keys of the style of each.
Rows<CoefficientEntry> coefficients_in(const PairSection& s) {
  Rows<CoefficientEntry> rows = types_and_style();
  cases::Variants<CoefficientEntry, CoefficientEntry> by_style;
  by_style.of = [usual = s.style](const CoefficientEntry& entry) {
    const bool own = entry.style && *entry.style != usual;
    return coefficients_of(style_of(entry, usual), own);
  };
  for (const PairStyle& style : documented_pair_styles())
    by_style.all.emplace_back("style = \"" + style.name + "\"", coefficients_of(style, false));
  rows.more = std::make_shared<decltype(by_style)>(std::move(by_style));
  return rows;
}

/// The settings of every style, for reading cases and for the documentation.
cases::Variants<PairSection, PairSection> settings_by_style() {
  cases::Variants<PairSection, PairSection> variants;
  variants.of = [=](const PairSection& s) { return settings_of(style_of(s)); };
  for (const PairStyle& style : documented_pair_styles())
    variants.all.emplace_back("style = \"" + style.name + "\"", settings_of(style));
  return variants;
}

}  // namespace

PairSection::PairSection() : style(default_pair_potential()) {}

cases::Section<PairSection> PairSection::section() {
  using S = PairSection;
  return {
      .name = "pair",
      .after = "velocities",
      .presence = cases::Presence::required,
      .meaning = "pair interaction",
      .rows = {
          {cases::field_of(&S::style, StyleKind{},
                           {.name = "style",
                            .meaning = "potential of the pairs, which decides the further keys; a "
                                       "sum has the keys of all its parts. "
                                       "`table:500` is a table of 500 points, equally spaced in "
                                       "r^2; `table` is one of 1000"}),
           cases::field(&S::cutoff, {.name = "cutoff",
                                     .unit = "length",
                                     .range = cases::positive,
                                     .meaning = "cutoff of pairs without one of their own",
                                     .required = true}),
           cases::choice(&S::mixing,
                         {MixingRule::geometric, MixingRule::arithmetic, MixingRule::sixthpower},
                         {.name = "mixing",
                          .meaning = "rule for pairs of different types without "
                                     "coefficients"}),
           cases::field(
               &S::tail,
               {.name = "tail",
                .meaning = "whether to add a tail correction: energy and pressure of the pairs "
                           "beyond the cutoff in a uniform fluid, as a separate term"}),
           cases::tables(&S::coefficients,
                         cases::Variants<S, CoefficientEntry>{
                             coefficients_in, {{"", coefficients_in(PairSection{})}}},
                         {.name = "coefficients",
                          .fallback = "from the file",
                          .meaning = "[coefficients of pairs of types](#paircoefficients)"}),
           cases::tables(
               &S::coefficients_14,
               cases::Variants<S, CoefficientEntry>{coefficients_in, {{"", types_and_style()}}},
               {.name = "coefficients_14",
                .fallback = "none",
                .meaning = "[coefficients of pairs three bonds "
                           "apart](#paircoefficients_14), where they differ"})},
          {},
          std::make_shared<cases::Variants<S, S>>(settings_by_style())}};
}

}  // namespace tessera::md
