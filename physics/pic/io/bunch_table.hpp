#ifndef TESSERA_PHYSICS_PIC_IO_BUNCH_TABLE_HPP
#define TESSERA_PHYSICS_PIC_IO_BUNCH_TABLE_HPP

#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/io/bunch_rows.hpp"
#include "physics/pic/reference_particle.hpp"

#include <filesystem>

/// \file
/// Reads a bunch from a table of comma-separated values. The first line names the columns, in any
/// order, with their units; every other line is a particle. A # begins a comment.
///
///     x [m], px [1], y [m], py [1], cdt [m], dpop [1], weight, id
///     1e-3, 2e-4, 0, 0, -0.01, 1e-3, 1, 7
///
/// x, y and the longitudinal position are in m, mm or um; px and py are divided by p_ref and in 1,
/// rad or mrad (1e-3). The two longitudinal coordinates are a pair of one convention, "cdt" and
/// "dpop", "zeta" and "ptau", or "t" and "pt", as in physics/pic/frame_change/frame_change.hpp,
/// with momenta in 1. weight and id are optional.

namespace tessera::pic {

/// Returns coordinates in the convention `accelerator`. A number that is in this convention
/// already, in m or 1, keeps its bits.
/// \throws InputError with the file, the line, the column and the expectation: a column that is
///     missing, repeated or unknown, another unit, a line with more or fewer fields, a word that is
///     not a finite number, a particle whose momentum is not forward. ArgumentError for a reference
///     particle without a positive and finite momentum.
[[nodiscard]] BunchRows read_bunch_table(
    const std::filesystem::path& path, const ReferenceParticle& reference,
    LongitudinalCoordinates accelerator = LongitudinalCoordinates::cdt_dpop);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_IO_BUNCH_TABLE_HPP
