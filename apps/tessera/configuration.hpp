#ifndef TESSERA_APPS_TESSERA_CONFIGURATION_HPP
#define TESSERA_APPS_TESSERA_CONFIGURATION_HPP

#include <string>
#include <vector>

/// \file
/// Facts that CMake found when it configured this build. The definitions are generated.

namespace tessera::command_line {

struct Dependency {
  std::string name;
  std::string version;
};

/// Libraries that this build was made with.
[[nodiscard]] const std::vector<Dependency>& dependencies();

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CONFIGURATION_HPP
