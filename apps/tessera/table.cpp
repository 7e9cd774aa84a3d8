#include "apps/tessera/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <utility>

namespace tessera::command_line {

bool uses_colour(std::FILE* stream) {
  return std::getenv("NO_COLOR") == nullptr && isatty(fileno(stream)) == 1;
}

std::string styled(const std::string& text, Style style, std::FILE* stream) {
  if (style == Style::plain || !uses_colour(stream)) return text;
  const char* const code = style == Style::good ? "32" : style == Style::bad ? "31" : "2";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

Table::Table(std::vector<std::string> titles) : titles_(std::move(titles)) {
  for (std::string& title : titles_) {
    right_.push_back(!title.empty() && title.front() == '>');
    if (right_.back()) title.erase(0, 1);
    widths_.push_back(title.size());
  }
}

void Table::add(std::vector<std::string> cells, Style style) {
  cells.resize(titles_.size());
  widen_columns_for(cells);
  rows_.push_back({std::move(cells), style});
}

void Table::widen_columns_for(const std::vector<std::string>& cells) {
  for (std::size_t c = 0; c < std::min(cells.size(), widths_.size()); ++c)
    widths_[c] = std::max(widths_[c], cells[c].size());
}

std::string Table::line(const std::vector<std::string>& cells) const {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) text += "  ";
    text += right_[c] ? fmt::format("{:>{}}", cells[c], widths_[c])
                      : fmt::format("{:<{}}", cells[c], widths_[c]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void Table::print(std::FILE* stream) const {
  print_titles(stream);
  for (const Row& row : rows_)
    fmt::print(stream, "{}\n", styled(line(row.cells), row.style, stream));
}

void Table::print_titles(std::FILE* stream) const {
  fmt::print(stream, "{}\n", styled(line(titles_), Style::dim, stream));
}

void Table::print_row(std::FILE* stream, std::vector<std::string> cells) const {
  cells.resize(titles_.size());
  fmt::print(stream, "{}\n", line(cells));
}

}  // namespace tessera::command_line
