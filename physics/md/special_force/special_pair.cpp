#include "physics/md/special_force/special_pair.hpp"

#include <algorithm>
#include <limits>

namespace tessera::md {
namespace {

/// Factor of the field of part p that a special pair of this kind keeps.
double field_kept(const PairPotential& potential, View<const double, 2> coefficients,
                  std::int64_t kind, std::int64_t p) {
  const auto fields = static_cast<std::int64_t>(potential.fields().size());
  const auto parts = static_cast<std::int64_t>(potential.parts().size());
  const bool field = potential.parts()[static_cast<std::size_t>(p)].keeps_field &&
                     coefficients(kind, fields + parts) != 0;
  return field ? 1 - coefficients(kind, fields + p) : 0;
}

}  // namespace

std::vector<double> pack_special(const PairPotential& potential,
                                 View<const double, 2> coefficients) {
  std::vector<double> packed;
  const auto fields = static_cast<std::int64_t>(potential.fields().size());
  const auto parts = static_cast<std::int64_t>(potential.parts().size());
  for (std::int64_t kind = 0; kind < coefficients.extent(0); ++kind) {
    std::int64_t first = 0;
    for (std::int64_t p = 0; p < parts; ++p) {
      const PairPotentialPart& part = potential.parts()[static_cast<std::size_t>(p)];
      std::vector<double> values;
      double constant = 0;
      for (const CoefficientField& field : part.fields) {
        values.push_back(coefficients(kind, first++));
        if (field.charge == -2) constant = values.back();
      }
      std::vector<double> numbers(static_cast<std::size_t>(part.width));
      part.pack(values.data(), numbers.data());
      std::vector<double> samples(static_cast<std::size_t>(part.samples));
      if (part.samples > 0)
        part.pack_samples(values.data(), part.points, part.width + special_numbers, numbers.data(),
                          samples.data());
      packed.push_back(values[0] * values[0]);
      packed.insert(packed.end(), numbers.begin(), numbers.end());
      const double factor = coefficients(kind, fields + p);
      const double kept = field_kept(potential, coefficients, kind, p);
      packed.insert(packed.end(), {factor, kept, part.keeps_field_beyond ? kept : 0, constant});
      packed.insert(packed.end(), samples.begin(), samples.end());
    }
  }
  return packed;
}

std::vector<double> special_reaches(const PairPotential& potential,
                                    View<const double, 2> coefficients) {
  std::vector<double> reaches;
  const auto fields = static_cast<std::int64_t>(potential.fields().size());
  for (std::int64_t kind = 0; kind < coefficients.extent(0); ++kind) {
    double& reach = reaches.emplace_back(0);
    std::int64_t cutoff = 0;
    for (std::int64_t p = 0; p < std::ssize(potential.parts()); ++p) {
      const PairPotentialPart& part = potential.parts()[static_cast<std::size_t>(p)];
      const double kept = field_kept(potential, coefficients, kind, p);
      if (kept != 0 && part.keeps_field_beyond)
        reach = std::numeric_limits<double>::infinity();
      else if (kept != 0 || coefficients(kind, fields + p) != 0)
        reach = std::max(reach, coefficients(kind, cutoff));
      cutoff += std::ssize(part.fields);
    }
  }
  return reaches;
}

}  // namespace tessera::md
