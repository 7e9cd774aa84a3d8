#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP

#include "core/base/error.hpp"
#include "physics/md/io/lammps_data/reading.hpp"

#include <string>
#include <string_view>
#include <vector>

/// \file
/// The rows of a section of coefficients and their style, which is stated by the comment after the
/// keyword, or after the types of each row, as in files for hybrid styles. Internal to the reader.

namespace tessera::md::lammps {

class CoefficientRows {
 public:
  struct Styles {
    std::vector<std::string> known;  ///< supported styles
    std::string assumed;             ///< of rows without a style
    /// The caller has its own coefficients, so rows that do not fit are ignored instead of an
    /// error.
    bool own = false;
    bool several = false;  ///< whether rows may be of different styles
  };

  CoefficientRows(Reading& reading, std::string section, Styles styles);

  /// Reads the section whose keyword is the current line. For each row `types` reads the types, and
  /// `values` reads the rest; its argument is the style.
  /// \returns false, with a warning, if the section must be ignored: its rows have an unsupported
  ///         style or several styles.
  /// \throws InputError
  template <class Types, class Values>
  bool read(const Types& types, const Values& values) {
    reading_.for_each_row(section_, Reading::RowStart::anything, [&] {
      if (!left_out_.empty()) return;
      try {
        types();
        find_style();
        if (left_out_.empty()) values(style_);
      } catch (const InputError& error) {
        if (!styles_.own) throw;
        left_out_ = "others are given, and these do not fit: " + std::string(error.what());
      }
    });
    if (left_out_.empty()) return true;
    warn();
    return false;
  }

 private:
  void find_style();
  void take(const std::string& style);
  void warn();

  Reading& reading_;
  std::string section_;
  Styles styles_;
  std::int64_t line_;
  std::string stated_;    ///< by the comment after the keyword; empty if each row may state its own
  std::string style_;     ///< of the rows so far
  std::string left_out_;  ///< the reason for ignoring the section; empty while rows are read
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP
