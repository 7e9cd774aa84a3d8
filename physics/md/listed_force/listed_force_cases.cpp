#include "physics/md/listed_force/listed_force_cases.hpp"

#include "core/base/random.hpp"
#include "physics/md/listed_force/listed_geometry.hpp"
#include "physics/md/minimum_image.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace tessera::md::listed_force_trial {
namespace {

using Names = std::array<std::string, listed_classes>;  ///< of potentials, by class

/// Coefficients of two types, of different potentials if the name has two.
std::vector<double> sample_coefficients(int of_class, const std::string& name) {
  const ListedPotential potential = listed_potential(of_class, name);
  std::vector<double> numbers;
  for (std::size_t type = 0; type < 2; ++type) {
    const std::size_t part = type % potential.parts.size();
    const double more = 0.1 * static_cast<double>(type);
    std::vector<double> values;
    for (const CoefficientField& field : potential.parts[part].fields) {
      if (field.is_angle)
        values.push_back(100 + 200 * more);
      else if (field.energy == 1)
        values.push_back(field.length == -2 ? 300 * (1 - 4 * more) : 20 * (1 + more));
      else
        values.push_back(field.length == 1 ? 1.0 + more : 2.0 + 10 * more);
    }
    for (const double number : potential.coefficients(part, values))
      numbers.push_back(number);
  }
  return numbers;
}

/// The value of the coordinate of a term at these positions in an open box.
double coordinate(const ListedTerm& term, const std::vector<double>& positions) {
  using Vector = potentials::Vector<double>;
  const auto between = [&](std::size_t a, std::size_t b) {
    const double* const from = positions.data() + 3 * static_cast<std::size_t>(term.atoms[b]);
    const double* const to = positions.data() + 3 * static_cast<std::size_t>(term.atoms[a]);
    return Vector{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  };
  if (term.of_class == bond_class) return std::sqrt(dot(between(0, 1), between(0, 1)));
  if (term.of_class == angle_class)
    return potentials::Angle<double>(between(0, 1), between(2, 1)).value();
  return potentials::Dihedral<double>(between(0, 1), between(1, 2), between(3, 2)).value();
}

/// Whether the last three atoms are nearly on a line, where the directions of forces are sensitive
/// to rounding.
bool is_straight(const std::vector<double>& positions) {
  const auto last = static_cast<std::int32_t>(positions.size() / 3 - 1);
  return std::sin(coordinate({angle_class, 0, {last - 2, last - 1, last}}, positions)) < 0.3;
}

/// Chains of `length` atoms that wind through a box, with atoms in random periodic images and
/// alternating types. Successive atoms form the terms of each class that has a potential.
Data chains(std::int64_t atoms, std::int64_t length, const Names& names, Write write) {
  Data data;
  data.write = write;
  std::array<std::vector<ListedPotential::OfType>, listed_classes> types;
  std::array<ListedPotential, listed_classes> potentials;
  std::int32_t kinds = 0;
  std::array<std::int32_t, listed_classes> first_kind{};
  for (std::size_t c = 0; c < listed_classes; ++c) {
    first_kind[c] = kinds;
    potentials[c] = listed_potential(static_cast<int>(c), names[c]);
    if (names[c].empty()) continue;
    data.classes[c] = {names[c], 2};
    kinds += 2;
    data.coefficients[c] = sample_coefficients(static_cast<int>(c), names[c]);
    for (std::int64_t t = 0; t < 2; ++t)
      types[c].push_back(potentials[c].of_type(
          {data.coefficients[c].data(), {2, std::ssize(data.coefficients[c]) / 2}}, t));
  }
  const double edge = std::max(10.0, std::cbrt(static_cast<double>(atoms)));
  for (int d = 0; d < 3; ++d)
    data.box.length[d] = edge * (1 + 0.1 * d);
  data.box.periodic[1] = false;
  data.box.tilt[1] = 0.6 * edge;
  RandomSequence random(5 + static_cast<std::uint64_t>(atoms));
  std::vector<double>& at = data.positions;
  for (std::int64_t i = 0; i < atoms; ++i) {
    const std::int64_t before = i % length;
    std::vector<ListedTerm> own;
    for (std::size_t c = 0; c < listed_classes; ++c) {
      const std::int64_t size = listed_class[c].atoms;
      if (names[c].empty() || before < size - 1) continue;
      ListedTerm& term = own.emplace_back();
      term.of_class = static_cast<int>(c);
      term.kind = static_cast<std::int32_t>(i % 2);
      for (std::int64_t a = 0; a < size; ++a)
        term.atoms[static_cast<std::size_t>(a)] = static_cast<std::int32_t>(i - size + 1 + a);
    }
    const auto bounded = [&](const ListedTerm& term) {
      const double energy =
          types[static_cast<std::size_t>(term.of_class)][static_cast<std::size_t>(term.kind)]
              .at(coordinate(term, at))
              .energy;
      return std::abs(energy) < 500;
    };
    const auto place = at.size();
    do {
      at.resize(place);
      for (int d = 0; d < 3; ++d)
        at.push_back(before == 0 ? data.box.length[d] * random.uniform()
                                 : at[at.size() - 3] + random.uniform(-0.8, 0.8));
    } while ((before >= 2 && is_straight(at)) || !std::all_of(own.begin(), own.end(), bounded));
    for (ListedTerm& term : own) {
      term.kind += first_kind[static_cast<std::size_t>(term.of_class)];
      data.terms.push_back(term);
    }
    for (int d = 0; d < 3; ++d)
      data.forces.push_back(random.uniform(-10, 10));
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(atoms); ++i) {
    double images[3] = {};
    for (int d = 0; d < 3; ++d)
      if (data.box.periodic[d]) images[d] = static_cast<double>(random.below(3)) - 1;
    const Vec3<double> off = data.box.edges({images[0], images[1], images[2]});
    at[3 * i] += off.x;
    at[3 * i + 1] += off.y;
    at[3 * i + 2] += off.z;
  }
  return data;
}

/// The same atoms and terms, with two of every five atoms as ghosts behind the others.
Data with_ghosts(const Data& whole) {
  Data data = whole;
  data.positions.clear();
  std::vector<std::int32_t> row(static_cast<std::size_t>(whole.atoms()));
  for (const bool ghosts : {false, true})
    for (std::size_t i = 0; i < row.size(); ++i) {
      if ((i % 5 < 2) != ghosts) continue;
      row[i] = static_cast<std::int32_t>(data.atoms());
      const auto at = whole.positions.begin() + static_cast<std::ptrdiff_t>(3 * i);
      data.positions.insert(data.positions.end(), at, at + 3);
      data.ghosts += ghosts ? 1 : 0;
    }
  for (ListedTerm& term : data.terms)
    term.renumber(row);
  data.forces.resize(static_cast<std::size_t>(3 * data.targets()));
  return data;
}

/// The data in other units, by these factors.
Data in_units(Data data, double length, double energy) {
  for (double& x : data.positions)
    x *= length;
  for (double& f : data.forces)
    f *= energy / length;
  for (int d = 0; d < 3; ++d) {
    data.box.length[d] *= length;
    data.box.tilt[d] *= length;
  }
  for (std::size_t c = 0; c < listed_classes; ++c) {
    const ListedPotential potential =
        listed_potential(static_cast<int>(c), data.classes[c].potential);
    std::size_t at = 0;
    for (int type = 0; type < data.classes[c].types; ++type) {
      if (potential.parts.size() > 1) ++at;
      for (const ListedPotentialPart& part : potential.parts)
        for (const CoefficientField& field : part.fields)
          data.coefficients[c][at++] *=
              std::pow(length, field.length) * std::pow(energy, field.energy);
    }
  }
  return data;
}

}  // namespace

std::vector<TrialRow<Data>> rows() {
  const auto row = [](TrialInput input, std::int64_t length, const Names& names, Write write) {
    return TrialRow<Data>{std::move(input),
                          [=](std::int64_t n) { return chains(n, length, names, write); }};
  };
  const auto scaled = [](const std::string& name, const Names& names, double length) {
    return TrialRow<Data>{{name, {999}}, [=](std::int64_t n) {
                            return in_units(chains(n, 5, names, Write::add), length, 1.6e-21);
                          }};
  };
  const Names usual = {"harmonic", "cosine/squared", "", ""};
  const Names every = {"harmonic", "harmonic", "periodic", "harmonic"};
  const Names mixed = {"harmonic+morse", "harmonic+cosine/squared", "opls+ryckaert/bellemans",
                       "harmonic"};
  std::vector<TrialRow<Data>> all{
      row({"lipids", {0, 1, 2, 1000, 100003}, {32000, 256000, 1000000}}, 12, usual, Write::add),
      row({"proteins", {5, 1000}, {256000}}, 40, every, Write::add),
      row({"one chain", {3000}}, 3000, every, Write::overwrite),
      row({"pairs", {2, 33}}, 2, every, Write::overwrite),
      row({"two potentials", {999, 1000}}, 8, mixed, Write::add),
      scaled("proteins of 1e-11, joules", every, 1e-11),
      scaled("proteins of 1e6, joules", every, 1e6),
  };
  for (std::size_t c = 0; c < listed_classes; ++c)
    for (const ListedPotentialPart& part : listed_potentials(static_cast<int>(c))) {
      Names names;
      names[c] = part.name;
      all.push_back(
          row({std::string(listed_class[c].name) + "s " + part.name, {999}}, 7, names, Write::add));
    }
  const auto by_atom = [](const char* name, std::int64_t atoms, const Names& names, Write write) {
    return TrialRow<Data>{{name, {atoms}, {}, false}, [=](std::int64_t n) {
                            Data data = chains(n, 9, names, write);
                            data.by_atom = true;
                            return data;
                          }};
  };
  all.push_back(by_atom("no atoms, by atom", 0, every, Write::add));
  all.push_back(by_atom("proteins, by atom", 1000, every, Write::add));
  all.push_back(by_atom("proteins alone, by atom", 100, mixed, Write::overwrite));
  const std::size_t whole = all.size();
  for (std::size_t r = 0; r < whole; ++r) {
    const std::string name = all[r].input.name;
    if (name != "proteins" && name != "one chain" && name != "two potentials" &&
        name != "proteins, by atom")
      continue;
    all.push_back({{name + " and ghosts", {all[r].input.checked.back()}, {}, false},
                   [make = all[r].make](std::int64_t n) { return with_ghosts(make(n)); }});
  }
  std::vector<TrialRow<Data>> any_order = all;
  for (TrialRow<Data>& one : any_order) {
    one.input.timed = {};
    one.input.name += " in any order";
    std::erase_if(one.input.checked, [](std::int64_t size) { return size > 5000; });
    one.make = [make = one.make](std::int64_t n) {
      Data data = make(n);
      data.determinism = Determinism::any_order;
      return data;
    };
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace tessera::md::listed_force_trial
