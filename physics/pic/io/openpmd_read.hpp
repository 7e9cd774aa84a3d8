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
/// A bunch from an openPMD file in HDF5 (version 1.x of the standard, or 2.x with the extension
/// BeamPhysics), written by write_openpmd or by others. Four ways of saying where particles are,
/// the first that a species has:
///
/// 1. the records of a convention, as write_openpmd stores them: `cdt` and `dpop`, `zeta` and
///    `ptau`, or `t` and `pt`, beside x, y, px and py. What it wrote comes back with the same bits;
/// 2. `position` and `momentum` with the components x, y, t, as ImpactX's beam monitor writes them:
///    t and pt as in LongitudinalCoordinates::t_pt, momenta in units of p_ref where they have no
///    dimension. `positionOffset` is the place of the reference particle then, and is not added;
/// 3. positions and momenta at one time, components x, y, z, as most codes write them. Each
/// particle
///    drifts to the plane z = `OpenPmdQuestion::place`, which the reference particle passes at that
///    time (fixed_time.hpp): x and y change by -z times its slope, and it is late by -z over its
///    speed along z. With `Snapshot::as_it_is` x and y stay, and all come with the speed of the
///    reference particle. Transverse momenta are those of the file;
/// 4. of the extension BeamPhysics (version 2.0.0; openpmd-beamphysics, Bmad): places, momenta and
/// a
///    `time` for each particle, from which it drifts to that plane. The reference particle passes
///    it at the time `timeOffset`, at 0 where there is none, or at `OpenPmdQuestion::time`.
///    `weight` is a charge; without it all have the same share of `chargeLive` or `totalCharge`.
///    Particles whose `particleStatus` is not 1 are left out. Mass and charge are those of
///    `speciesType`.
///
/// Positions and momenta of different times (the attribute `timeOffset` of the records) are
/// refused. `positionOffset` and `momentumOffset` are added where a record has them, but for 2.
/// A record of macro-particles (`macroWeighted` = 1, extension ED-PIC) is divided by
/// weight^`weightingPower`, whatever the record. A file with weights that says nothing of it is
/// read as one of single particles, and a warning tells so.
///
/// The reference particle is that of the attributes `beta_gamma_ref`, `mass_ref` or
/// `rest_energy_ref_eV`, `charge_ref` or `charge_state_ref`; mass and charge else those of the
/// records `mass` and `charge`, which are the same for all particles then.

namespace tessera::pic {

/// What is wanted of a file.
struct OpenPmdQuestion {
  std::optional<std::uint64_t> iteration;  ///< not given: the only one
  std::string species;                     ///< empty: the only one
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// Of a file that has no beta_gamma_ref; not asked else.
  std::optional<ReferenceParticle> reference;
  /// Of the third and the fourth way: z of the plane in the file that the reference particle
  /// passes, in m.
  double place = 0;
  /// Of the fourth way: when it passes it, in s; not given: the `timeOffset` of the file.
  std::optional<double> time;
  Snapshot snapshot = Snapshot::drift;
  /// Of a species that BeamPhysics names and nobody knows here, in eV and elementary charges; 0:
  /// none.
  double rest_energy = 0;
  double charge_state = 0;
};

/// Ids are the 64 bits of the file.
struct BunchFromFile : BunchRows {
  std::uint64_t iteration = 0;
  double time = 0;  ///< of the positions and momenta, in s: the iteration's and their timeOffset
  BeamReference reference;
  /// Physical particles that a weight of 1 stands for; 0 where the file does not say.
  double particles_per_weight = 0;
  std::vector<std::string> ignored;   ///< records of the species that are not in here, sorted
  std::vector<std::string> warnings;  ///< what was done that a file does not say, one line each
};

/// \param pattern a file, or with %T the series that has the iteration of the question.
/// \throws InputError that names the file, the path in it and what was expected: ADIOS2, JSON or
///     TOML, no HDF5, cut off, another standard, iterations as steps; no such iteration or species,
///     with those that there are; a record or an attribute that is missing, of another type,
///     dimension or length; a number that is not finite; a particle without momentum forward.
///     ArgumentError for a pattern or a reference that makes no sense; RefusalError where there is
///     no HDF5.
[[nodiscard]] BunchFromFile read_openpmd(const std::filesystem::path& pattern,
                                         const OpenPmdQuestion& question = {});

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_READ_HPP
