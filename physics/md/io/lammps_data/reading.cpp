#include <algorithm>
#include <cctype>
#include <cmath>
#include <tessera/core/base/input_file.hpp>
#include <tessera/md/io/lammps_data/reading.hpp>
#include <tessera/md/io/lammps_data/sections.hpp>

namespace tessera::md::lammps {

Reading::Reading(const std::filesystem::path& path, const LammpsDataOptions& options,
                 ReadReport& read_report)
    : scanner(path.string(), read_file(path), '#'),
      report(read_report),
      header(read_header(scanner, options.periodic)) {
  system.box = header.box;
  // Each type needs a row of masses.
  if (header.atom_types > scanner.bytes())
    throw scanner.error("atom types", std::to_string(header.atom_types),
                        "expected no more than the file has rows", header.atom_types_line);
  system.types.resize(static_cast<std::size_t>(header.atom_types));
  if (count_of("bond types") > scanner.bytes())
    throw scanner.error("bond types", std::to_string(count_of("bond types")),
                        "expected no more than the file has bytes");
  system.bond_types = static_cast<std::int32_t>(count_of("bond types"));
}

std::int64_t Reading::count_of(std::string_view keyword) const {
  const auto found = header.counts.find(keyword);
  return found == header.counts.end() ? 0 : found->second;
}

std::size_t Reading::rows_to_reserve() const {
  return static_cast<std::size_t>(std::min(header.atoms, scanner.bytes() / 8));
}

void Reading::next_row(const std::string& section, std::int64_t rows_before, RowStart start) {
  if (!scanner.next_filled_line()) {
    throw scanner.error(section, "",
                        "the file ends after " + std::to_string(rows_before) + " of the " +
                            std::to_string(last_count) + " rows that the header announces");
  }
  if (start == RowStart::digit ? starts_with_letter(scanner.line()) : is_section(scanner.line())) {
    throw scanner.error(section, scanner.line(),
                        "expected " + std::to_string(last_count) +
                            " rows as the header announces, found " + std::to_string(rows_before));
  }
}

double Reading::read_real(const std::string& field_name) {
  const std::string_view field = scanner.next_field();
  double value = 0;
  if (!parse_number(field, value)) {
    throw scanner.error(field_name, field,
                        field.empty() ? "the row ends before this column" : "expected a number");
  }
  if (!std::isfinite(value)) throw scanner.error(field_name, field, "expected a finite number");
  return value;
}

void Reading::expect_end_of_row(const std::string& section, const std::string& expected_columns) {
  const std::string_view field = scanner.next_field();
  if (!field.empty()) {
    throw scanner.error(section, field, "expected no more columns than " + expected_columns);
  }
}

bool Reading::is_style(const std::string& section, const std::string& known) {
  const std::string style(scanner.comment());
  if (style.empty() || style == known) return true;
  report.warnings.push_back(scanner.file() + ":" + std::to_string(scanner.line_number()) + ": " +
                            section + " of style '" + style + "' are ignored, only those of " +
                            known + " are read");
  return false;
}

bool starts_with_letter(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front()));
}

}  // namespace tessera::md::lammps
