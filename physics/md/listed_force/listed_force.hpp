#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/memory/write.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"
#include "physics/md/by_atom.hpp"
#include "physics/md/listed_force/listed_plan.hpp"
#include "physics/md/listed_force/listed_potential.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// md/listed_force: forces of listed terms of two, three or four atoms.
///
///     E = sum over terms of E_k(q),  F_i = -dE/dr_i,  W_ab = sum over atoms of a term of r_a F_b
///
/// with k the kind of the term and q its coordinate (listed_geometry.hpp): the distance of a bond,
/// the angle at the second atom of an angle, the angle between two planes of a dihedral or an
/// improper. Separations of neighbors in a term are those of nearest images. Kinds are the types of
/// bonds, then those of angles, dihedrals and impropers, counted from 0; E_k is a potential of the
/// class (listed_potential.hpp) with one row of coefficients for each type.
///
/// Atoms in one place and angles of 0 or 180 degrees, at which a coordinate has no slope, exert no
/// force along it. Targets and ghosts are those of md/pair_force: each target has its share of the
/// energy and virial of a term, one half, third or quarter, and ghosts have none.

namespace tessera::md {

/// Most atoms of a term other than the one that lists it.
inline constexpr int most_partners = 3;

/// All views are in the memory of the context, except the coefficients, which are in host memory.
/// The lists and `owned` must be those of the last prepare(). Each term is listed for each of its
/// atoms, the entries of an atom in any order.
template <class Storage>
struct ListedForceArgs {
  View<const Storage, 2> positions;     ///< atoms x 3; any periodic image
  View<const std::int32_t, 1> offsets;  ///< atoms + 1: the first entry of each atom
  View<const std::int32_t, 1> kinds;    ///< entries
  View<const std::int32_t, 1> places;   ///< entries: which atom of the term lists it, from 0
  /// 3 for each entry: the other atoms in the order of the term, then any atoms. Entries of ghosts
  /// do not count and may be missing.
  View<const std::int32_t, 1> partners;
  View<Storage, 2> forces;  ///< owned x 3
  /// Row of each atom in positions and forces, whose number of rows is then any; not given: atom i
  /// is row i. Rows of no atom are not written.
  View<const std::int32_t, 1> rows;
  /// The atom of each row, where `rows` is a permutation of the atoms and all of them are targets.
  /// Implementations may then go through the rows in their order; not given: in that of the atoms.
  View<const std::int32_t, 1> order;
  Write write = Write::overwrite;  ///< overwrites the forces or adds to them
  Box box;                         ///< may differ from step to step
  /// By class: types x fields of its potential, read by prepare().
  std::array<View<const double, 2>, listed_classes> coefficients;
  /// For each class with types: the energy of its terms, overwritten; optional.
  View<double, 1> energy;
  /// For each class with types: xx yy zz xy xz yz of its terms; optional, only with `energy`.
  View<double, 2> virial;
  View<double, 1> energies;  ///< owned: shares of each atom; overwritten; optional, and only if the
                             ///< problem has by_atom
  View<double, 2> virials;   ///< owned x 6: shares of each atom; likewise
  std::optional<std::int64_t> owned;  ///< number of targets, as in PairForceArgs; not given: all

  [[nodiscard]] std::int64_t targets() const {
    return owned.value_or(rows.given() ? rows.extents[0] : positions.extents[0]);
  }
};

/// The types of terms of one class.
struct ListedTypes {
  std::string potential;  ///< "a" or "a+b" (ListedPotential); empty: no terms
  int types = 0;
};

/// Properties on which the choice of an implementation may depend.
struct ListedForceProblem {
  std::int64_t atoms = 0;
  std::int64_t entries = 0;  ///< the atoms of all terms, less the entries that ghosts omit
  std::array<ListedTypes, listed_classes> classes = {};
  Determinism determinism = Determinism::none;  ///< least that an implementation must guarantee
  /// Whether energies and virials of single atoms may be requested, which not all implementations
  /// compute (by_atom.hpp).
  bool by_atom = false;

  /// First kind of a class; of listed_classes: the number of all kinds.
  [[nodiscard]] std::int32_t first_kind(int of_class) const {
    std::int32_t first = 0;
    for (int c = 0; c < of_class; ++c)
      first += classes[static_cast<std::size_t>(c)].types;
    return first;
  }
  /// Number of classes with types.
  [[nodiscard]] std::int64_t present() const {
    std::int64_t count = 0;
    for (const ListedTypes& own : classes)
      count += own.types > 0 ? 1 : 0;
    return count;
  }
};

[[nodiscard]] ProblemKey problem_key(const ListedForceProblem& problem);

/// Argument check of md/listed_force.
class ListedForceCheck {
 public:
  explicit ListedForceCheck(const ListedForceProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t n = problem_.atoms;
    const std::int64_t entries = problem_.entries;
    const std::int64_t rows = args.rows.given() ? args.positions.extent(0) : n;
    visit.optional("rows", args.rows, {n});
    visit.optional("order", args.order, {args.rows.given() ? n : 0});
    visit.array("positions", args.positions, {rows, 3});
    visit.array("offsets", args.offsets, {n + 1});
    visit.array("kinds", args.kinds, {entries});
    visit.array("places", args.places, {entries});
    visit.array("partners", args.partners, {most_partners * entries});
    visit.indices("offsets", args.offsets, entries + 1, true);
    visit.indices("kinds", args.kinds, problem_.first_kind(listed_classes));
    visit.indices("places", args.places, most_partners + 1);
    visit.indices("partners", args.partners, n);
    visit.indices("rows", args.rows, rows);
    visit.indices("order", args.order, n);
    const std::int64_t owned = args.owned.value_or(n);
    visit.output("forces", args.forces, {args.rows.given() ? rows : owned, 3});
    visit.choice("write", args.write, {Write::overwrite, Write::add}, "overwrite, add");
    for (std::size_t c = 0; c < listed_classes; ++c)
      visit.host_array(listed_class[c].coefficients, args.coefficients[c],
                       {problem_.classes[c].types, fields_[c]});
    visit.optional("energy", args.energy, {problem_.present()});
    visit.optional("virial", args.virial, {problem_.present(), 6});
    visit.optional("energies", args.energies, {owned});
    visit.optional("virials", args.virials, {owned, 6});
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const ListedForceArgs<Storage>& args) const;

 private:
  ListedForceProblem problem_;
  std::array<std::int64_t, listed_classes> fields_{};
};

/// prepare() reads positions, lists, box and coefficients. It throws ParticleError if two neighbors
/// in a term are so far apart that their nearest image is uncertain (longest_separation).
struct ListedForce
    : PlainOperation<ListedForceArgs, ListedForceProblem,
                     OperationTraits{.prepare = Prepare::required, .selects_determinism = true},
                     ForceFeatures> {
  static constexpr std::string_view name = "md/listed_force";
  using PlanInterface = ListedPlanInterface;
  using Check = ListedForceCheck;
  [[nodiscard]] static Refusal refuse(const ListedForceProblem& problem,
                                      const ForceFeatures& features) {
    if (problem.by_atom && !features.by_atom) return refuses_by_atom;
    return {};
  }
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_HPP
