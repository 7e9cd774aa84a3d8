#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"
#include "physics/md/by_atom.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// md/bond_force: forces between listed pairs of atoms, whatever their distance.
///
///     E = sum over listed pairs of E_k(r),  F_i = -dE/dr_i,  W_ab = sum of r_a F_b
///
/// with k the kind (bond type) of the pair, r = r_i - r_j the nearest image, F on i: signs as in
/// md/pair_force. E_k is a form (md/bond_potentials/), with one row of coefficients a kind. Two
/// atoms at one place pull each other nowhere.
///
/// "special/NAME" is what is left of the pair potential NAME (md/pair_potential/pair_potential.hpp)
/// between atoms near by bonds or listed, which md/pair_force excludes: with F the factor of a part
/// and E its energy,
///
///     F E(r)  and  (1 - F) (E(r) - C q_i q_j / r),  both inside the cutoff,
///
/// the latter where the part keeps its field (a reaction field, what damps, the rest of an Ewald
/// sum, which has it beyond the cutoff too) and the kind says so. The same as LAMMPS
/// (documentation, "special_bonds") and GROMACS (reference manual, "Exclusions"). Calculated in
/// double in every precision. Such a pair may be anywhere: what acts only within half of the
/// shortest periodic length acts on the nearest image or on none.

namespace tessera::md {

/// All views lie in the memory of the context, except the coefficients, which are host memory. The
/// lists are those of the last prepare().
template <class Storage>
struct BondForceArgs {
  View<const Storage, 2> positions;      ///< atoms x 3; any image in periodic directions
  View<const Storage, 1> charges;        ///< atoms, or not given where the form reads none
  View<const std::int32_t, 1> offsets;   ///< atoms + 1: where the entries of an atom begin
  View<const std::int32_t, 1> partners;  ///< entries: the other atom; each pair stands twice
  View<const std::int32_t, 1> kinds;     ///< entries: row of the coefficients; not given: all 0
  View<Storage, 2> forces;               ///< atoms x 3
  Write write = Write::overwrite;        ///< overwrites the forces or adds to them
  Box box;                               ///< may change from step to step
  View<const double, 2> coefficients;    ///< kinds x fields of the form, read by prepare()
  View<double, 1> energy;                ///< 1 element, overwritten, or not given
  View<double, 1> virial;                ///< xx yy zz xy xz yz, given together with the energy
  View<double, 1> energies;  ///< atoms, half of the energy of each pair of an atom; overwritten, or
                             ///< not given; only where the problem says by_atom
  View<double, 2> virials;   ///< atoms x 6, half of r_a F_b of each pair; the same
};

/// Properties that the choice of an implementation may depend on.
struct BondForceProblem {
  std::int64_t atoms = 0;
  std::int64_t entries = 0;  ///< twice the number of pairs
  int kinds = 1;
  std::string potential = "harmonic";
  Determinism determinism = Determinism::none;  ///< the least that an implementation has to give
  /// Whether energies and virials of single atoms may be asked for, which not all give: by_atom.hpp
  bool by_atom = false;
};

[[nodiscard]] inline ProblemKey problem_key(const BondForceProblem& problem) {
  ProblemKey key{problem.atoms, {{"form", problem.potential}}, {}};
  if (problem.by_atom) key.kinds["outputs"] = "forces, energies by atom";
  return key;
}

/// Findings of prepare() about the pairs whose nearest image may be in doubt.
struct BondExtent {
  double fraction = 0;      ///< largest component of a separation over its periodic length, to 1/2
  double slack = 0;         ///< least half length - |component|; infinite where nothing is periodic
  std::int64_t first = -1;  ///< the atoms of the pair with the largest fraction
  std::int64_t second = -1;
};

class BondForcePlanInterface {
 public:
  /// Once any atom has moved further than this since prepare(), the nearest image of a pair may be
  /// another one, and prepare() must look again. Negative: whatever the atoms did, for this box.
  [[nodiscard]] virtual double allowed_displacement(const Box&) const {
    return std::numeric_limits<double>::infinity();
  }

 protected:
  ~BondForcePlanInterface() = default;
};

/// Argument check of md/bond_force.
class BondForceCheck {
 public:
  explicit BondForceCheck(const BondForceProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const BondForceArgs<Storage>& args) const;

 private:
  BondForceProblem problem_;
  std::int64_t fields_;
  bool reads_charge_;
};

/// prepare() reads positions, lists, box and coefficients and throws ParticleError when a pair is
/// so long that its nearest image is in doubt (longest_bond): a bond, or a pair of "special/NAME"
/// that acts further than half of the shortest periodic length.
struct BondForce {
  static constexpr std::string_view name = "md/bond_force";
  template <class P>
  using Args = BondForceArgs<typename P::Storage>;
  using Problem = BondForceProblem;
  using PlanInterface = BondForcePlanInterface;
  using Check = BondForceCheck;
  static constexpr Prepare prepare = Prepare::required;
  template <class PlanType>
  [[nodiscard]] static Refusal refuse(const BondForceProblem& problem) {
    if (problem.by_atom && !gives_by_atom<PlanType>()) return refuses_by_atom;
    return {};
  }
};

/// A pair may be this long, as a fraction of a periodic length, when prepare() sees it: at one half
/// it would flip to another image.
inline constexpr double longest_bond = 0.45;

/// \param potential of the pairs, which says what they are.
/// \throws ParticleError naming the two atoms.
void require_certain_images(const BondExtent& longest, const std::string& potential);

/// Half of the shortest periodic length, infinite where nothing is periodic: of two images of an
/// atom at most one is closer.
[[nodiscard]] double certain_distance(const Box& box);

/// Fields of a bond potential; "special/NAME" has those of the pair potential, the factor of each
/// part ("factor", "coulomb_factor") and "field", 1 where fields are kept.
struct BondPotential {
  std::string name;
  std::vector<std::string> fields;
  bool reads_charge = false;
};
[[nodiscard]] const std::vector<BondPotential>& bond_potentials();
/// \throws SelectionError suggesting the nearest.
[[nodiscard]] BondPotential bond_potential(const std::string& name);

/// The pair potential of "special/NAME", absent for other names.
[[nodiscard]] std::optional<PairPotential> special_potential(const std::string& name);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_HPP
