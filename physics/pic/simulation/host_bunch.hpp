#ifndef TESSERA_PHYSICS_PIC_SIMULATION_HOST_BUNCH_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_HOST_BUNCH_HPP

#include <cstdint>
#include <vector>

/// \file
/// Bunch on the host.

namespace tessera::pic {

struct HostBunch {
  std::vector<double> coordinates;   ///< particles x 6, row after row, as in pic/transport
  std::vector<std::int64_t> ids;     ///< unique and not negative; empty: 0, 1, 2, ...
  std::vector<std::uint8_t> alive;   ///< 0: lost; empty: no particle is lost
  std::vector<double> weights = {};  ///< in units of the macro-particle's charge; empty: 1 each

  [[nodiscard]] std::int64_t size() const {
    return static_cast<std::int64_t>(coordinates.size() / 6);
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_HOST_BUNCH_HPP
