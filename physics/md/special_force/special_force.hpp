#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"
#include "physics/md/by_atom.hpp"
#include "physics/md/listed_force/listed_plan.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// md/special_force: what special pairs, which md/pair_force excludes, keep of a pair potential.
///
///     E = sum over listed pairs of E_k(r),  F_i = -dE/dr_i,  W_ab = sum of r_a F_b
///
/// with k the kind of the pair, r = r_i - r_j of the nearest image, F on i: signs as in
/// md/pair_force. Two atoms at the same position exert no force on each other. Targets and ghosts
/// are those of md/pair_force: a pair of a target and a ghost counts half in E and W, a pair of two
/// ghosts not at all.
///
/// With F the factor of a part of the potential (md/pair_potential/pair_potential.hpp) and E its
/// energy, E_k is the sum over the parts of
///
///     F E(r)  and  (1 - F) (E(r) - C q_i q_j / r),  both inside the cutoff,
///
/// the latter if the part keeps its field (a reaction field, a damping, or the rest of an Ewald
/// sum, which acts beyond the cutoff too) and the kind requests it. The definition is that of
/// LAMMPS (documentation, "special_bonds") and GROMACS (reference manual, "Exclusions"). It is
/// computed in double in every precision. Special pairs may be at any distance: a share that acts
/// only within half of the shortest periodic length acts on the nearest image or on none.

namespace tessera::md {

/// All views are in the memory of the context, except the coefficients, which are in host memory.
/// The lists and `owned` must be those of the last prepare().
template <class Storage>
struct SpecialForceArgs {
  View<const Storage, 2> positions;     ///< atoms x 3; any periodic image
  View<const Storage, 1> charges;       ///< atoms; not given if the potential reads none
  View<const std::int32_t, 1> offsets;  ///< atoms + 1: the first entry of each atom
  View<const std::int32_t, 1>
      partners;  ///< entries: the other atom; each pair is listed for both atoms; entries of
                 ///< ghosts do not count and may be missing
  View<const std::int32_t, 1> kinds;  ///< entries: row of the coefficients; not given: all 0
  View<Storage, 2> forces;            ///< owned x 3
  /// Row of each atom in positions and forces, whose number of rows is then any; not given: atom i
  /// is row i. Rows of no atom are not written.
  View<const std::int32_t, 1> rows;
  /// The atom of each row, where `rows` is a permutation of the atoms and all of them are targets.
  /// Implementations may then go through the rows in their order; not given: in that of the atoms.
  View<const std::int32_t, 1> order;
  Write write = Write::overwrite;      ///< overwrites the forces or adds to them
  Box box;                             ///< may differ from step to step
  View<const double, 2> coefficients;  ///< kinds x special_fields(), read by prepare()
  View<double, 1> energy;              ///< 1 element, overwritten; optional
  View<double, 1> virial;              ///< xx yy zz xy xz yz; optional, only with `energy`
  View<double, 1> energies;  ///< owned: half of the energy of each pair of the atom; overwritten;
                             ///< optional, and only if the problem has by_atom
  View<double, 2> virials;   ///< owned x 6: half of r_a F_b of each pair of the atom; likewise
  std::optional<std::int64_t> owned;  ///< number of targets, as in PairForceArgs; not given: all
  double largest_charge = 0;          ///< of the whole system, as in PairForceArgs

  [[nodiscard]] std::int64_t targets() const {
    return owned.value_or(rows.given() ? rows.extents[0] : positions.extents[0]);
  }
};

/// Properties on which the choice of an implementation may depend.
struct SpecialForceProblem {
  std::int64_t atoms = 0;
  std::int64_t entries = 0;  ///< twice the number of pairs, less those that ghosts omit
  int kinds = 1;
  std::string potential = default_pair_potential();  ///< a pair potential, or a sum of them
  Determinism determinism = Determinism::none;  ///< least that an implementation must guarantee
  /// Whether energies and virials of single atoms may be requested, which not all implementations
  /// compute (by_atom.hpp).
  bool by_atom = false;
};

[[nodiscard]] inline ProblemKey problem_key(const SpecialForceProblem& problem) {
  ProblemKey key{problem.atoms, {{"form", problem.potential}}, {}};
  if (problem.by_atom) key.kinds["outputs"] = "forces, energies by atom";
  return key;
}

/// Argument check of md/special_force.
class SpecialForceCheck {
 public:
  explicit SpecialForceCheck(const SpecialForceProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t n = problem_.atoms;
    const std::int64_t entries = problem_.entries;
    const std::int64_t rows = args.rows.given() ? args.positions.extent(0) : n;
    visit.optional("rows", args.rows, {n});
    visit.optional("order", args.order, {args.rows.given() ? n : 0});
    visit.array("positions", args.positions, {rows, 3});
    if ((reads_ & AtomData::charge) != 0) visit.array("charges", args.charges, {n});
    visit.array("offsets", args.offsets, {n + 1});
    visit.array("partners", args.partners, {entries});
    visit.optional("kinds", args.kinds, {entries});
    visit.indices("offsets", args.offsets, entries + 1, true);
    visit.indices("partners", args.partners, n);
    visit.indices("kinds", args.kinds, problem_.kinds);
    visit.indices("rows", args.rows, rows);
    visit.indices("order", args.order, n);
    const std::int64_t owned = args.owned.value_or(n);
    visit.output("forces", args.forces, {args.rows.given() ? rows : owned, 3});
    visit.choice("write", args.write, {Write::overwrite, Write::add}, "overwrite, add");
    visit.host_array("coefficients", args.coefficients, {problem_.kinds, fields_});
    visit.optional_at_least("energy", args.energy, 1);
    visit.optional_at_least("virial", args.virial, 6);
    visit.optional("energies", args.energies, {owned});
    visit.optional("virials", args.virials, {owned, 6});
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const SpecialForceArgs<Storage>& args) const;

 private:
  SpecialForceProblem problem_;
  std::int64_t fields_;
  unsigned reads_;
};

/// prepare() reads positions, lists, box and coefficients. It throws ParticleError if a pair that
/// acts beyond half of the shortest periodic length is so long that its nearest image is uncertain
/// (longest_separation).
struct SpecialForce
    : PlainOperation<SpecialForceArgs, SpecialForceProblem,
                     OperationTraits{.prepare = Prepare::required, .selects_determinism = true},
                     ForceFeatures> {
  static constexpr std::string_view name = "md/special_force";
  using PlanInterface = ListedPlanInterface;
  using Check = SpecialForceCheck;
  [[nodiscard]] static Refusal refuse(const SpecialForceProblem& problem,
                                      const ForceFeatures& features) {
    if (problem.by_atom && !features.by_atom) return refuses_by_atom;
    return {};
  }
};

/// Fields of a row of coefficients: those of the pair potential, then the factor of each part
/// ("factor", "coulomb_factor") and "field", 1 if fields are kept.
[[nodiscard]] std::vector<std::string> special_fields(const PairPotential& potential);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_HPP
