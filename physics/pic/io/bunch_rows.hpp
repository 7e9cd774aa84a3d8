#ifndef TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP
#define TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP

#include <cstdint>
#include <vector>

/// \file
/// Particles of a bunch as stored in files.

namespace tessera::pic {

struct BunchRows {
  std::vector<double> coordinates;  ///< particles x 6, as in pic/frame_change; lengths in m
  std::vector<double> weights;      ///< one per particle; empty: all are 1
  std::vector<std::int64_t> ids;    ///< one per particle; empty: the file has none
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP
