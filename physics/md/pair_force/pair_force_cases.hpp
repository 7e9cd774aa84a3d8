#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP

#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"

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
  std::vector<double> charges;              ///< empty where the form reads none
  std::vector<std::int32_t> excluded_from;  ///< offsets of the exclusions; empty: there are none
  std::vector<std::int32_t> excluded;
  CoefficientTable coefficients;
  double skin = 0;
};

[[nodiscard]] std::vector<std::string> pair_force_case_names();

/// \throws SelectionError for an unknown name.
[[nodiscard]] PairForceCase make_pair_force_case(const std::string& name);

/// Two types of atoms at random, with plausible coefficients for any form, and charges where it
/// reads them.
[[nodiscard]] PairForceCase make_potential_case(const std::string& potential);

/// 125 three-site molecules with charges, each an excluded triple, for the sum of a form that reads
/// no charge and one that does. Its second type has nothing but its charge.
[[nodiscard]] PairForceCase make_water_case(const std::string& potential);

/// The same, all numbers of pairs of oxygen and hydrogen others: those of charges too, which are
/// usually the same for all pairs.
[[nodiscard]] PairForceCase make_unlike_water(const std::string& potential);

/// Water of which every third molecule has no charges: atoms on which both forms of a sum act,
/// either alone, and neither.
[[nodiscard]] PairForceCase make_partly_charged_water(const std::string& potential);

/// About `atoms` atoms (the nearest 4 n^3) of the melt that md codes are compared with, fcc at
/// density 0.8442 and cutoff 2.5, each coordinate shaken by a normal deviate of 0.07: as many pairs
/// and about as strong forces as in the melt, without the time it takes to melt.
[[nodiscard]] PairForceCase make_shaken_melt(std::int64_t atoms);

/// Box around a ball of liquid. A sparse system must cost the same as the same atoms in a box that
/// fits them.
enum class BallBox {
  fitting,    ///< a few cutoffs wider than the ball
  wide,       ///< 4,000 cutoffs
  two_balls,  ///< the same, half of the atoms in each of two balls far apart
  stray_atom  ///< the same, with one atom far from all others
};

/// `atoms` of a shaken fcc crystal of the density of the melt, nearest to a point.
[[nodiscard]] PairForceCase make_ball(std::int64_t atoms, BallBox box);

/// The shaken melt with two atoms of another type among them, which meet all atoms up to a cutoff
/// of six times the others', or what half the box allows. \param far false: up to that of the
/// others, for comparison.
[[nodiscard]] PairForceCase make_two_long_cutoff_types(std::int64_t atoms, bool far = true);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_CASES_HPP
