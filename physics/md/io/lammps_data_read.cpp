#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/lammps_data/atoms.hpp"
#include "physics/md/io/lammps_data/bonds.hpp"
#include "physics/md/io/lammps_data/pair_coefficients.hpp"
#include "physics/md/io/lammps_data/reading.hpp"
#include "physics/md/io/lammps_data/relations.hpp"
#include "physics/md/io/lammps_data/sections.hpp"
#include "physics/md/io/lammps_data/types.hpp"
#include "physics/md/io/lammps_data/velocities.hpp"

#include <set>
#include <utility>

namespace tessera::md {
namespace lammps {
namespace {

/// Reads a file section by section.
class DataFileReader {
 public:
  DataFileReader(const std::filesystem::path& path, const LammpsDataOptions& options,
                 ReadReport& report)
      : reading_(path, options, report) {}

  System read() {
    note_units();
    bool more = reading_.header.more;
    while (more)
      more = read_section();
    finish();
    return std::move(reading_.system);
  }

 private:
  /// Reads the section whose keyword is the current line.
  /// \returns whether the scanner stands on another line afterwards.
  bool read_section() {
    scanner_.cut_comment();
    const std::string line(scanner_.line());
    const SectionKind* const section = find_section(line);
    if (section == nullptr) throw not_a_section(line);
    if (!seen_.insert(line).second) {
      throw scanner_.error(line, "", "the section occurs twice, expected it once");
    }
    read_rows(*section);
    last_section_ = line;
    return scanner_.next_filled_line();
  }

  void read_rows(const SectionKind& section) {
    if (section.name == "Pair Coeffs" || section.name == "PairIJ Coeffs")
      read_pair_coefficients(reading_, types_, section.name);
    else if (section.name == "Bond Coeffs")
      bonds_.read_coefficients();
    else if (section.name == "Masses")
      types_.read_masses();
    else if (section.name == "Atom Type Labels")
      types_.read_labels();
    else if (section.name == "Bond Type Labels")
      bonds_.read_labels();
    else if (section.name == "Atoms")
      atoms_.read();
    else if (section.name == "Velocities")
      velocities_.read();
    else if (section.name == "Bonds")
      bonds_.read();
    else if (section.name == angles_.section())
      read_relations(angles_);
    else if (section.name == dihedrals_.section())
      read_relations(dihedrals_);
    else
      skip(section);
  }

  template <std::size_t N>
  void read_relations(Relations<N>& list) {
    list.read();
    reading_.report.warnings.push_back(scanner_.file() + ": the " +
                                       std::to_string(reading_.last_count) + " " + list.plural() +
                                       " have no forces: no operation computes them, they only "
                                       "define which atoms are near by bonds");
  }

  void skip(const SectionKind& section) {
    reading_.for_each_row(section, Reading::RowStart::anything, [] {});
    if (!section.lost || reading_.last_count == 0) return;
    const std::string rows = section.name + " (" + std::to_string(reading_.last_count) + " rows)";
    reading_.report.ignored.push_back(rows);
    reading_.report.warnings.push_back(scanner_.file() + ": section " + rows +
                                       " is ignored: no operation uses it");
  }

  [[nodiscard]] InputError not_a_section(const std::string& line) const {
    if (starts_with_letter(line)) {
      std::vector<std::string> names;
      for (const SectionKind& section : all_sections())
        names.push_back(section.name);
      const std::string guess = nearest(line, names);
      return scanner_.error("section", line,
                            guess.empty() ? "unknown section; LAMMPS reads it only for a fix, if "
                                            "at all, and Tessera does not read it"
                                          : "unknown section, did you mean '" + guess + "'?");
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
    for (const SectionKind& section : all_sections())
      if (section.required && rows_of(section, reading_.header) > 0 &&
          !seen_.contains(section.name))
        throw scanner_.error(
            section.name, "",
            "the file ends without this section, expected it because of the header");
    const IdIndex index = atoms_.index();
    velocities_.assign(index);
    bonds_.assign(index);
    angles_.assign(index, reading_.system.angles);
    dihedrals_.assign(index, reading_.system.dihedrals);
    types_.complete();
  }

  Reading reading_;
  TextScanner& scanner_ = reading_.scanner;
  AtomTypes types_{reading_};
  Atoms atoms_{reading_, types_.labels()};
  Velocities velocities_{reading_};
  Bonds bonds_{reading_};
  Relations<3> angles_{reading_, "Angles"};
  Relations<4> dihedrals_{reading_, "Dihedrals"};
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
