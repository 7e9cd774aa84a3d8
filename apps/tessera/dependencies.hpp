#pragma once

#include <string>
#include <vector>

/// \file
/// Libraries that this build was made with; the table is generated at configure time.

namespace tessera::command_line {

struct Dependency {
  std::string name;
  std::string version;
};

[[nodiscard]] const std::vector<Dependency>& dependencies();

}  // namespace tessera::command_line
