#pragma once

#include <array>
#include <string>
#include <tessera/md/io/lammps_data.hpp>

/// \file
/// The columns of the Atoms section in each style. Internal to the reader.

namespace tessera::md::lammps {

inline constexpr std::array all_styles = {AtomStyle::atomic, AtomStyle::charge, AtomStyle::full};

/// Without image flags.
[[nodiscard]] int column_count(AtomStyle style);
/// Their names.
[[nodiscard]] std::string columns(AtomStyle style);

}  // namespace tessera::md::lammps
