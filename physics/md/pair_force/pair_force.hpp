#ifndef TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP
#define TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"
#include "physics/md/by_atom.hpp"
#include "physics/md/pair_force/verlet_steps.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// \file
/// md/pair_force: forces between all pairs of atoms closer than a cutoff.
///
///     E = sum over pairs i < j with r < rc of  E(r; coefficients of the two types, their charges)
///     F_i = -dE/dr_i,   W_ab = sum over pairs of r_a F_b  with r = r_i - r_j and F on i
///
/// E is the form of the problem, by its name or as a sum "a+b"
/// (md/pair_potential/pair_potential.hpp). Sign conventions are those of the LAMMPS documentation,
/// "compute pressure". A pair at r = rc exactly does not interact, nor does an excluded one. In
/// periodic directions the nearest image counts, which requires a cutoff of at most half of each
/// box length (lx, ly, lz; tilts do not matter: see minimum_image.hpp); the oracle alone sums over
/// all images.

namespace tessera::md {

/// Pairs that do not interact: the atoms partners[offsets[i]] to partners[offsets[i + 1] - 1] are
/// excluded for atom i. Each pair stands with both of its atoms. Nearest images only.
struct Exclusions {
  View<const std::int32_t, 1> offsets;  ///< atoms + 1; not given: there are none
  View<const std::int32_t, 1> partners;

  [[nodiscard]] TESSERA_FUNCTION bool given() const { return offsets.given(); }
};

using tessera::Write;  // for the forces

/// All views lie in the memory of the context, except the coefficients, which are host memory.
/// Types and exclusions are those of the last prepare().
template <class Storage>
struct PairForceArgs {
  View<const Storage, 2> positions;    ///< atoms x 3; any image in periodic directions
  View<const std::int32_t, 1> types;   ///< atoms; 0 <= type < number of types
  View<const Storage, 1> charges;      ///< atoms; read only by forms that read charges
  Exclusions exclusions;               ///< read by prepare()
  View<Storage, 2> forces;             ///< atoms x 3
  Write write = Write::overwrite;      ///< for the forces; energy and virial are overwritten
  Box box;                             ///< may change: see allowed_displacement(box)
  View<const double, 3> coefficients;  ///< types x types x fields of the form, symmetric in the
                                       ///< types, in the units of positions and charges; read by
                                       ///< prepare()
  View<double, 1> energy;              ///< 1 element, or not given: then it is not computed
  View<double, 1> virial;              ///< xx yy zz xy xz yz, given together with the energy
  View<double, 1> energies;  ///< atoms, half of the energy of each pair of an atom; overwritten, or
                             ///< not given; only where the problem says by_atom
  View<double, 2> virials;   ///< atoms x 6, half of r_a F_b of each pair; the same
};

/// Properties that the choice of an implementation may depend on.
struct PairForceProblem {
  std::int64_t atoms = 0;
  int types = 1;
  double cutoff = 0;  ///< largest of all pairs of types, > 0
  double skin = 0;    ///< asked-for width of the neighbor shell; 0: the implementation's own
  Box box;
  std::string potential = default_pair_potential();
  bool exclusions = false;  ///< whether pairs are excluded
  /// Least length of the form besides its cutoffs, 0: none. Coordinates must resolve it.
  double shortest = 0;
  /// How far the fastest atom moves from one execute to the next, 0: unknown. The best skin depends
  /// on it.
  double displacement = 0;
  bool tallied = false;  ///< whether energy and virial are asked for every time
  /// The least that an implementation has to give. With any_order forces, energy and virial are the
  /// same for any order of the atoms, number of threads and neighbor structure on one device. Pairs
  /// are added up in fixed point, which ends at forces millions of times those at the typical
  /// length: atoms that are so close have forces that are NaN (fixed_point_pairs.hpp).
  Determinism determinism = Determinism::none;
  /// Whether energies and virials of single atoms may be asked for, which not all give: by_atom.hpp
  bool by_atom = false;
};

[[nodiscard]] ProblemKey problem_key(const PairForceProblem& problem);

/// Further questions to a plan.
class PairForcePlanInterface {
 public:
  /// Once any atom has moved further than this since prepare(), a pair could be missed, and
  /// prepare() must run before the next execute(). See md/displacement. Infinite where nothing that
  /// prepare() builds depends on positions.
  [[nodiscard]] virtual double allowed_displacement() const {
    return std::numeric_limits<double>::infinity();
  }

