#ifndef TESSERA_APPS_TESSERA_TUNE_REPORT_HPP
#define TESSERA_APPS_TESSERA_TUNE_REPORT_HPP

#include "core/tuning/landscape.hpp"

#include <string>
#include <vector>

/// \file
/// The measurements of a search, as a page that needs nothing but a browser.

namespace tessera::command_line {

/// HTML with pictures in it: for each search the best so far against evaluations, the times along
/// each parameter, the comparison at the end, what cannot run and who was rejected, and why.
[[nodiscard]] std::string tuning_page(const std::vector<Landscape>& searches);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_TUNE_REPORT_HPP
