#ifndef TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP
#define TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP

#include "core/case/case.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// \file
/// Reading of case files, which are TOML. Only read_case.cpp includes the parser.

namespace tessera::app {

/// Reads and checks a case file.
/// \param overrides each "key=value" as given to --set: a dotted key and a TOML value, applied
/// before any check. A number in the key selects an element of an array, from 0
/// ("pair.coefficients.0.epsilon=2"). A plain word that is not a TOML value is a string
/// ("units=real").
/// \param precision as given to --precision, applied last; empty: as in the case.
/// \throws InputError with file, line, key and value: malformed TOML, a malformed override, and the
///         errors of CaseRegistry::read.
[[nodiscard]] cases::Case read_case(const std::filesystem::path& path,
                                    const std::vector<std::string>& overrides = {},
                                    const std::string& precision = {});

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_READ_CASE_HPP
