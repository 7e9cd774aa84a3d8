#ifndef TESSERA_PHYSICS_PIC_CASE_OPEN_PMD_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_OPEN_PMD_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <cstdint>
#include <string>

/// \file
/// The section [openpmd] of a case.

namespace tessera::pic {

struct OpenPmdSection {
  std::int64_t every = 0;
  std::string file = "bunch_%06T.h5";
  bool fields = true;
  Snapshot snapshot = Snapshot::as_it_is;
  cases::Origin origin = {};

  friend bool operator==(const OpenPmdSection&, const OpenPmdSection&) = default;

  static cases::Section<OpenPmdSection> section() {
    using S = OpenPmdSection;
    return {
        .name = "openpmd",
        .after = "snapshot",
        .presence = cases::Presence::optional,
        .meaning =
            "the bunch and its fields as openPMD files in HDF5 "
            "(physics/pic/io/openpmd_write.hpp)",
        .rows = {
            {cases::field(&S::every, {.name = "every",
                                      .unit = "steps",
                                      .range = cases::not_negative,
                                      .meaning = "interval of files, the first before the first "
                                                 "step; the last step always writes one"}),
             cases::field(&S::file,
                          {.name = "file",
                           .meaning = "%T is the number of the step, %06T with six digits at "
                                      "least; without either the file is replaced. It ends "
                                      "in .h5"}),
             cases::field(
                 &S::fields,
                 {.name = "fields",
                  .meaning =
                      "whether the files contain density, potential and field of the last kick"}),
             cases::choice(&S::snapshot, {Snapshot::as_it_is, Snapshot::drift},
                           {.name = "snapshot",
                            .meaning = "`\"as it is\"`: x and y of the positions are those where a "
                                       "particle passes the end of the step. `\"drift\"`: "
                                       "positions are where all are when the reference "
                                       "particle is there, for codes that go on from a time"})}}};
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_OPEN_PMD_SECTION_HPP
