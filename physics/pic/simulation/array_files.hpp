#ifndef TESSERA_PHYSICS_PIC_SIMULATION_ARRAY_FILES_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_ARRAY_FILES_HPP

#include "physics/pic/simulation/bunch_output.hpp"

#include <cstdint>
#include <filesystem>

/// \file
/// Files of a bunch and its potential for `numpy.load` (NumPy Enhancement Proposal 1, format 1.0):
/// 8-byte numbers in the byte order of the machine.

namespace tessera::pic {

/// Writes only the last snapshot, replacing earlier files; each file appears atomically.
class ArrayFiles final : public BunchOutput {
 public:
  /// \param bunch file of the particles that are alive x 7, by id: the six coordinates, and the id.
  /// \param potential file of nz x ny x nx values [V]; not written before the first kick.
  /// \param every interval in steps between files, which are also written at the end of the run; 0:
  /// only there.
  ArrayFiles(std::filesystem::path bunch, std::filesystem::path potential, std::int64_t every);

  [[nodiscard]] std::int64_t steps_to_next(std::int64_t step,
                                           std::int64_t otherwise) const override;
  [[nodiscard]] bool wants(std::int64_t step, bool last) const override;
  void write(const BunchSnapshot& snapshot) override;

 private:
  std::filesystem::path bunch_;
  std::filesystem::path potential_;
  std::int64_t every_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_ARRAY_FILES_HPP