  /// The same in another box than that of prepare(), for atoms that did not move with it. Negative:
  /// execute() cannot work in this box before prepare() has run in it; so answers a plan that has a
  /// list and does not judge boxes.
  [[nodiscard]] virtual double allowed_displacement(const Box& box) const {
    static_cast<void>(box);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return allowed_displacement() == infinity ? infinity : -infinity;
  }

  /// Length of the neighbor structure for reports: candidates kept per atom, 0 when there is none.
  [[nodiscard]] virtual double neighbors_per_atom() const { return 0; }

  /// For fused steps in the state since prepare(): a VerletSteps of the plan's storage, which lives
  /// as long as the plan. Null where the plan cannot make them.
  [[nodiscard]] virtual AnyVerletSteps* verlet_steps() { return nullptr; }

 protected:
  ~PairForcePlanInterface() = default;
};

/// Argument check of md/pair_force.
class PairForceCheck {
 public:
  explicit PairForceCheck(const PairForceProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const PairForceArgs<Storage>& args) const;
  void check_values(const ArgumentCheck& check, View<const double, 3> coefficients) const;

 private:
  PairForceProblem problem_;
  PairPotential potential_;
};

/// prepare() reads positions, types, exclusions, box and coefficients, builds what the
/// implementation needs and throws ParticleError when two atoms that interact coincide, BoxError
/// when the box (which may differ from that of the problem) is none or too small. execute() may be
/// called with new positions and a new box (within allowed_displacement(box)) and with or without
/// energy; it throws BoxError where that is negative.
struct PairForce {
  static constexpr std::string_view name = "md/pair_force";
  template <class P>
  using Args = PairForceArgs<typename P::Storage>;
  using Problem = PairForceProblem;
  using PlanInterface = PairForcePlanInterface;
  using Check = PairForceCheck;
  static constexpr Prepare prepare = Prepare::required;
  template <class PlanType>
  [[nodiscard]] static Refusal refuse(const PairForceProblem& problem) {
    if (problem.by_atom && !gives_by_atom<PlanType>()) return refuses_by_atom;
    if (problem.by_atom && problem.determinism == Determinism::any_order)
      return "the required determinism is any_order: energies and virials of single atoms add up "
             "in "
             "the order of their neighbors";
    return {};
  }
};

/// The problem that `args` pose with a form.
/// \throws ArgumentError when shapes do not fit together, the form reads charges that are not
/// given, a coefficient is out of its range or no cutoff is greater than zero; SelectionError for
/// an unknown form; BoxError when the box is none.
template <class Storage>
[[nodiscard]] PairForceProblem pair_force_problem(
    const PairForceArgs<Storage>& args, const std::string& potential = default_pair_potential());

/// Reason why the box is none, or why nearest images do not suffice, absent when they do: what
/// every implementation but the oracle answers in can_run.
[[nodiscard]] Refusal refuse_small_box(const PairForceProblem& problem);
[[nodiscard]] Refusal refuse_small_box(const Box& box, double cutoff);

/// Reason why coordinates of 32 bits, whose range follows the cutoff, do not resolve the shortest
/// length of the coefficients (0: there is none). It advises the implementation `other`.
[[nodiscard]] Refusal refuse_short_lengths(double cutoff, double shortest, std::string_view other);

/// One call on the caller's arrays: selects, plans, prepares and executes. Keep a plan instead when
/// forces are needed again and again.
/// \throws ParticleError naming the first atom whose position is NaN or infinite, or two atoms at
/// one place that interact; RefusalError, SelectionError, ArgumentError.
template <class P = Double>
void pair_force(const Context& context, const PairForceArgs<typename P::Storage>& args,
                const std::string& potential = default_pair_potential());

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_PAIR_FORCE_PAIR_FORCE_HPP
