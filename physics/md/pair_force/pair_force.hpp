#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"
#include "physics/md/by_atom.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// md/pair_force: forces between all pairs of atoms closer than a cutoff.
///
///     E = sum over pairs i < j with r < rc of  E(r; coefficients of the two types, their charges)
///     F_i = -dE/dr_i,   W_ab = sum over pairs of r_a F_b  with r = r_i - r_j and F on i
///     T_i = -p_i x dE/dp_i, if the energy depends on a dipole p_i or an orientation
///
/// E is the pair potential of the problem, given by its name or as a sum "a+b"
/// (md/pair_potential/pair_potential.hpp). Sign conventions are those of the LAMMPS documentation,
/// "compute pressure". A pair at exactly r = rc does not interact, nor does an excluded pair. In
/// periodic directions only the nearest image of a pair interacts, which requires a cutoff of at
/// most half of each box length (lx, ly, lz; tilts do not matter: see minimum_image.hpp); only the
/// oracle sums over all images.
///
/// The rows of the arrays are atoms. The first `owned` rows are the targets, on which forces are
/// computed; all rows are sources. The rows behind them are ghosts: copies of atoms that are
/// targets elsewhere, with the coordinates of these atoms in the same box. E and W then are the
/// share of the targets: half of a pair of a target and a ghost, and nothing of two ghosts. Calls
/// of which each atom is a target once, with all atoms within its cutoffs among the rows, add up to
/// E and W of the whole.

namespace tessera::md {

/// Pairs that do not interact: atoms partners[offsets[i]] to partners[offsets[i + 1] - 1] are
/// excluded for atom i. Each pair is listed for both of its atoms; the lists of ghosts may be
/// empty. Only the nearest image of a pair is excluded.
struct Exclusions {
  View<const std::int32_t, 1> offsets;  ///< atoms + 1 elements; not given: no exclusions
  View<const std::int32_t, 1> partners;

  [[nodiscard]] TESSERA_FUNCTION bool given() const { return offsets.given(); }
};

using tessera::Write;  // mode of writing the forces

/// All views are in the memory of the context, except the coefficients, which are in host memory.
/// Types, exclusions and `owned` must be those of the last prepare().
template <class Storage>
struct PairForceArgs {
  View<const Storage, 2> positions;   ///< atoms x 3; any periodic image
  View<const std::int32_t, 1> types;  ///< atoms; 0 <= type < number of types
  View<const Storage, 1> charges;     ///< atoms; read only by potentials that read charges
  Exclusions exclusions;              ///< read by prepare()
  View<Storage, 2> forces;            ///< owned x 3
  Write write = Write::overwrite;     ///< of forces and torques; energy and virial are always
                                      ///< overwritten
  Box box;  ///< may differ from that of prepare(): see allowed_displacement(box)
  View<const double, 3>
      coefficients;  ///< types x types x fields of the potential, symmetric in the types, in the
                     ///< units of positions and charges; read by prepare()
  View<double, 1> energy;    ///< 1 element; not given: energy and virial are not computed
  View<double, 1> virial;    ///< xx yy zz xy xz yz; optional, only with `energy`
  View<double, 1> energies;  ///< owned: half of the energy of each pair of the atom; overwritten;
                             ///< optional, and only if the problem has by_atom
  View<double, 2> virials;   ///< owned x 6: half of r_a F_b of each pair of the atom; likewise
  View<const Storage, 2> dipoles;  ///< atoms x 3; read only by potentials that read dipoles
  View<Storage, 2> torques;        ///< owned x 3; written only by potentials that write torques
  /// Number of targets; not given: all rows. Forces, torques, energies and virials have a row for
  /// each target, the other arrays also for each ghost.
  std::optional<std::int64_t> owned;
  /// Largest magnitude of a charge, and lowest coordinates, of a whole system of which the rows are
  /// a part; a component of a dipole counts as a charge at typical_length(). Units, ranges and
  /// origins of pair terms follow from these if they exceed those of the rows, so that the parts of
  /// a system get the same bits in any_order, with the same requested skin. Read by prepare().
  double largest_charge = 0;
  double lowest[3] = {std::numeric_limits<double>::infinity(),
                      std::numeric_limits<double>::infinity(),
                      std::numeric_limits<double>::infinity()};

  [[nodiscard]] std::int64_t targets() const { return owned.value_or(positions.extents[0]); }
};

/// Properties on which the choice of an implementation may depend.
struct PairForceProblem {
  std::int64_t atoms = 0;
  int types = 1;
  double cutoff = 0;  ///< largest cutoff of all pairs of types, > 0
  double skin = 0;    ///< requested skin; 0: the implementation's default
  Box box;
  std::string potential = default_pair_potential();
  bool exclusions = false;  ///< whether any pairs are excluded
  /// Shortest length among the coefficients besides the cutoffs; 0: none. Coordinates must resolve
  /// it.
  double shortest = 0;
  /// Distance that the fastest atom moves between two executions; 0: unknown. The best skin depends
  /// on it.
  double displacement = 0;
  bool tallied = false;  ///< whether every execution computes energy and virial
  /// Least determinism that an implementation must guarantee. With any_order forces, energy and
  /// virial on one device do not depend on the order of the atoms, the number of threads or the
  /// neighbor list. Pairs are then summed in fixed point, whose range ends at millions of times the
  /// force at the typical length: atoms that are closer have NaN as forces (fixed_point_pairs.hpp).
  Determinism determinism = Determinism::none;
  /// Whether energies and virials of single atoms may be requested, which not all implementations
  /// compute (by_atom.hpp).
  bool by_atom = false;
};

[[nodiscard]] ProblemKey problem_key(const PairForceProblem& problem);

class AnyFusedSteps;  // md/step/fused_steps.hpp

/// Further member functions that plans of md/pair_force may override.
class PairForcePlanInterface {
 public:
  /// Distance that any atom may move after prepare() until a pair could be missed, and prepare()
  /// must run before the next execute(). See md/displacement. Infinite if nothing that prepare()
  /// builds depends on positions.
  [[nodiscard]] virtual double allowed_displacement() const {
    return std::numeric_limits<double>::infinity();
  }

