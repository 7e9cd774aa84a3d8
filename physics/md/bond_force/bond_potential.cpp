#include "physics/md/bond_force/bond_potential.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace tessera::md {
namespace {

const PairPotentialPart& find(const std::string& name) {
  std::vector<std::string> names;
  for (const PairPotentialPart& part : bond_potentials()) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  names.emplace_back("special/" + default_pair_potential());
  throw SelectionError("bond potential", name, names);
}

BondPotential special(const std::string& name, const PairPotential& pair) {
  BondPotential potential{name, {}, pair.reads(), {}};
  for (const CoefficientField& field : pair.fields())
    potential.fields.push_back(field.name);
  for (std::size_t p = 0; p < pair.parts().size(); ++p) {
    const bool charges = pair.parts().size() == 1 && pair.reads(AtomData::charge);
    potential.fields.push_back((charges ? "coulomb_" : pair.prefix(p)) + "factor");
  }
  potential.fields.emplace_back("field");
  return potential;
}

}  // namespace

const std::vector<PairPotentialPart>& bond_potentials() {
  static const std::vector<PairPotentialPart> all = built_in_bond_potentials();
  return all;
}

std::optional<PairPotential> special_potential(const std::string& name) {
  constexpr std::string_view prefix = "special/";
  if (!name.starts_with(prefix)) return {};
  return pair_potentials().find(name.substr(prefix.size()));
}

BondPotential bond_potential(const std::string& name) {
  if (const auto pair = special_potential(name)) return special(name, *pair);
  BondPotential potential{name, {}, 0, {}};
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('+', start), name.size());
    const PairPotentialPart& part = find(name.substr(start, end - start));
    for (const PairPotentialPart& other : potential.parts)
      if (other.name == part.name)
        throw ArgumentError("bond potential '" + name + "': expected '" + part.name + "' once");
    potential.parts.push_back(part);
    potential.reads |= part.reads;
    start = end + 1;
  }
  if (potential.parts.size() > 1) potential.fields.emplace_back("style");
  for (const PairPotentialPart& part : potential.parts) {
    const std::vector<std::string> before = potential.fields;
    for (const CoefficientField& field : part.fields) {
      const bool taken = std::find(before.begin(), before.end(), field.name) != before.end();
      potential.fields.push_back(taken ? part.name + '_' + field.name : field.name);
    }
  }
  return potential;
}

BondPotential::OfKind BondPotential::of_kind(View<const double, 2> coefficients,
                                             std::int64_t kind) const {
  std::size_t part = 0;
  std::int64_t first = 0;
  if (parts.size() > 1) {
    const double style = coefficients(kind, first++);
    if (!(style >= 0 && style < static_cast<double>(parts.size()) && style == std::floor(style)))
      throw ArgumentError("md/bond_force", "coefficients",
                          "the style of a kind is not the index of one of the " +
                              std::to_string(parts.size()) + " potentials of '" + name + "'");
    while (part < static_cast<std::size_t>(style))
      first += std::ssize(parts[part++].fields);
  }
  OfKind own{&parts[part], {}, {}};
  for (std::int64_t f = 0; f < std::ssize(own.part->fields); ++f)
    own.fields.push_back(coefficients(kind, first + f));
  own.packed.resize(static_cast<std::size_t>(own.part->width));
  own.part->pack(own.fields.data(), own.packed.data());
  return own;
}

std::vector<double> BondPotential::coefficients(std::size_t part,
                                                const std::vector<double>& values) const {
  if (part >= parts.size() || values.size() != parts[part].fields.size())
    throw ArgumentError("bond potential '" + name + "': " + std::to_string(values.size()) +
                        " values for part " + std::to_string(part + 1) + " of " +
                        std::to_string(parts.size()));
  if (parts.size() == 1) return values;
  std::vector<double> all(fields.size());
  all[0] = static_cast<double>(part);
  std::size_t first = 1;
  for (std::size_t p = 0; p < part; ++p)
    first += parts[p].fields.size();
  std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(first));
  return all;
}

}  // namespace tessera::md
