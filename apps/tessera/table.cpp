#include "table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
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
  }
}

void Table::add(std::vector<std::string> cells, Style style) {
  cells.resize(titles_.size());
  rows_.push_back({std::move(cells), style});
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c > 0) text += "  ";
    text += right_[c] ? fmt::format("{:>{}}", cells[c], widths[c])
                      : fmt::format("{:<{}}", cells[c], widths[c]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void Table::print(std::FILE* stream) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < titles_.size(); ++c) {
    std::size_t width = titles_[c].size();
    for (const Row& row : rows_)
      width = std::max(width, row.cells[c].size());
    widths.push_back(width);
  }
  fmt::print(stream, "{}\n", styled(line(titles_, widths), Style::dim, stream));
  for (const Row& row : rows_)
    fmt::print(stream, "{}\n", styled(line(row.cells, widths), row.style, stream));
}

}  // namespace tessera::command_line
