#ifndef TESSERA_PHYSICS_MD_IO_RESTART_HPP
#define TESSERA_PHYSICS_MD_IO_RESTART_HPP

#include "core/state/restart_file.hpp"
#include "core/state/step_clock.hpp"
#include "physics/md/system.hpp"

#include <filesystem>
#include <string>

/// \file
/// Fields of molecular dynamics in a restart file (core/state/restart_file.hpp): the unit system,
/// the box, types and their coefficients. Columns of atoms are separate fields under their own
/// names.

namespace tessera::md {

/// State of a run between two steps, on the host.
struct Restart {
  std::string units;  ///< name of the unit system
  StepClock clock;
  System system;
  RestartFile file;  ///< the file that was read, for fields that System lacks; empty otherwise
};

/// Adds all of a system except its columns of atoms.
void put_description(RestartFile& file, const std::string& units, const System& system);

/// Writes the clock, description and columns of a system on the host; a simulation writes its own
/// file.
/// \throws FileError
void write_restart(const std::filesystem::path& path, const Restart& restart);

/// \throws InputError for a missing file, or one that is not a restart file, was written by another
///         version or on a machine with another byte order, is truncated or damaged, or lacks a
///         field.
[[nodiscard]] Restart read_restart(const std::filesystem::path& path);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_RESTART_HPP
