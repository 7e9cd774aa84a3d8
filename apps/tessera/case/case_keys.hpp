#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Every key that a case file may have.

namespace tessera::app {

/// Keys of one table by its dotted name, "" for the document; empty for a table whose keys are the
/// user's (selection, parameters) or that does not exist.
[[nodiscard]] const std::vector<std::string>& keys_of(std::string_view table);

/// All tables with fixed keys.
[[nodiscard]] const std::vector<std::pair<std::string, std::vector<std::string>>>& all_case_keys();

}  // namespace tessera::app
