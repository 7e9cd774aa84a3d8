#ifndef TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP
#define TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP

#include "core/case/case.hpp"
#include "physics/pic/simulation/host_bunch.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// \file
/// The bunch of a case that names a file of one.

namespace tessera::pic {

struct BunchOfFile {
  std::filesystem::path path;  ///< of the file that was read
  HostBunch bunch;
  double particles_per_weight = 0;  ///< physical ones; 0 where the file does not say
  std::vector<std::string> warnings;
};

/// \throws InputError for what is wrong with the file, for one of another particle than [beam]'s,
///     whose momentum or mass differs by more than 1e-6 of it, or of another charge, and for one
///     without particles.
[[nodiscard]] BunchOfFile bunch_of_file(const cases::Case& c);

/// Of all particles together, lost ones too.
[[nodiscard]] double total_weight(const HostBunch& bunch);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BUNCH_OF_FILE_HPP
