#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_PAIR_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_PAIR_HPP

#include "core/base/device_code.hpp"
#include "core/memory/view.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"
#include "physics/md/pair_potential/switch_potential.hpp"

#include <cstdint>
#include <math.h>
#include <vector>

/// \file
/// The share of a pair potential that special pairs keep, as a potential of md/special_force.

namespace tessera::md {

/// Numbers of a kind after the packed coefficients of each part: its factor, the factor of the
/// field inside the cutoff, that beyond the cutoff, and C.
inline constexpr int special_numbers = 4;

[[nodiscard]] inline int special_width(const PairPotential& potential) {
  int width = 0;
  for (const PairPotentialPart& part : potential.parts())
    width += 1 + part.width + special_numbers + part.samples;
  return width;
}

/// Numbers of every kind: for each part the square of its cutoff, the packed coefficients, the four
/// special_numbers, then the samples, whose index counts from the packed coefficients.
[[nodiscard]] std::vector<double> pack_special(const PairPotential& potential,
                                               View<const double, 2> coefficients);

/// Distances, by kind, from which on pairs do not interact: the largest cutoff of a part that
/// has a factor or keeps its field; infinite if a field acts beyond the cutoff.
[[nodiscard]] std::vector<double> special_reaches(const PairPotential& potential,
                                                  View<const double, 2> coefficients);

/// The pair potentials of a kernel, and the index of one among them.
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

/// Distance at which a part is evaluated: that of the pair, or a lower bound for a part that keeps
/// only its field, because the field is computed as a difference that loses digits when atoms are
/// closer.
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
  static constexpr potentials::Traits traits{.reads = AtomData::charge};
  using Real = double;

  int parts = 0;
  int place[PairPotential::most_parts] = {};
  int width_of[PairPotential::most_parts] = {};
  int samples_of[PairPotential::most_parts] = {};

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
        constexpr bool samples = Potential::traits.samples;
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

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_PAIR_HPP
