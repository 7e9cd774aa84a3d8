#include "physics/md/io/lammps_data/coefficient_rows.hpp"

#include <algorithm>
#include <utility>

namespace tessera::md::lammps {

CoefficientRows::CoefficientRows(Reading& reading, std::string section, Styles styles)
    : reading_(reading),
      section_(std::move(section)),
      styles_(std::move(styles)),
      line_(reading.scanner.line_number()),
      stated_(plain_style(reading.scanner.comment())) {
  if (stated_.starts_with("hybrid"))
    stated_.clear();
  else if (!stated_.empty())
    take(stated_);
}

void CoefficientRows::find_style() {
  if (!stated_.empty()) return;
  if (starts_with_letter(reading_.scanner.peek_field()))
    take(std::string(plain_style(reading_.scanner.next_field())));
  else
    take(styles_.assumed);
}

void CoefficientRows::take(const std::string& style) {
  const auto& known = styles_.known;
  if (!styles_.several && !style_.empty() && style_ != style) {
    left_out_ = "they are of several styles, '" + style_ + "' and '" + style + "'";
  } else if (std::find(known.begin(), known.end(), style) == known.end()) {
    std::string names;
    for (const std::string& name : known)
      names += (names.empty() ? "" : ", ") + name;
    left_out_ = "they are of style '" + style + "', those that are read are of " + names;
  }
  style_ = style;
}

void CoefficientRows::warn() {
  reading_.report.ignored.push_back(section_ + " (" + std::to_string(reading_.last_count) +
                                    " rows)");
  reading_.report.warnings.push_back(reading_.scanner.file() + ":" + std::to_string(line_) + ": " +
                                     section_ + " are left out: " + left_out_);
}

}  // namespace tessera::md::lammps
