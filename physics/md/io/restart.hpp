#ifndef TESSERA_PHYSICS_MD_IO_RESTART_HPP
#define TESSERA_PHYSICS_MD_IO_RESTART_HPP

#include "core/state/restart_file.hpp"
#include "core/state/step_clock.hpp"
#include "physics/md/system.hpp"

#include <filesystem>
#include <string>

/// \file
/// What molecular dynamics adds to a restart file (core/state/restart_file.hpp): the unit system,
/// the box, types and their coefficients. Columns of atoms lie beside it under their names.

namespace tessera::md {

/// State of a run between two steps, on the host.
struct Restart {
  std::string units;  ///< name of the unit system
  StepClock clock;
  System system;
  RestartFile file;  ///< where it came from, for what no System holds; empty when made by hand
};

/// Adds everything about a system but its columns.
void put_description(RestartFile& file, const std::string& units, const System& system);

/// Clock, description and columns of a system on the host; a simulation saves itself.
/// \throws FileError
void write_restart(const std::filesystem::path& path, const Restart& restart);

/// \throws InputError for a missing file, one that is no restart file, was written by another
///         version or on a machine with another byte order, is truncated or damaged, or lacks a
///         field.
[[nodiscard]] Restart read_restart(const std::filesystem::path& path);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_IO_RESTART_HPP
