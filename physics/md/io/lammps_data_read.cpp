#include <algorithm>
#include <cctype>
#include <set>
#include <tessera/md/io/lammps_data.hpp>
#include <tessera/md/io/lammps_data/atoms.hpp>
#include <tessera/md/io/lammps_data/bonds.hpp>
#include <tessera/md/io/lammps_data/pair_coefficients.hpp>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <tessera/md/io/lammps_data/relations.hpp>
#include <tessera/md/io/lammps_data/sections.hpp>
#include <tessera/md/io/lammps_data/types.hpp>
#include <tessera/md/io/lammps_data/velocities.hpp>
#include <utility>

namespace tessera::md {
namespace lammps {
namespace {

/// A line of words alone. In a section that is skipped it is taken for the next section keyword;
/// rows of such a section have numbers in them.
bool words_only(std::string_view line) {
  return std::all_of(line.begin(), line.end(),
                     [](unsigned char c) { return std::isalpha(c) || std::isspace(c); });
}

/// From section to section.
class DataFileReader {
 public:
  DataFileReader(const std::filesystem::path& path, const LammpsDataOptions& options,
                 ReadReport& report)
      : reading_(path, options, report), atoms_(reading_, types_, options.atom_style) {}

  System read() {
    note_units();
    bool more = reading_.header.more;
    while (more)
      more = read_section();
    finish();
    return std::move(reading_.system);
  }

 private:
  /// Reads the section whose keyword is the current line. \returns whether the scanner stands on
  /// another line afterwards.
  bool read_section() {
    const std::string section(scanner_.line());
    if (!is_section(section)) throw not_a_section(section);
    if (!seen_.insert(section).second) {
      throw scanner_.error(section, "", "the section comes twice, expected it once");
    }
    const bool more = read_rows(section) ? scanner_.next_filled_line() : skip(section);
    last_section_ = section;
    return more;
  }

  /// \returns false when the section is none of those that are read.
  bool read_rows(const std::string& section) {
    if (section == "Pair Coeffs" || section == "PairIJ Coeffs")
      return read_pair_coefficients(reading_, types_, section);
    if (section == "Bond Coeffs") return bonds_.read_coefficients();
    if (section == "Masses")
      types_.read_masses();
    else if (section == "Atom Type Labels")
      types_.read_labels();
    else if (section == "Atoms")
      atoms_.read();
    else if (section == "Velocities")
      velocities_.read();
    else if (section == "Bonds")
      bonds_.read();
    else if (section == angles_.section())
      read_relations(angles_);
    else if (section == dihedrals_.section())
      read_relations(dihedrals_);
    else
      return false;
    return true;
  }

  template <std::size_t N>
  void read_relations(Relations<N>& relations) {
    relations.read();
    reading_.report.warnings.push_back(
        scanner_.file() + ": the " + std::to_string(reading_.last_count) + " " + relations.count() +
        " have no forces: no operation computes them, they say at most which atoms are near by "
        "bonds");
  }

  bool skip(const std::string& section) {
    std::int64_t rows = 0;
    bool more = false;
    while ((more = scanner_.next_filled_line())) {
      if (is_section(scanner_.line()) || words_only(scanner_.line())) break;
      ++rows;
    }
    const auto counted = counted_sections().find(section);
    if (counted != counted_sections().end()) {
      const std::int64_t expected = reading_.count_of(counted->second);
      if (rows != expected) {
        throw scanner_.error(section, more ? scanner_.line() : std::string_view(),
                             (more ? "expected " : "the file is truncated: expected ") +
                                 std::to_string(expected) +
                                 " rows as the header announces, found " + std::to_string(rows));
      }
    }
    reading_.report.ignored.push_back(section + " (" + std::to_string(rows) + " rows)");
    reading_.last_count = rows;
    return more;
  }

  [[nodiscard]] InputError not_a_section(const std::string& line) const {
    if (starts_with_letter(line)) {
      const std::string guess = nearest(line, all_sections());
      return scanner_.error(
          "section", line,
          "unknown section" + (guess.empty() ? "" : ", did you mean '" + guess + "'?"));
    }
    return scanner_.error(last_section_, line,
                          "expected the next section: there are more rows than the " +
                              std::to_string(reading_.last_count) + " that the header announces");
  }

  void note_units() {
    const std::string key = "units = ";
    const std::string& title = reading_.header.title;
    const std::size_t start = title.find(key);
    if (start == std::string::npos) return;
    const std::string rest = title.substr(start + key.size());
    reading_.report.units = rest.substr(0, rest.find_first_of(" ,;\t"));
  }

  void finish() {
    const auto require = [&](const std::string& section, bool needed) {
      if (!needed || seen_.contains(section)) return;
      throw scanner_.error(section, "",
                           "the file ends without this section, expected it because of the header");
    };
    require("Masses", reading_.header.atom_types > 0);
    require("Atoms", reading_.header.atoms > 0);
    require("Bonds", reading_.count_of("bonds") > 0);
    require(angles_.section(), reading_.count_of(angles_.count()) > 0);
    require(dihedrals_.section(), reading_.count_of(dihedrals_.count()) > 0);
    for (const auto& [section, keyword] : counted_sections())
      require(section, reading_.count_of(keyword) > 0);
    const IdIndex index = atoms_.index();
    velocities_.assign(index);
    bonds_.assign(index);
    angles_.assign(index, reading_.system.angles);
    dihedrals_.assign(index, reading_.system.dihedrals);
    types_.set_names();
    for (const std::string& section : reading_.report.ignored) {
      reading_.report.warnings.push_back(scanner_.file() + ": section " + section +
                                         " is ignored: no operation uses it");
    }
  }

  Reading reading_;
  TextScanner& scanner_ = reading_.scanner;
  AtomTypes types_{reading_};
  Atoms atoms_;
  Velocities velocities_{reading_};
  Bonds bonds_{reading_};
  Relations<3> angles_{reading_, "Angles", "angles"};
  Relations<4> dihedrals_{reading_, "Dihedrals", "dihedrals"};
  std::set<std::string> seen_;
  std::string last_section_;
};

}  // namespace
}  // namespace lammps

System read_lammps_data(const std::filesystem::path& path, const LammpsDataOptions& options,
                        ReadReport* report) {
  ReadReport unused;
  return lammps::DataFileReader(path, options, report ? *report : unused).read();
}

}  // namespace tessera::md
