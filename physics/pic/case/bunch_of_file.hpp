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
  double particles_per_weight = 0;  ///< physical particles; 0 where the file does not say
  std::vector<std::string> warnings;
};

/// \throws InputError for a malformed file, for a file of another particle than [beam]'s (momentum
/// or mass differ by more than 1e-6 of it, or the charge differs), and for a file without
/// particles.
[[nodiscard]] BunchOfFile bunch_of_file(const cases::Case& c);

/// Weight of all particles together, including lost ones.
[[nodiscard]] double total_weight(const HostBunch& bunch);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP
