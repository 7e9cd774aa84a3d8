#ifndef TESSERA_PHYSICS_PIC_SIMULATION_BUNCH_OUTPUT_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_BUNCH_OUTPUT_HPP

#include "physics/pic/grid.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/simulation/host_bunch.hpp"
#include "physics/pic/simulation/statistics_row.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// \file
/// Interface of the outputs of bunches and fields during a run.

namespace tessera::pic {

/// Fields of the last kick, in the beam frame, nx x ny x nz with x fastest. The third axis of the
/// grid points from the head of the bunch to its tail, in the direction of growing cdt, and the
/// third component of the field is along that axis (space_charge_kick.hpp).
struct FieldSnapshot {
  Grid grid;
  std::vector<double> density;    ///< [C/m^3]
  std::vector<double> potential;  ///< [V]
  std::vector<double> field[3];   ///< [V/m]
};

/// A bunch after a step, on the host, in the order of the particles on the device.
struct BunchSnapshot {
  TrackingPosition place;
  ReferenceParticle reference;
  double rest_energy = 0;               ///< energy of a physical particle [eV]
  double charge_state = 0;              ///< charge of a physical particle, in elementary charges
  double macro_charge = 0;              ///< charge of a macro-particle of weight 1 [C]
  HostBunch bunch;                      ///< with ids and all `alive` flags
  std::optional<FieldSnapshot> fields;  ///< absent before the first kick
};

class BunchOutput {
 public:
  BunchOutput() = default;
  BunchOutput(const BunchOutput&) = delete;
  BunchOutput& operator=(const BunchOutput&) = delete;
  virtual ~BunchOutput() = default;

  /// Number of steps to the next output, above 0; `otherwise` if the output is not periodic.
  [[nodiscard]] virtual std::int64_t steps_to_next(std::int64_t step,
                                                   std::int64_t otherwise) const = 0;
  /// \param last whether this is the last step of the run.
  [[nodiscard]] virtual bool wants(std::int64_t step, bool last) const = 0;
  /// \throws FileError
  virtual void write(const BunchSnapshot& snapshot) = 0;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_BUNCH_OUTPUT_HPP