  /// The same for an execution in `box` instead of the box of prepare(), for atoms that did not
  /// move with the box. Negative: prepare() must run in this box before execute(); this is the
  /// answer of a plan that has a list and does not override this function.
  [[nodiscard]] virtual double allowed_displacement(const Box& box) const {
    static_cast<void>(box);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return allowed_displacement() == infinity ? infinity : -infinity;
  }

  /// Stored neighbors per atom, for reports; 0 if there is no list.
  [[nodiscard]] virtual double neighbors_per_atom() const { return 0; }

  /// Fused steps in the state since prepare(): a FusedSteps (md/step/fused_steps.hpp) with the
  /// Storage of the plan, which
  /// lives as long as the plan. Null if the plan cannot make them.
  [[nodiscard]] virtual AnyFusedSteps* fused_steps() { return nullptr; }

 protected:
  ~PairForcePlanInterface() = default;
};

/// Argument check of md/pair_force.
class PairForceCheck {
 public:
  explicit PairForceCheck(const PairForceProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t n = problem_.atoms;
    const std::int64_t types = problem_.types;
    visit.array("positions", args.positions, {n, 3});
    visit.array("types", args.types, {n});
    visit.indices("types", args.types, types);
    if (potential_.reads(AtomData::charge)) visit.array("charges", args.charges, {n});
    if (potential_.reads(AtomData::dipole)) visit.array("dipoles", args.dipoles, {n, 3});
    visit.optional("exclusions.offsets", args.exclusions.offsets, {n + 1});
    visit.any_rows("exclusions.partners", args.exclusions.partners);
    visit.indices("exclusions.offsets", args.exclusions.offsets,
                  args.exclusions.partners.extents[0] + 1, true);
    visit.indices("exclusions.partners", args.exclusions.partners, n);
    const std::int64_t owned = args.owned.value_or(n);
    visit.output("forces", args.forces, {owned, 3});
    if (potential_.writes(AtomSum::torque)) visit.output("torques", args.torques, {owned, 3});
    visit.choice("write", args.write, {Write::overwrite, Write::add}, "overwrite, add");
    visit.host_array("coefficients", args.coefficients,
                     {types, types, static_cast<std::int64_t>(potential_.fields().size())});
    visit.optional_at_least("energy", args.energy, 1);
    visit.optional_at_least("virial", args.virial, 6);
    visit.optional("energies", args.energies, {owned});
    visit.optional("virials", args.virials, {owned, 6});
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const PairForceArgs<Storage>& args) const;
  void check_values(const ArgumentCheck& check, View<const double, 3> coefficients) const;

 private:
  PairForceProblem problem_;
  PairPotential potential_;
};

/// prepare() reads positions, types, exclusions, box and coefficients and builds the data of the
/// implementation. It throws ParticleError if two interacting atoms coincide, and BoxError if the
/// box, which may differ from that of the problem, is invalid or too small. execute() may be called
/// with new positions and a new box within allowed_displacement(box), with or without energy; it
/// throws BoxError if allowed_displacement(box) is negative.
struct PairForce
    : PlainOperation<PairForceArgs, PairForceProblem,
                     OperationTraits{.prepare = Prepare::required, .selects_determinism = true},
                     ForceFeatures> {
  static constexpr std::string_view name = "md/pair_force";
  using PlanInterface = PairForcePlanInterface;
  using Check = PairForceCheck;
  [[nodiscard]] static Refusal refuse(const PairForceProblem& problem,
                                      const ForceFeatures& features) {
    if (problem.by_atom && !features.by_atom) return refuses_by_atom;
    if (problem.by_atom && problem.determinism == Determinism::any_order)
      return "the required determinism is any_order: energies and virials of single atoms add up "
             "in "
             "the order of their neighbors";
    return {};
  }
};

/// The problem that `args` pose with a pair potential.
/// \throws ArgumentError if shapes do not match, the potential reads charges that are not given, a
/// coefficient is out of its range or no cutoff is positive; SelectionError for an unknown
/// potential; BoxError for an invalid box.
template <class Storage>
[[nodiscard]] PairForceProblem pair_force_problem(
    const PairForceArgs<Storage>& args, const std::string& potential = default_pair_potential());

/// Reason why the box is invalid, or too small for nearest images; absent if it is neither. All
/// implementations except the oracle refuse such problems in can_run.
[[nodiscard]] Refusal refuse_small_box(const PairForceProblem& problem);
[[nodiscard]] Refusal refuse_small_box(const Box& box, double cutoff);

/// Reason why 32-bit coordinates, whose range follows the cutoff, do not resolve the shortest
/// length of the coefficients (0: there is none). It recommends the implementation `other`.
[[nodiscard]] Refusal refuse_short_lengths(double cutoff, double shortest, std::string_view other);

/// Computes forces once on the caller's arrays: selects, plans, prepares and executes. Keep a plan
/// instead if forces are needed repeatedly.
/// \throws ParticleError that names the first atom whose position is NaN or infinite, or two
/// interacting atoms that coincide; RefusalError, SelectionError, ArgumentError.
template <class P = Double>
void pair_force(const Context& context, const PairForceArgs<typename P::Storage>& args,
                const std::string& potential = default_pair_potential());

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP
