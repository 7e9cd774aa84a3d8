#include "physics/md/listed_force/listed_potential.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::md {
namespace {

std::string name_of(int of_class) {
  return listed_class.at(static_cast<std::size_t>(of_class)).name;
}

const ListedPotentialPart& find(int of_class, const std::string& name) {
  std::vector<std::string> names;
  for (const ListedPotentialPart& part : listed_potentials(of_class)) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  throw SelectionError(name_of(of_class) + " potential", name, names);
}

}  // namespace

const std::vector<ListedPotentialPart>& listed_potentials(int of_class) {
  static const auto all = built_in_listed_potentials();
  return all.at(static_cast<std::size_t>(of_class));
}

ListedPotential listed_potential(int of_class, const std::string& name) {
  ListedPotential potential{of_class, name, {}, {}};
  if (name.empty()) return potential;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('+', start), name.size());
    const ListedPotentialPart& part = find(of_class, name.substr(start, end - start));
    for (const ListedPotentialPart& other : potential.parts)
      if (other.name == part.name)
        throw ArgumentError(name_of(of_class) + " potential '" + name + "': expected '" +
                            part.name + "' once");
    potential.parts.push_back(part);
    start = end + 1;
  }
  if (potential.parts.size() > 1) potential.fields.emplace_back("style");
  for (const ListedPotentialPart& part : potential.parts) {
    const std::vector<std::string> before = potential.fields;
    for (const CoefficientField& field : part.fields) {
      const bool taken = std::find(before.begin(), before.end(), field.name) != before.end();
      potential.fields.push_back(taken ? part.name + '_' + field.name : field.name);
    }
  }
  return potential;
}

ListedPotential::OfType ListedPotential::of_type(View<const double, 2> coefficients,
                                                 std::int64_t type) const {
  std::size_t which = 0;
  std::int64_t first = 0;
  if (parts.size() > 1) {
    const double style = coefficients(type, 0);
    if (!(style >= 0) || style >= static_cast<double>(parts.size()) || style != std::floor(style))
      throw ArgumentError(name_of(of_class) + " coefficients", "style",
                          std::to_string(style) + " of type " + std::to_string(type + 1) +
                              ", expected an integer from 0 to " +
                              std::to_string(parts.size() - 1));
    which = static_cast<std::size_t>(style);
    first = 1;
    for (std::size_t p = 0; p < which; ++p)
      first += std::ssize(parts[p].fields);
  }
  OfType own{&parts[which], {}, {}};
  for (std::int64_t f = 0; f < std::ssize(own.part->fields); ++f)
    own.fields.push_back(coefficients(type, first + f));
  own.packed.resize(static_cast<std::size_t>(own.part->width));
  own.part->pack(own.fields.data(), own.packed.data());
  return own;
}

std::vector<double> ListedPotential::coefficients(std::size_t part,
                                                  const std::vector<double>& values) const {
  if (part >= parts.size() || values.size() != parts[part].fields.size())
    throw ArgumentError(name_of(of_class) + " potential '" + name +
                        "': " + std::to_string(values.size()) + " values for part " +
                        std::to_string(part + 1) + " of " + std::to_string(parts.size()));
  if (parts.size() == 1) return values;
  std::vector<double> row{static_cast<double>(part)};
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (std::size_t f = 0; f < parts[p].fields.size(); ++f)
      row.push_back(p == part ? values[f] : 0);
  return row;
}

}  // namespace tessera::md
