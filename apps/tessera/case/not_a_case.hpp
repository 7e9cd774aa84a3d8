#ifndef TESSERA_APPS_TESSERA_CASE_NOT_A_CASE_HPP
#define TESSERA_APPS_TESSERA_CASE_NOT_A_CASE_HPP

#include <filesystem>
#include <string>
#include <string_view>

/// \file
/// Recognises files of other formats that a user gave in place of a case file.

namespace tessera::app {

/// "is a restart file; expected a case file, ..." with the option or the key that takes the file,
/// where its contents or its name identify it; empty otherwise.
/// \param text contents of the file, which are not a case.
[[nodiscard]] std::string other_than_a_case(const std::filesystem::path& path,
                                            std::string_view text);

/// The same for a folder: a case in it, or the restart file of the run that wrote there.
[[nodiscard]] std::string folder_for_a_case(const std::filesystem::path& folder);

}  // namespace tessera::app

#endif  // TESSERA_APPS_TESSERA_CASE_NOT_A_CASE_HPP
