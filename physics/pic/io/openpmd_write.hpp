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
/// A bunch and the fields of its charge as an iteration of an openPMD series in HDF5 (A. Huebl et
/// al., "openPMD: A meta data standard for particle and mesh based data", version 1.1.0, base
/// standard alone): what openPMD-api and openPMD-viewer read.
///
/// **Particles.** A tracking code knows a bunch where its particles pass one place s. Programs that
/// read openPMD look for positions and momenta at one time, so both are there. The records
/// `position` (x, y, z) and `momentum` (x, y, z) are those at the time at which the reference
/// particle is at s, in the frame of the accelerator, with z = -beta c (arrival time - that of the
/// reference particle) as in Synergia (conversion from "fixed z" to "fixed t", which moves no
/// particle on its way and changes no x, y, px, py). z is relative to the reference particle, whose
/// path is the attribute `s_ref`. The two coordinates that are tracked are two more records, named
/// by their convention: `cdt` and `dpop`, `zeta` and `ptau`, or `t` and `pt`
/// (physics/pic/frame_change/frame_change.hpp). x, px / p_ref, y, py / p_ref and those two are
/// stored as they are, and `unitSI` of the momenta is p_ref: read_openpmd gives back the same bits.
///
/// Attributes of the species have the names that the beam monitor of ImpactX gives them ("Data
/// Analysis", manual of ImpactX): `beta_ref`, `gamma_ref`, `beta_gamma_ref`, `s_ref` (m),
/// `mass_ref` (kg), `charge_ref` (C); and, with the bits that the program has,
/// `rest_energy_ref_eV`, `charge_state_ref`, and `particles_lost`, how many were left out because
/// they are lost. `weighting` counts physical particles when multiplied with its `unitSI`.
///
/// Momenta, masses and charges are those of one physical particle, and say so (`macroWeighted` =
/// 0); `weighting` is of the macro-particle.
///
/// **Fields.** `rho`, `phi` and `E` on the nodes of the grid, which is in the frame of the beam, at
/// the same time as the particles, and whose z points forward. z of the grid is contracted to that
/// frame's z / gamma, so that meshes lie where the particles are. The arrays are stored as they
/// are; times `unitSI` they are the density, the potential and the field in the frame of the
/// accelerator: gamma rho, gamma phi, gamma E_x, gamma E_y, E_z (J. D. Jackson, Classical
/// Electrodynamics, 3rd edition, 11.10). The grid of the beam's frame is in the attributes
/// `beam_frame_gridSpacing` and `beam_frame_gridGlobalOffset`.

namespace tessera::pic {

/// Arrays in the memory of the host.
template <class Storage>
struct OpenPmdOutput {
  std::uint64_t iteration = 0;
  double time = 0;       ///< s
  double time_step = 0;  ///< s
  std::string author;    ///< empty: nobody is named
  BeamReference reference;

  /// Where particles are in the records `position`: as_it_is, x and y where they pass s and z as
  /// above; drift, all three at the time at which the reference particle is at s, exactly. The bits
  /// of x and y where they pass s are two more records then, `x_at_s` and `y_at_s`.
  Snapshot snapshot = Snapshot::as_it_is;
  std::string species = "beam";  ///< letters, digits and _
  LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop;
  /// particles x 6, any strides, as in pic/frame_change, lengths in m. Not given: no species.
  View<const Storage, 2> coordinates;
  View<const std::uint8_t, 1> alive;  ///< 0 is lost and left out. Not given: nobody is
  View<const Storage, 1> weights;     ///< not given: 1
  /// Not given: the row of a particle. Stored as 64 bits without a sign.
  View<const std::int64_t, 1> ids;
  double particles_per_weight = 1;  ///< physical particles that a weight of 1 stands for, positive

  /// Of the fields, in the frame of the beam, in m.
  Grid grid;
  /// nx x ny x nz, any strides, z forward; SI units in the frame of the beam. What is not given is
  /// left out; of the field all three or none.
  View<const Storage, 3> density;    ///< C/m^3
  View<const Storage, 3> potential;  ///< V
  View<const Storage, 3> field[3];   ///< V/m
};

/// Writes one iteration as a file that appears whole or not at all, in the place of what had its
/// name. With %T in its name (openpmd_file_name.hpp) it is one of a series of files ("fileBased");
/// else it holds this iteration alone ("groupBased"). More iterations are not added to a file: one
/// that is open while a process is killed cannot be read by HDF5.
///
/// \returns the file.
/// \throws ArgumentError that names the member that makes no sense; ParticleError for one that is
///     not lost and has a coordinate or a weight that is not finite, or no momentum forward;
///     FileError; RefusalError where there is no HDF5. No file is then left.
template <class Storage>
std::filesystem::path write_openpmd(const std::filesystem::path& pattern,
                                    const OpenPmdOutput<Storage>& output);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_OPENPMD_WRITE_HPP
