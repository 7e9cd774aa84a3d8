#ifndef TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP
#define TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP

#include <string>
#include <vector>

/// \file
/// What a reader found in a file besides the atoms.

namespace tessera::md {

struct ReadReport {
  std::vector<std::string>
      ignored;  ///< sections or columns that were skipped, as the file names them
  std::vector<std::string> warnings;  ///< one line each, ready to be shown
  std::string units;                  ///< unit system that the file states, empty where it does not
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_READ_REPORT_HPP
