#include "physics/md/pair_potential/tail.hpp"

#include "core/base/error.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace tessera::md {
namespace {

constexpr int points = 64;

/// Gauss-Legendre quadrature on (0, 1): nodes are zeros of the Legendre polynomial, found by
/// Newton's method (NIST Digital Library of Mathematical Functions, section 3.5(v)).
struct Gauss {
  std::array<double, points> at{};
  std::array<double, points> weight{};

  Gauss() {
    for (int k = 0; k < points; ++k) {
      double x = std::cos(std::numbers::pi * (k + 0.75) / (points + 0.5));
      double slope = 0;
      for (int round = 0; round < 8; ++round) {
        double before = 1;
        double value = x;
        for (int n = 2; n <= points; ++n) {
          const double next = ((2 * n - 1) * x * value - (n - 1) * before) / n;
          before = value;
          value = next;
        }
        slope = points * (x * value - before) / (x * x - 1);
        x -= value / slope;
      }
      const auto place = static_cast<std::size_t>(k);
      at[place] = 0.5 * (1 - x);
      weight[place] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};

std::size_t field_of(const PairPotentialPart& part, const std::string& name) {
  std::size_t f = 0;
  while (f < part.fields.size() && part.fields[f].name != name)
    ++f;
  return f;
}

/// \param own fields of the part.
TailIntegrals integrals_of_part(const PairPotentialPart& part, const double* own) {
  const double cutoff = own[0];
  if (cutoff == 0) return {};
  const std::size_t shift = field_of(part, "shift");
  if (shift < part.fields.size() && own[shift] != 0)
    throw ArgumentError("tail", "shift", "a shifted energy has no tail");
  const std::size_t begins = field_of(part, "switch");
  const double inner = begins < part.fields.size() ? own[begins] : cutoff;

  const PairPotential whole_potential = pair_potentials().find(part.tail_of);
  const PairPotentialPart& whole = whole_potential.parts().front();
  std::vector<double> values;
  for (const CoefficientField& field : whole.fields) {
    const std::size_t same = field_of(part, field.name);
    values.push_back(same < part.fields.size() ? own[same] : field.default_value.value_or(0));
  }
  std::vector<double> packed(static_cast<std::size_t>(whole.width));
  std::vector<double> cut(static_cast<std::size_t>(part.width));
  whole.pack(values.data(), packed.data());
  part.pack(own, cut.data());

  static const Gauss gauss;
  TailIntegrals sums;
  const auto add = [&](double r, double weight, bool inside) {
    PairValue value;
    PairValue present;
    const PairAtoms pair = charged_pair(r, 0, 0);
    whole.evaluate(packed.data(), nullptr, pair, value);
    if (inside) part.evaluate(cut.data(), nullptr, pair, present);
    const double shell = 4 * std::numbers::pi * r * r * weight;
    sums.energy += shell * (value.energy - present.energy);
    sums.virial += shell * r * r * (value.force_over_r - present.force_over_r);
  };
  for (std::size_t k = 0; k < gauss.at.size(); ++k) {
    const double u = gauss.at[k];
    if (inner < cutoff) add(inner + (cutoff - inner) * u, (cutoff - inner) * gauss.weight[k], true);
    // With r = cutoff / u^4, integer and fractional powers of 1/r are smooth at u = 0.
    const double u4 = u * u * u * u;
    add(cutoff / u4, 4 * cutoff / (u4 * u) * gauss.weight[k], false);
  }
  return sums;
}

}  // namespace

TailIntegrals tail_integrals(const PairPotential& potential, const double* fields) {
  TailIntegrals sums;
  bool known = false;
  for (const PairPotentialPart& part : potential.parts()) {
    const bool charges = (part.reads & AtomData::charge) != 0;
    if (!part.tail_of.empty()) {
      const TailIntegrals one = integrals_of_part(part, fields);
      sums.energy += one.energy;
      sums.virial += one.virial;
      known = true;
    } else if (!charges && fields[0] > 0) {
      throw ArgumentError("tail", "form", "'" + part.name + "' has no known tail correction");
    }
    fields += part.fields.size();
  }
  if (!known)
    throw ArgumentError("tail", "form", "'" + potential.name() + "' has no known tail correction");
  return sums;
}

TailIntegrals total_tail(const CoefficientTable& table, const std::vector<double>& atoms) {
  if (std::ssize(atoms) != table.types())
    throw ArgumentError("tail", "atoms", "one number for each type expected");
  const View<const double, 3> fields = table.view();
  TailIntegrals total;
  for (int i = 0; i < table.types(); ++i)
    for (int j = 0; j < table.types(); ++j) {
      const TailIntegrals one = tail_integrals(table.potential(), &fields(i, j, 0));
      const double pairs =
          0.5 * atoms[static_cast<std::size_t>(i)] * atoms[static_cast<std::size_t>(j)];
      total.energy += pairs * one.energy;
      total.virial += pairs * one.virial;
    }
  return total;
}

double self_energy(const CoefficientTable& table, const std::vector<double>& squares) {
  if (std::ssize(squares) != table.types())
    throw ArgumentError("self_energy", "squares", "one number for each type expected");
  const View<const double, 3> fields = table.view();
  double energy = 0;
  std::int64_t first = 0;
  for (const PairPotentialPart& part : table.potential().parts()) {
    for (int type = 0; part.self_energy != nullptr && type < table.types(); ++type) {
      const double* const own = &fields(type, type, first);
      if (!(own[0] > 0)) continue;
      std::vector<double> packed(static_cast<std::size_t>(part.width));
      part.pack(own, packed.data());
      energy += squares[static_cast<std::size_t>(type)] * part.self_energy(packed.data());
    }
    first += std::ssize(part.fields);
  }
  return energy;
}

}  // namespace tessera::md
