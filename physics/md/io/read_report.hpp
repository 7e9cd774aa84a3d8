#ifndef TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP
#define TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP

#include <string>
#include <vector>

/// \file
/// Findings of a reader in a file besides the atoms.

namespace tessera::md {

struct ReadReport {
  std::vector<std::string> ignored;   ///< skipped sections or columns, by their names in the file
  std::vector<std::string> warnings;  ///< one line each
  std::string units;                  ///< unit system that the file states, else empty
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP
