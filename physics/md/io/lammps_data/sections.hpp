#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The section keywords of LAMMPS data files. Internal to the reader.

namespace tessera::md::lammps {

[[nodiscard]] const std::vector<std::string>& all_sections();
[[nodiscard]] bool is_section(std::string_view line);

/// Sections that are skipped and whose rows are counted in the header, with the keyword of the
/// count.
[[nodiscard]] const std::map<std::string, std::string, std::less<>>& counted_sections();

}  // namespace tessera::md::lammps
