#ifndef TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP
#define TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP

#include <cstdint>
#include <vector>

/// \file
/// What files have of the particles of a bunch.

namespace tessera::pic {

struct BunchRows {
  std::vector<double> coordinates;  ///< particles x 6, as in pic/frame_change, lengths in m
  std::vector<double> weights;      ///< by particle; none: 1 for all
  std::vector<std::int64_t> ids;    ///< by particle; none: the file has none
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_BUNCH_ROWS_HPP
