#include "physics/md/case/bond_section.hpp"

#include "core/base/error.hpp"
#include "physics/md/case/pair_styles.hpp"
#include "physics/md/listed_force/listed_potential.hpp"

#include <memory>
#include <utility>

namespace tessera::md {
namespace {

using cases::Rows;

std::vector<std::string> styles() {
  std::vector<std::string> names;
  for (const ListedPotentialPart& part : listed_potentials(bond_class))
    names.push_back(part.name);
  return names;
}

Rows<BondCoefficientEntry> type_and_style() {
  using S = BondCoefficientEntry;
  return {{cases::field_of(&S::type, TypeReferenceKind{},
                           {.name = "type",
                            .meaning = "bond type, by its label in the atoms' file or by number",
                            .required = true}),
           cases::choice(&S::style, styles(),
                         {.name = "style",
                          .fallback = "`bond.style`",
                          .meaning = "potential of the bonds of this type, which decides the keys "
                                     "below"})}};
}

/// The coefficients of a bond potential; for "none", which does not read them, those of harmonic.
Rows<BondCoefficientEntry> coefficients_of(const std::string& style) {
  using S = BondCoefficientEntry;
  Rows<S> rows;
  for (const ListedPotentialPart& part : listed_potentials(bond_class)) {
    if (part.name != (style == "none" ? "harmonic" : style)) continue;
    for (const CoefficientField& field : part.fields) {
      cases::Options<S> options;
      options.name = field.name;
      options.unit = unit_text(field);
      options.meaning = field.meaning;
      options.required = !field.default_value;
      options.range = range_of(field);
      rows.fields.push_back(cases::keyed_field(&S::values, cases::RealKind{}, std::move(options),
                                               field.default_value));
    }
  }
  return rows;
}

Rows<BondCoefficientEntry> bond_coefficients_in(const BondSection& section) {
  using S = BondCoefficientEntry;
  Rows<S> rows = type_and_style();
  cases::Variants<S, S> by_style;
  by_style.of = [usual = section.style](const S& entry) {
    return coefficients_of(entry.style.value_or(usual));
  };
  for (const std::string& style : styles())
    by_style.all.emplace_back("style = \"" + style + "\"", coefficients_of(style));
  rows.more = std::make_shared<decltype(by_style)>(std::move(by_style));
  return rows;
}

/// Each style with the summary of its potential.
std::string meaning_of_style() {
  std::string text = "potential of bonds whose coefficients name no other";
  for (const ListedPotentialPart& part : listed_potentials(bond_class))
    text += "; \"" + part.name + "\": " + part.summary;
  return text + "; \"none\": bonds exert no force and only define exclusions";
}

}  // namespace

cases::Section<BondSection> BondSection::section() {
  using S = BondSection;
  std::vector<std::string> choices = styles();
  choices.emplace_back("none");
  return {
      .name = "bond",
      .after = "pair",
      .presence = cases::Presence::optional,
      .meaning = "bonds of the atoms' file; without this table they are left out, with a warning",
      .rows = {{cases::choice(&S::style, choices, {.name = "style", .meaning = meaning_of_style()}),
                cases::tables(
                    &S::coefficients,
                    cases::Variants<S, BondCoefficientEntry>{
                        bond_coefficients_in, {{"", bond_coefficients_in(BondSection{})}}},
                    {.name = "coefficients",
                     .fallback = "from the file",
                     .meaning = "[coefficients of bond types](#bondcoefficients); they replace "
                                "those of the file"})}}};
}

}  // namespace tessera::md
