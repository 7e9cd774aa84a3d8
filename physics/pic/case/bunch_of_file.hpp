#ifndef TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP
#define TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP

#include "core/case/case.hpp"
#include "physics/pic/simulation/host_bunch.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// \file
/// Reads the bunch of a case from the file that the case names.

namespace tessera::pic {

struct BunchOfFile {
  std::filesystem::path path;  ///< path of the file
  HostBunch bunch;
  /// Physical particles per unit weight; 0 if the file does not state them.
  double particles_per_weight = 0;
  std::vector<std::string> warnings;
};

/// \throws InputError for a malformed file, for a file whose particles differ from those of [beam]
/// (momentum or mass by more than a relative 1e-6, or the charge), and for a file without
/// particles.
[[nodiscard]] BunchOfFile bunch_of_file(const cases::Case& c);

/// Sum of the weights of all particles, including lost ones.
[[nodiscard]] double total_weight(const HostBunch& bunch);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP
