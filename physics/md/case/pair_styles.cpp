#include "physics/md/case/pair_styles.hpp"

#include "physics/md/pair_potential/pair_potential.hpp"

namespace tessera::md {
namespace {

PairStyle style_of(const PairPotential& potential) {
  PairStyle style{potential.name(), {}, {}, potential.parts().front().points > 0};
  std::vector<StyleField> cutoffs;  // LAMMPS puts them last
  for (std::size_t f = 0; f < potential.fields().size(); ++f) {
    const CoefficientField& field = potential.fields()[f];
    if (field.scope == CoefficientField::Scope::units || field.of_table) continue;
    StyleField described{.name = field.name,
                         .unit = unit_text(field),
                         .range = range_of(field),
                         .otherwise = field.default_value,
                         .flag = field.is_flag,
                         .meaning = field.meaning,
                         .positive_with = field.required_by,
                         .below = field.below};
    if (!field.below.empty()) described.meaning += ", less than " + field.below;
    if (!field.required_by.empty())
      described.meaning += ", above 0 unless " + field.required_by + " is 0";
    if (field.scope == CoefficientField::Scope::style) {
      style.settings.push_back(std::move(described));
      continue;
    }
    if (field.for_all) {
      StyleField all = described;
      all.meaning += ", in pairs without one of their own";
      all.fallback = "given for each pair";
      style.settings.push_back(std::move(all));
      described.meaning = "of this pair";
      described.fallback = "`pair." + field.name + "`";
      style.coefficients.push_back(std::move(described));
      continue;
    }
    if (field.is_cutoff) {
      described.meaning = "of this pair";
      described.fallback = "`pair." + field.name + "`";
      // The section itself has the key of the first cutoff for all pairs.
      if (f > 0) {
        StyleField all = described;
        all.meaning = "cutoff of the charges, of pairs without one of their own";
        all.fallback = "`cutoff`";
        style.settings.push_back(std::move(all));
      }
      cutoffs.push_back(std::move(described));
      continue;
    }
    style.coefficients.push_back(std::move(described));
  }
  style.coefficients.insert(style.coefficients.end(), cutoffs.begin(), cutoffs.end());
  return style;
}

}  // namespace

cases::Range range_of(const CoefficientField& field) {
  if (field.is_cutoff) return cases::positive;
  switch (field.range) {
    case CoefficientField::Range::any:
      break;
    case CoefficientField::Range::not_negative:
      return cases::not_negative;
    case CoefficientField::Range::positive:
      return cases::positive;
  }
  return {};
}

PairStyle pair_style(const std::string& name) {
  return style_of(pair_potentials().find(name));
}

std::vector<PairStyle> documented_pair_styles() {
  std::vector<PairStyle> styles;
  for (const std::string& name : pair_potentials().names())
    styles.emplace_back(pair_style(name)).name = name;
  styles.push_back(pair_style("lj/cut+coul/rf"));
  return styles;
}

}  // namespace tessera::md
