#include <tessera/md/bond_force/special_pair.hpp>

namespace tessera::md {

std::vector<double> pack_special(const PairForm& form, View<const double, 2> coefficients) {
  std::vector<double> packed;
  const auto fields = static_cast<std::int64_t>(form.fields().size());
  const auto parts = static_cast<std::int64_t>(form.parts().size());
  for (std::int64_t kind = 0; kind < coefficients.extent(0); ++kind) {
    std::int64_t first = 0;
    for (std::int64_t p = 0; p < parts; ++p) {
      const PairFormPart& part = form.parts()[static_cast<std::size_t>(p)];
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
      const bool field = part.keeps_field && coefficients(kind, fields + parts) != 0;
      const double kept = field ? 1 - factor : 0;
      packed.insert(packed.end(), {factor, kept, part.keeps_field_beyond ? kept : 0, constant});
      packed.insert(packed.end(), samples.begin(), samples.end());
    }
  }
  return packed;
}

}  // namespace tessera::md
