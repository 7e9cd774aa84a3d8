#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_READING_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_READING_HPP

#include "core/base/error.hpp"
#include "core/base/text_scanner.hpp"
#include "physics/md/io/lammps_data.hpp"
#include "physics/md/io/lammps_data/header.hpp"
#include "physics/md/io/lammps_data/sections.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// State that the readers of the sections of a LAMMPS data file share: the file, its header, the
/// resulting system, and the rules for rows. Internal to the reader.

namespace tessera::md::lammps {

struct Reading {
  /// Reads the header; the scanner then stands on the first section keyword.
  Reading(const std::filesystem::path& path, const LammpsDataOptions& options, ReadReport& report);

  const LammpsDataOptions& options;
  TextScanner scanner;
  ReadReport& report;
  Header header;
  System system;
  std::int64_t last_count = 0;  ///< number of rows of the section that was read last

  /// Number of atoms for which to reserve memory: at most as many as a file of this length can
  /// contain, because the header may announce more.
  [[nodiscard]] std::size_t rows_to_reserve() const;

  /// First character of the rows of a section; a line that begins differently means that rows are
  /// missing.
  enum class RowStart { digit, anything };

  /// Calls `row` for each line of a section; the number of lines is that of the header. The scanner
  /// is then at the first field of the line.
  template <class Row>
  void for_each_row(const SectionKind& section, RowStart start, Row&& row) {
    const std::int64_t count = rows_of(section, header);
    last_count = count;
    for (std::int64_t i = 0; i < count; ++i) {
      next_row(section, i, start);
      row();
    }
  }
  template <class Row>
  void for_each_row(std::string_view section, RowStart start, Row&& row) {
    for_each_row(*find_section(section), start, std::forward<Row>(row));
  }

  /// Reads the next column of a row: a finite number.
  double read_real(const std::string& field_name);
  void expect_end_of_row(const std::string& section, const std::string& expected_columns);

  /// Adds a warning that names the current line.
  void warn_here(const std::string& text);

 private:
  void next_row(const SectionKind& section, std::int64_t rows_before, RowStart start);
};

[[nodiscard]] bool starts_with_letter(std::string_view text);

/// The first word of a style, without the suffix of an accelerated variant ("harmonic/omp").
[[nodiscard]] std::string_view plain_style(std::string_view style);

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_READING_HPP
