#include "physics/md/io/lammps_data/reading.hpp"

#include "core/base/input_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace tessera::md::lammps {
namespace {

/// Whether the line is a section keyword: a row contains a number, a keyword does not.
bool has_no_number(TextScanner& scanner) {
  double value = 0;
  bool found = false;
  for (auto field = scanner.next_field(); !field.empty() && !found; field = scanner.next_field())
    found = parse_number(field, value);
  scanner.rewind_line();
  return !found;
}

}  // namespace

Reading::Reading(const std::filesystem::path& path, const LammpsDataOptions& read_options,
                 ReadReport& read_report)
    : options(read_options),
      scanner(path.string(), read_file(path), '#', CommentStart::behind_blank),
      report(read_report),
      header(read_header(scanner, options.periodic, report.warnings)) {
  system.box = header.box;
  // Limits the number of types, for each of which memory is allocated.
  if (header.atom_types > scanner.bytes())
    throw scanner.error("atom types", std::to_string(header.atom_types),
                        "expected no more than the file has rows", header.atom_types_line);
  system.types.resize(static_cast<std::size_t>(header.atom_types));
  const std::int64_t bond_types = header.count_of("bond types");
  if (bond_types > scanner.bytes())
    throw scanner.error("bond types", std::to_string(bond_types),
                        "expected no more than the file has bytes");
  system.bond_types = static_cast<std::int32_t>(bond_types);
}

std::size_t Reading::rows_to_reserve() const {
  return static_cast<std::size_t>(std::min(header.atoms, scanner.bytes() / 8));
}

void Reading::next_row(const SectionKind& section, std::int64_t rows_before, RowStart start) {
  if (!scanner.next_filled_line()) {
    throw scanner.error(section.name, "",
                        "the file ends after " + std::to_string(rows_before) + " of the " +
                            std::to_string(last_count) + " rows that the header announces");
  }
  const std::string_view line = scanner.line();
  if (start == RowStart::digit ? starts_with_letter(line) : has_no_number(scanner)) {
    throw scanner.error(section.name, line,
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

void Reading::warn_here(const std::string& text) {
  report.warnings.push_back(scanner.file() + ":" + std::to_string(scanner.line_number()) + ": " +
                            text);
}

bool starts_with_letter(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front()));
}

std::string_view plain_style(std::string_view style) {
  style = style.substr(0, style.find_first_of(" \t"));
  for (const std::string_view variant :
       {"/kk/host", "/kk/device", "/omp", "/opt", "/kk", "/gpu", "/intel"})
    if (style.ends_with(variant)) return style.substr(0, style.size() - variant.size());
  return style;
}

}  // namespace tessera::md::lammps
