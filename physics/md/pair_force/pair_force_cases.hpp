#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP

#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Standard systems for md/pair_force, the same on every machine.

namespace tessera::md {

/// A system for comparisons, in double.
struct PairForceCase {
  std::string name;
  Box box;
  std::vector<double> positions;  ///< atoms x 3
  std::vector<std::int32_t> types;
  std::vector<double> charges;  ///< empty if the potential reads none
  std::vector<double> dipoles;  ///< atoms x 3; empty if the potential reads none
  std::vector<std::int32_t>
      excluded_from;  ///< offsets of the exclusions into `excluded`; empty: none
  std::vector<std::int32_t> excluded;
  CoefficientTable coefficients;
  double skin = 0;
  std::int64_t ghosts = 0;  ///< number of the last atoms that are no targets
  /// Facts of the system of which this is a part, as in PairForceArgs.
  double largest_charge = 0;
  double lowest[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};

  [[nodiscard]] std::int64_t targets() const {
    return static_cast<std::int64_t>(types.size()) - ghosts;
  }
};

/// One of the two parts of a system that a plane cuts, with the atoms of the other part that are
/// within reach as ghosts.
struct HalfCase {
  PairForceCase system;
  std::vector<std::int64_t> rows;  ///< the atom of the whole system in each row
};

/// Cuts a system across its longest extent, so that both parts have as many atoms.
/// \param part 0 or 1.
/// \param ghost_lists whether ghosts have lists of their excluded pairs.
[[nodiscard]] HalfCase cut_in_half(const PairForceCase& whole, int part, bool ghost_lists);

[[nodiscard]] std::vector<std::string> pair_force_case_names();

/// \throws SelectionError for an unknown name.
[[nodiscard]] PairForceCase make_pair_force_case(const std::string& name);

/// Two types of atoms at random positions, with plausible coefficients for any pair potential, and
/// what it reads of the atoms.
[[nodiscard]] PairForceCase make_potential_case(const std::string& potential);

/// The same atoms with a sum of three potentials of which other ones act on each pair of types.
[[nodiscard]] PairForceCase make_styles_case();

/// 125 three-site molecules with charges, each an excluded triple, for the sum of a pair potential
/// that reads no charges and one that does. The second type has only its charge.
[[nodiscard]] PairForceCase make_water_case(const std::string& potential);

/// Water in which all coefficients between oxygen and hydrogen differ from the others, including
/// those of the charges, which are usually the same for all pairs.
[[nodiscard]] PairForceCase make_unlike_water(const std::string& potential);

/// Water in which every third molecule has no charges, so that some pairs have both parts of a sum,
/// some only one, and some neither.
[[nodiscard]] PairForceCase make_partly_charged_water(const std::string& potential);

/// About `atoms` atoms (4 n^3 for the nearest n) of the melt of the usual benchmark of MD codes: an
/// fcc lattice at density 0.8442 with cutoff 2.5, each coordinate displaced by a normal deviate of
/// 0.07. It has as many pairs and about as strong forces as the melt, without the time that melting
/// takes.
[[nodiscard]] PairForceCase make_shaken_melt(std::int64_t atoms);

/// Box around a ball of liquid. Computing a sparse system must not cost more than the same atoms in
/// a box that fits them.
enum class BallBox {
  fitting,    ///< a few cutoffs wider than the ball
  wide,       ///< 4,000 cutoffs
  two_balls,  ///< as wide, half of the atoms in each of two balls far apart
  stray_atom  ///< as wide, with one atom far from all others
};

/// A ball of `atoms` atoms at the sites of a shaken fcc crystal, of the density of the melt, that
/// are nearest to a point.
[[nodiscard]] PairForceCase make_ball(std::int64_t atoms, BallBox box);

/// The shaken melt with two atoms of another type, whose cutoff with all atoms is six times that of
/// the others, or 0.45 box lengths if that is less.
/// \param far false: the cutoff of the others, for comparison.
[[nodiscard]] PairForceCase make_two_long_cutoff_types(std::int64_t atoms, bool far = true);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP
