#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tessera/pic/frame_change/frame_change.hpp>
#include <tessera/pic/io/beam_reference.hpp>
#include <tessera/pic/io/bunch_rows.hpp>
#include <vector>

/// \file
/// A bunch from an openPMD file in HDF5 (version 1.x of the standard), written by write_openpmd or
/// by others. Three ways of saying where particles are, the first that a species has:
///
/// 1. the records of a convention, as write_openpmd stores them: `cdt` and `dpop`, `zeta` and
///    `ptau`, or `t` and `pt`, beside x, y, px and py. What it wrote comes back with the same bits;
/// 2. `position` and `momentum` with the components x, y, t, as ImpactX's beam monitor writes them:
///    t and pt as in LongitudinalCoordinates::t_pt, momenta in units of p_ref where they have no
///    dimension. `positionOffset` is the place of the reference particle then, and is not added;
/// 3. positions and momenta at one time, components x, y, z, as most codes write them:
///    `positionOffset` is added, z is taken relative to `OpenPmdQuestion::place`, and the arrival
///    time is -z / (beta c) (fixed_time.hpp). Transverse momenta are those of the file.
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
  double place = 0;  ///< of the third way: z of the reference particle in the file, in m
};

/// Ids are the 64 bits of the file.
struct BunchFromFile : BunchRows {
  std::uint64_t iteration = 0;
  double time = 0;  ///< s
  BeamReference reference;
  /// Physical particles that a weight of 1 stands for; 0 where the file does not say.
  double particles_per_weight = 0;
  std::vector<std::string> ignored;  ///< records of the species that are not in here, sorted
};

/// \param pattern a file, or with %T the series that has the iteration of the question.
/// \throws InputError that names the file, the path in it and what was expected: no HDF5, cut off,
///     another standard; no such iteration or species, with those that there are; a record or an
///     attribute that is missing, of another type, dimension or length; a number that is not
///     finite; a particle without momentum forward. ArgumentError for a pattern or a reference
///     that makes no sense; RefusalError where there is no HDF5.
[[nodiscard]] BunchFromFile read_openpmd(const std::filesystem::path& pattern,
                                         const OpenPmdQuestion& question = {});

}  // namespace tessera::pic
