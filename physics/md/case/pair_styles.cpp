#include <tessera/md/case/pair_styles.hpp>

namespace tessera::md {

const std::vector<PairStyle>& pair_styles() {
  static const std::vector<PairStyle> styles = {
      {"lj/cut",
       {{.name = "shift",
         .otherwise = 0.0,
         .flag = true,
         .meaning = "subtract E at the cutoff from the energy of each pair; forces stay as they "
                    "are"}},
       {{.name = "epsilon",
         .unit = "energy",
         .range = cases::not_negative,
         .meaning = "depth of the well"},
        {.name = "sigma",
         .unit = "length",
         .range = cases::not_negative,
         .meaning = "distance of zero energy, above 0 unless epsilon is 0",
         .positive_with = "epsilon"},
        {.name = "cutoff",
         .unit = "length",
         .range = cases::positive,
         .fallback = "`pair.cutoff`",
         .meaning = "cutoff of this pair"}}}};
  return styles;
}

}  // namespace tessera::md
