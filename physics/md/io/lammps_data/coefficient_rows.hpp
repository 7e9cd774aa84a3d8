#ifndef TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP
#define TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP

#include "core/base/error.hpp"
#include "physics/md/io/lammps_data/reading.hpp"

#include <string>
#include <string_view>
#include <vector>

/// \file
/// The rows of a section of coefficients and the style that they are of: that of the comment behind
/// the keyword, or that which stands in each row behind the type, as in files for hybrid styles.
/// Internal to the reader.

namespace tessera::md::lammps {

class CoefficientRows {
 public:
  struct Styles {
    std::vector<std::string> known;  ///< those that are read
    std::string assumed;             ///< of rows that say none
    /// Rows that do not fit are left out, because the caller has coefficients of its own.
    bool own = false;
  };

  CoefficientRows(Reading& reading, std::string section, Styles styles);

  /// Reads the section whose keyword is the current line. For each row `types` takes the types, and
  /// `values` the rest of a row of the style that it is given.
  /// \returns false where nothing is to be taken, which a warning tells: rows of a style that is
  /// not known or of several. \throws InputError
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
  std::string stated_;    ///< behind the keyword; empty where each row may say it
  std::string style_;     ///< of the rows so far
  std::string left_out_;  ///< why; empty while the rows are taken
};

}  // namespace tessera::md::lammps

#endif  // TESSERA_PHYSICS_MD_IO_LAMMPS_DATA_COEFFICIENT_ROWS_HPP
