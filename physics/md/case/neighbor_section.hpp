#ifndef TESSERA_PHYSICS_MD_CASE_NEIGHBOR_SECTION_HPP
#define TESSERA_PHYSICS_MD_CASE_NEIGHBOR_SECTION_HPP

#include "core/case/section.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// The section [neighbor] of a case.

namespace tessera::md {

enum class Rebuild { displacement, every };

[[nodiscard]] constexpr std::string_view name(Rebuild rebuild) {
  return rebuild == Rebuild::displacement ? "displacement" : "every";
}

struct NeighborSection {
  double skin = 0;
  Rebuild rebuild = Rebuild::displacement;
  std::int64_t every = 0;  ///< steps; 0 if rebuilt by displacement

  friend bool operator==(const NeighborSection&, const NeighborSection&) = default;

  [[nodiscard]] static bool by_interval(const NeighborSection& s) {
    return s.rebuild == Rebuild::every;
  }

  static cases::Section<NeighborSection> section() {
    using S = NeighborSection;
    return {
        .name = "neighbor",
        .after = "pair",
        .meaning = "when neighbor structures are rebuilt",
        .rows = {
            {cases::field(&S::skin,
                          {.name = "skin",
                           .unit = "length",
                           .range = cases::not_negative,
                           .meaning = "0: the width that the chosen implementation prefers. Pairs "
                                      "up to cutoff + skin are kept; a larger skin means fewer "
                                      "rebuilds and more listed pairs"}),
             cases::choice(&S::rebuild, {Rebuild::displacement, Rebuild::every},
                           {.name = "rebuild",
                            .meaning = "`\"displacement\"` rebuilds before an atom has moved so "
                                       "far that a pair could be missed, so that none is missed"}),
             cases::field(&S::every,
                          {.name = "every",
                           .unit = "steps",
                           .range = cases::at_least(1),
                           .meaning = "interval of rebuilds without any check. Pairs are missed, "
                                      "without notice, whenever two atoms approach by more than "
                                      "the skin within it; for comparison with programs that run "
                                      "this way",
                           .needed = {by_interval, "required with `rebuild = \"every\"`"},
                           .only = {{by_interval,
                                     "expected only with rebuild = \"every\", which "
                                     "can miss pairs"}}})}}};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_CASE_NEIGHBOR_SECTION_HPP
