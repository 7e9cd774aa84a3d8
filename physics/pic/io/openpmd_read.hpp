#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_READ_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_READ_HPP

#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/io/beam_reference.hpp"
#include "physics/pic/io/bunch_rows.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Bunch from an openPMD file in HDF5 (version 1.x of the standard, or 2.x with the extension
/// BeamPhysics), written by write_openpmd or by other programs. Particles are stored in one of four
/// ways; the first one that a species has is read:
///
/// 1. The records of a convention, as write_openpmd stores them: `cdt` and `dpop`, `zeta` and
///    `ptau`, or `t` and `pt`, with x, y, px and py. Files of write_openpmd are read back with the
///    same bits.
/// 2. `position` and `momentum` with the components x, y, t, as ImpactX's beam monitor writes them:
///    t and pt as in LongitudinalCoordinates::t_pt, momenta in units of p_ref where they have no
///    dimension. `positionOffset` is the position of the reference particle then, and is not added.
/// 3. Positions and momenta at one time, components x, y, z, as most codes write them. Each
///    particle drifts to the plane z = `OpenPmdQuery::place`, which the reference particle
///    passes at that time (fixed_time.hpp): x and y change by -z times its slope, and its delay is
///    -z over its speed along z. With `Snapshot::as_it_is` x and y do not change, and all particles
///    arrive with the speed of the reference particle. Transverse momenta are those of the file.
/// 4. The extension BeamPhysics (version 2.0.0; openpmd-beamphysics, Bmad): positions, momenta and
///    a `time` for each particle, from which it drifts to that plane. The reference particle passes
///    the plane at `OpenPmdQuery::time`, else at `timeOffset`, else at 0. `weight` is a charge;
///    without it all particles have the same share of `chargeLive` or `totalCharge`. Particles
///    whose `particleStatus` is not 1 are left out. Mass and charge are those of `speciesType`.
///
/// Positions and momenta of different times (the attribute `timeOffset` of the records) are
/// refused. `positionOffset` and `momentumOffset` are added where a record has them, except in the
/// second way. Every record of macro-particles (`macroWeighted` = 1, extension ED-PIC) is divided
/// by weight^`weightingPower`. A file with weights and without this attribute is read as one of
/// single particles, with a warning.
///
/// The reference particle comes from the attributes `beta_gamma_ref`, `mass_ref` or
/// `rest_energy_ref_eV`, `charge_ref` or `charge_state_ref`. Without these, mass and charge come
/// from the records `mass` and `charge`, which must then be the same for all particles.

namespace tessera::pic {

/// Selection of a bunch in a file, and values that the file may lack.
struct OpenPmdQuery {
  std::optional<std::uint64_t> iteration;  ///< number of the iteration; absent: the only one
  std::string species;                     ///< empty: the only one
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// Reference particle of a file without beta_gamma_ref; ignored for other files.
  std::optional<ReferenceParticle> reference;
  /// For ways 3 and 4: z, in the file, of the plane that the reference particle passes, in m.
  double place = 0;
  /// For way 4: time at which the reference particle passes the plane, in s; absent: the
  /// `timeOffset` of the file.
  std::optional<double> time;
  Snapshot snapshot = Snapshot::drift;
  /// Rest energy in eV and charge in elementary charges of a BeamPhysics species that this program
  /// does not know; 0: not given.
  double rest_energy = 0;
  double charge_state = 0;
};

/// A bunch with further data of its file. Ids are the 64 bits in the file.
struct BunchFromFile : BunchRows {
  std::uint64_t iteration = 0;
  /// time of the positions and momenta, in s: the iteration's plus their timeOffset
  double time = 0;
  BeamReference reference;
  /// Physical particles per unit weight; 0 if the file does not state them.
  double particles_per_weight = 0;
  std::vector<std::string> ignored;  ///< records of the species that were not read, sorted
  /// Assumptions about properties that the file does not state, one line each.
  std::vector<std::string> warnings;
};

/// \param pattern name of a file, or with %T of the series that contains the iteration of the
/// query.
/// \throws InputError with the file, the path in it and the expectation: ADIOS2, JSON or TOML, not
/// HDF5, truncated, another standard, iterations as steps; an iteration or species that does not
/// exist, with a list of the existing ones; a record or an attribute that is missing, of another
/// type, dimension or length; a number that is not finite; a particle whose momentum is not
/// forward. ArgumentError for an invalid pattern or reference; RefusalError without the HDF5
/// library.
[[nodiscard]] BunchFromFile read_openpmd(const std::filesystem::path& pattern,
                                         const OpenPmdQuery& query = {});

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_READ_HPP
