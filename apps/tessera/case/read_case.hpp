#ifndef TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP
#define TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP

#include "core/case/case.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// \file
/// Case files are TOML; this is the only place that knows it.

namespace tessera::app {

/// Reads and checks a case file.
/// \param overrides each "key=value" as given to --set: a dotted key and a TOML value, applied
/// before
///        anything is checked. A number in the key picks an element of an array, from 0
///        ("pair.coefficients.0.epsilon=2"). A value that is no TOML but a plain word stands for a
///        string ("units=real").
/// \param precision as given to --precision, applied last; empty: that of the case.
/// \throws InputError with file, line, key and value: malformed TOML, malformed override, and what
///         CaseRegistry::read throws.
[[nodiscard]] cases::Case read_case(const std::filesystem::path& path,
                                    const std::vector<std::string>& overrides = {},
                                    const std::string& precision = {});

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP
