#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_SPECIAL_PAIR_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_SPECIAL_PAIR_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/switch_potential.hpp"

#include <cstdint>
#include <math.h>
#include <vector>

/// \file
/// The rest of a pair potential between atoms near by bonds, as a potential of md/bond_force.

namespace tessera::md {

/// Numbers of a kind behind those of each part: its factor, the share of the field that is kept
/// inside the cutoff, the one beyond, and C.
inline constexpr int special_numbers = 4;

[[nodiscard]] inline int special_width(const PairPotential& potential) {
  int width = 0;
  for (const PairPotentialPart& part : potential.parts())
    width += 1 + part.width + special_numbers + part.samples;
  return width;
}

/// Numbers of every kind: of each part the square of its cutoff, those of the form, the four, then
/// the samples, whose place counts from the numbers of the form.
[[nodiscard]] std::vector<double> pack_special(const PairPotential& potential,
                                               View<const double, 2> coefficients);

/// Distances from which on nothing is left of pairs, by kind: the largest cutoff of a part that has
/// a factor or keeps its field, infinite where that goes on beyond.
[[nodiscard]] std::vector<double> special_reaches(const PairPotential& potential,
                                                  View<const double, 2> coefficients);

/// The forms that a row knows, and the place of one among them.
template <class Potential>
struct PotentialsOfKernel {
  using All = potentials::OneOf<Potential>;
  [[nodiscard]] static int place(const PairPotentialPart&) { return 0; }
};
template <class... Potentials>
struct PotentialsOfKernel<potentials::Switch<Potentials...>> {
  using All = potentials::OneOf<Potentials...>;
  [[nodiscard]] static int place(const PairPotentialPart& part) { return part.index; }
};

/// The separation, or where a form that is to give no more than its field has it: that is taken as
/// a difference, which loses its digits where atoms come closer.
struct SpecialDistance {
  double r_sq;
  double r;
  [[nodiscard]] TESSERA_INLINE double squared() const { return r_sq; }
  [[nodiscard]] TESSERA_INLINE double inverse_squared() const { return 1 / r_sq; }
  [[nodiscard]] TESSERA_INLINE double inverse() const { return 1 / r; }
  [[nodiscard]] TESSERA_INLINE double length() const { return r; }
};

template <class Potential>
struct SpecialPair {
  static constexpr bool reads_charge = true;
  using Real = double;

  int parts = 0;
  int place[2] = {};
  int width_of[2] = {};
  int samples_of[2] = {};

  explicit SpecialPair(const PairPotential& potential)
      : parts(static_cast<int>(potential.parts().size())) {
    for (int p = 0; p < parts; ++p) {
      const PairPotentialPart& part = potential.parts()[static_cast<std::size_t>(p)];
      place[p] = PotentialsOfKernel<Potential>::place(part);
      width_of[p] = part.width;
      samples_of[p] = part.samples;
    }
  }

  [[nodiscard]] TESSERA_INLINE int stride() const {
    int width = 0;
    for (int p = 0; p < parts; ++p)
      width += 1 + width_of[p] + special_numbers + samples_of[p];
    return width;
  }

  template <class Distance, class Atom>
  TESSERA_INLINE void at(const Distance& given, const double* c, const Atom& i, const Atom& j,
                         double& force_over_r, double& energy) const {
    const typename PotentialsOfKernel<Potential>::All all;
    force_over_r = 0;
    energy = 0;
    for (int p = 0; p < parts; ++p) {
      const double cutoff_sq = c[0];
      const double* const rest = c + 1 + width_of[p];
      const bool inside = given.squared() < cutoff_sq;
      const double factor = inside ? rest[0] : 0;
      const double kept = inside ? rest[1] : rest[2];
      if (factor != 0 || kept != 0) {
        constexpr double closest = 1e-8;
        double r_sq = given.squared();
        if (factor == 0 && r_sq < closest * cutoff_sq) r_sq = closest * cutoff_sq;
        const SpecialDistance r{r_sq, sqrt(r_sq)};
        double force = 0;
        double value = 0;
        constexpr bool samples = potentials::HasSamples<Potential>::value;
        all.at(place[p], r, potentials::pair_numbers<samples>(c + 1, c + 1), i, j, force, value);
        const double bare = kept * rest[3] * i.charge * j.charge * r.inverse();
        force_over_r += (factor + kept) * force - bare * r.inverse_squared();
        energy += (factor + kept) * value - bare;
      }
      c = rest + special_numbers + samples_of[p];
    }
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_SPECIAL_PAIR_HPP
