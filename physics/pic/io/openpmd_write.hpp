#ifndef TESSERA_PHYSICS_PIC_IO_OPENPMD_WRITE_HPP
#define TESSERA_PHYSICS_PIC_IO_OPENPMD_WRITE_HPP

#include "core/memory/view.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/grid.hpp"
#include "physics/pic/io/beam_reference.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

/// \file
/// Writes a bunch and the fields of its charge as an iteration of an openPMD series in HDF5 (A.
/// Huebl et al., "openPMD: A meta data standard for particle and mesh based data", version 1.1.0,
/// only the base standard), which openPMD-api and openPMD-viewer read.
///
/// **Particles.** A tracking code describes a bunch where its particles pass one position s.
/// Programs that read openPMD expect positions and momenta at one time, so a file contains both.
/// The records `position` (x, y, z) and `momentum` (x, y, z) are those at the time at which the
/// reference particle is at s, in the accelerator frame, with z = -beta c (arrival time - that of
/// the reference particle) as in Synergia (conversion from "fixed z" to "fixed t", which moves no
/// particle and changes no x, y, px, py). z is relative to the reference particle, whose path
/// length is the attribute `s_ref`. The two longitudinal tracking coordinates are two more records,
/// named by their convention: `cdt` and `dpop`, `zeta` and `ptau`, or `t` and `pt`
/// (physics/pic/frame_change/frame_change.hpp). x, px / p_ref, y, py / p_ref and those two are
/// stored unchanged, and `unitSI` of the momenta is p_ref: read_openpmd returns the same bits.
///
/// Attributes of the species have the names that the beam monitor of ImpactX gives them ("Data
/// Analysis", manual of ImpactX): `beta_ref`, `gamma_ref`, `beta_gamma_ref`, `s_ref` (m),
/// `mass_ref` (kg), `charge_ref` (C); and, with the bits of the program, `rest_energy_ref_eV`,
/// `charge_state_ref`, and `particles_lost`, the number of lost particles, which are left out.
/// `weighting` times its `unitSI` is a number of physical particles.
///
/// Momenta, masses and charges are those of one physical particle, as their `macroWeighted` = 0
/// states; `weighting` is that of the macro-particle.
///
/// **Fields.** `rho`, `phi` and `E` on the nodes of the grid, which lies in the beam frame, at the
/// same time as the particles, and whose z points forward. z of the grid is contracted to z /
/// gamma, so that meshes lie at the particles. The arrays are stored unchanged; times `unitSI` they
/// are the density, the potential and the field in the accelerator frame: gamma rho, gamma phi,
/// gamma E_x, gamma E_y, E_z (J. D. Jackson, Classical Electrodynamics, 3rd edition, 11.10). The
/// attributes `beam_frame_gridSpacing` and `beam_frame_gridGlobalOffset` describe the grid in the
/// beam frame.

namespace tessera::pic {

/// Data of one iteration. All arrays are in host memory.
template <class Storage>
struct OpenPmdOutput {
  std::uint64_t iteration = 0;
  double time = 0;       ///< s
  double time_step = 0;  ///< s
  std::string author;    ///< empty: no author attribute
  BeamReference reference;

  /// Meaning of the record `position`. as_it_is: x and y at the times when the particles pass s,
  /// and z as above; drift: all three at the time when the reference particle is at s. With drift,
  /// x and y at s are two further records with all bits, `x_at_s` and `y_at_s`.
  Snapshot snapshot = Snapshot::as_it_is;
  std::string species = "beam";  ///< letters, digits and _
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// particles x 6, any strides, as in pic/frame_change; lengths in m. Not given: no species is
  /// written.
  View<const Storage, 2> coordinates;
  View<const std::uint8_t, 1> alive;  ///< 0: lost and left out. Not given: no particle is lost
  View<const Storage, 1> weights;     ///< not given: 1
  /// Not given: ids are the rows. Stored as unsigned 64-bit numbers.
  View<const std::int64_t, 1> ids;
  double particles_per_weight = 1;  ///< physical particles per unit weight, positive

  /// Grid of the fields, in the beam frame, in m.
  Grid grid;
  /// nx x ny x nz, any strides, z forward; in SI units of the beam frame. Arrays that are not given
  /// are not written; either all three components of the field are given, or none.
  View<const Storage, 3> density;    ///< C/m^3
  View<const Storage, 3> potential;  ///< V
  View<const Storage, 3> field[3];   ///< V/m
};

/// Writes one iteration as a file that appears atomically and replaces a file of the same name.
/// With %T in its name (openpmd_file_name.hpp) it is one of a series of files ("fileBased");
/// otherwise it contains only this iteration ("groupBased"). Iterations are never added to an
/// existing file, because HDF5 cannot read a file that was open when its process was killed.
///
/// \returns the path of the file.
/// \throws ArgumentError with the invalid member; ParticleError for a particle that is not lost and
///     has a coordinate or a weight that is not finite, or a momentum that is not forward;
///     FileError; RefusalError without the HDF5 library. No file is left then.
template <class Storage>
std::filesystem::path write_openpmd(const std::filesystem::path& pattern,
                                    const OpenPmdOutput<Storage>& output);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_WRITE_HPP
