#include <algorithm>
#include <set>
#include <string_view>
#include <tessera/md/io/lammps_data/pair_coefficients.hpp>
#include <utility>

namespace tessera::md::lammps {
namespace {

/// "lj/cut" and its accelerated variants ("lj/cut/omp") have the same columns.
bool is_lj_cut(std::string_view style) {
  static const std::set<std::string_view> names = {
      "lj/cut",     "lj/cut/omp",   "lj/cut/opt",     "lj/cut/kk",
      "lj/cut/gpu", "lj/cut/intel", "lj/cut/kk/host", "lj/cut/kk/device"};
  return names.contains(style.substr(0, style.find(' ')));
}

}  // namespace

bool read_pair_coefficients(Reading& reading, AtomTypes& types, const std::string& section) {
  TextScanner& scanner = reading.scanner;
  if (!is_lj_cut(scanner.comment()) && !reading.is_style(section, "lj/cut")) return false;
  const bool both_types = section == "PairIJ Coeffs";
  const std::int64_t count = reading.header.atom_types;
  std::set<std::pair<int, int>> given;
  reading.for_each_row(
      section, both_types ? count * (count + 1) / 2 : count, Reading::RowStart::anything, [&] {
        PairCoefficient coefficient;
        coefficient.type_i = types.read_type(section);
        coefficient.type_j = both_types ? types.read_type(section) : coefficient.type_i;
        if (!given.insert(std::minmax(coefficient.type_i, coefficient.type_j)).second) {
          throw scanner.error(section, scanner.line(), "the pair comes twice, expected it once");
        }
        const double epsilon = coefficient.values["epsilon"] =
            reading.read_real(section + " epsilon");
        const double sigma = coefficient.values["sigma"] = reading.read_real(section + " sigma");
        double cutoff = 1;
        if (scanner.fields_left() > 0)
          cutoff = coefficient.values["cutoff"] = reading.read_real(section + " cutoff");
        reading.expect_end_of_row(section, both_types ? "type type epsilon sigma cutoff (lj/cut)"
                                                      : "type epsilon sigma cutoff (lj/cut)");
        if (epsilon < 0 || sigma < 0 || (sigma == 0 && epsilon != 0) || cutoff <= 0) {
          throw scanner.error(section, scanner.line(),
                              "expected epsilon >= 0, sigma > 0 and a cutoff > 0 where given");
        }
        reading.system.pair_coefficients.push_back(coefficient);
      });
  return true;
}

}  // namespace tessera::md::lammps
