#ifndef TESSERA_APPS_TESSERA_TABLE_HPP
#define TESSERA_APPS_TESSERA_TABLE_HPP

#include <cstdio>
#include <string>
#include <vector>

/// \file
/// Tables for the terminal.

namespace tessera::command_line {

/// Colours are used only on a terminal, and not when NO_COLOR is set.
enum class Style { plain, good, bad, dim };

[[nodiscard]] bool uses_colour(std::FILE* stream);

/// `text` with the escape sequences for `stream`.
[[nodiscard]] std::string styled(const std::string& text, Style style, std::FILE* stream);

/// Columns as wide as their widest cell, two spaces apart. A title that starts with '>' aligns its
/// column to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> titles);

  void add(std::vector<std::string> cells, Style style = Style::plain);
  void print(std::FILE* stream) const;

  /// Widens the columns for `cells` without printing them, for rows that are printed one by one.
  void widen_columns_for(const std::vector<std::string>& cells);
  void print_titles(std::FILE* stream) const;
  /// Cells wider than their column shift the rest of the row.
  void print_row(std::FILE* stream, std::vector<std::string> cells) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    Style style;
  };

  [[nodiscard]] std::string line(const std::vector<std::string>& cells) const;

  std::vector<std::string> titles_;
  std::vector<bool> right_;
  std::vector<std::size_t> widths_;
  std::vector<Row> rows_;
};

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TABLE_HPP
