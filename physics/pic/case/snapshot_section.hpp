#ifndef TESSERA_PHYSICS_PIC_CASE_SNAPSHOT_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_SNAPSHOT_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [snapshot] of a case.

namespace tessera::pic {

struct SnapshotSection {
  std::int64_t every = 0;
  std::string bunch = "bunch.npy";
  std::string potential = "potential.npy";

  friend bool operator==(const SnapshotSection&, const SnapshotSection&) = default;

  static cases::Section<SnapshotSection> section() {
    using S = SnapshotSection;
    return {.name = "snapshot",
            .after = "losses",
            .presence = cases::Presence::optional,
            .meaning = "the bunch and its potential as arrays of NumPy",
            .rows = {{cases::field(&S::every,
                                   {.name = "every",
                                    .unit = "steps",
                                    .range = cases::not_negative,
                                    .meaning = "interval in which the files are replaced; at the "
                                               "end of the run they are in any case"}),
                      cases::field(&S::bunch,
                                   {.name = "bunch",
                                    .meaning = "a row for each particle alive, by id: x, px/p, y, "
                                               "py/p, c times the delay, (p - p_ref)/p_ref, id"}),
                      cases::field(&S::potential,
                                   {.name = "potential",
                                    .meaning = "of the last kick in the frame of the beam, in V, "
                                               "by nodes along z, y, x, z from the head of the "
                                               "bunch to its tail; its grid is in `summary.json`. "
                                               "Not without kicks"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_SNAPSHOT_SECTION_HPP
