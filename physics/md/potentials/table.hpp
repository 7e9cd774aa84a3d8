#if !defined(TESSERA_FORM_TABLE) || defined(TESSERA_FORM_EVERY_TARGET)
#define TESSERA_FORM_TABLE

/// \file
/// A potential given by energies and forces at N points, equally spaced in r^2 from the first point
/// to the cutoff (LAMMPS documentation, "pair_style table"; OpenMM documentation, tabulated
/// functions). Between two points E is the cubic in r^2 that has the energies and, with
///
///     dE/d(r^2) = -F / (2 r),
///
/// the forces of both points (Hermite interpolation: Abramowitz, Stegun, Handbook of Mathematical
/// Functions, 25.2); the force is its exact gradient. Below the first point E continues as the
/// straight line in r^2 that touches it there.
///
/// Kernels store four coefficients of each cubic, in x from 0 to 1, as samples apart from the
/// packed coefficients of a pair of types, which contain the index of the first sample.

namespace tessera::md::potentials {

struct Table {
  static constexpr Traits traits{.width = 4, .samples = true};
  static constexpr int usual_points = 1000;
  static constexpr int first_energy = 2;  ///< index of the first energy among the fields

  [[nodiscard]] static constexpr int samples(int points) { return 4 * (points - 1); }

  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is(
        "table of energies and forces, cubic in r^2 between its points",
        "LAMMPS documentation, pair_style table; OpenMM documentation, tabulated functions");
    potential
        .has("cutoff", "distance of the last point, below which a pair interacts; 0: it does not")
        .cutoff();
    potential.has("inner", "distance of the first point")
        .length(1)
        .not_negative()
        .positive_where("cutoff")
        .below("cutoff")
        .otherwise(0)
        .of_table();
    for (int k = 1; k <= potential.points(); ++k)
      potential.has_number("energy_", k, "energy at a point").energy(1).otherwise(0).of_table();
    for (int k = 1; k <= potential.points(); ++k)
      potential.has_number("force_", k, "force at a point")
          .energy(1)
          .length(-1)
          .otherwise(0)
          .of_table();
  }

  template <class T>
  static TESSERA_INLINE void pack(const T* field, T* c) {
    const T span = field[0] * field[0] - field[1] * field[1];
    c[0] = field[1] * field[1];
    c[1] = span > T(0) ? T(1) / span : T(0);
    c[2] = T(0);
    c[3] = T(0);
  }

  /// Packs the samples of a table with `points` points; `place` is the index of the first one.
  template <class T>
  static TESSERA_INLINE void pack_samples(const T* field, int points, T place, T* c, T* sample) {
    const T* const energy = field + first_energy;
    const T* const force = energy + points;
    const T first = field[1] * field[1];
    const T spacing = (field[0] * field[0] - first) / T(points - 1);
    const bool none = !(spacing > T(0));  // a pair of types that does not interact
    c[1] *= T(points - 1);
    c[2] = T(points - 2);
    c[3] = place;
    for (int k = 0; k + 1 < points; ++k, sample += 4) {
      const T rise = energy[k + 1] - energy[k];
      const T here = first + spacing * T(k);
      const T slope = none ? T(0) : -spacing * force[k] / (T(2) * sqrt(here));
      const T next = none ? T(0) : -spacing * force[k + 1] / (T(2) * sqrt(here + spacing));
      sample[0] = energy[k];
      sample[1] = slope;
      sample[2] = T(3) * rise - T(2) * slope - next;
      sample[3] = slope + next - T(2) * rise;
    }
  }

  template <class Real, class Distance, class Coefficients, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Coefficients& c, const Atom&, const Atom&,
                         Real& force_over_r, Real& energy) const {
    const Real per_square = c[1];
    const Real place = (r.squared() - c[0]) * per_square;
    const Real below = where(place < Real(0), place);
    const Real inside = place - below;
    // A NaN selects the last cubic too, so that no sample beyond it is read.
    const Real last = c[2];
    const Real k = floor(last - where(inside < last, last - inside));
    const Real x = inside - k;
    const Real first = c[3] + k * Real(4);
    const Real slope = c.sample(first + Real(1));
    const Real bend = c.sample(first + Real(2));
    const Real third = c.sample(first + Real(3));
    energy = c.sample(first) + below * slope + x * (slope + x * (bend + x * third));
    force_over_r = Real(-2) * per_square * (slope + x * (Real(2) * bend + Real(3) * x * third));
  }
};

}  // namespace tessera::md::potentials

#endif
