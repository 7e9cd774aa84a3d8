#include "physics/md/case/pair_section.hpp"

#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "physics/md/case/pair_styles.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <type_traits>
#include <utility>

namespace tessera::md {
namespace {

using cases::Rows;
using cases::Value;

/// The name of a pair potential, or a sum of two.
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
           ", or one without charges and one with charges as a sum like \"lj/cut+coul/cut\"";
  }
  static std::string column(const cases::Range&, bool) {
    std::string list;
    for (const std::string& name : pair_potentials().names())
      list += (list.empty() ? "`\"" : ", `\"") + name + "\"`";
    return list + ", or one without charges and one with charges as a sum: `\"lj/cut+coul/cut\"`";
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

Rows<CoefficientEntry> types_alone() {
  using S = CoefficientEntry;
  return {{cases::field_of(
      &S::types, cases::ManyKind<TypeReferenceKind, decltype(S::types), 2>{},
      {.name = "types", .meaning = "the two types, each by name or by number", .required = true})}};
}

Rows<CoefficientEntry> coefficients_of(const PairStyle& style) {
  using S = CoefficientEntry;
  Rows<S> rows = types_alone();
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
  return rows;
}

/// The rows of every style, for reading cases and for the documentation.
template <class E>
cases::Variants<PairSection, E> by_style(Rows<E> (*rows)(const PairStyle&)) {
  cases::Variants<PairSection, E> variants;
  variants.of = [=](const PairSection& s) { return rows(style_of(s)); };
  for (const PairStyle& style : documented_pair_styles())
    variants.all.emplace_back("style = \"" + style.name + "\"", rows(style));
  return variants;
}

/// The rows of [[pair.coefficients]], which the documentation shows only once.
cases::Variants<PairSection, CoefficientEntry> as_coefficients() {
  auto variants = by_style(coefficients_of);
  variants.all = {{"", types_alone()}};
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
                                       "sum has the keys of both. "
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
           cases::tables(&S::coefficients, by_style(coefficients_of),
                         {.name = "coefficients",
                          .fallback = "from the file",
                          .meaning = "[coefficients of pairs of types](#paircoefficients)"}),
           cases::tables(&S::coefficients_14, as_coefficients(),
                         {.name = "coefficients_14",
                          .fallback = "none",
                          .meaning = "[coefficients of pairs three bonds "
                                     "apart](#paircoefficients_14), where they differ"})},
          {},
          std::make_shared<cases::Variants<S, S>>(by_style(settings_of))}};
}

}  // namespace tessera::md
