#ifndef TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "generated/bond_potentials.hpp"
#include "physics/md/bond_force/bond_force.hpp"
#include "physics/md/bond_force/bond_force_kernel.hpp"
#include "physics/md/bond_force/bond_range.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/largest_charge.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/tally.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The portable body of md/bond_force: one work item for each atom, which loops over its own
/// entries. Every pair is evaluated for both of its atoms, so that no atomics are needed and
/// results are reproducible. The kernels of "special/..." are compiled separately
/// (bond_force_kernel.hpp).

namespace tessera::md {

/// The bond potentials of this build, as the loop takes them. The first number of a kind is the
/// index of its potential (PairPotentialPart::index), its packed coefficients follow.
template <class P>
struct BondOfKind {
  using Real = typename P::Compute;
  using All = potentials::AllBonds;
  static constexpr potentials::Traits traits{.reads = All::reads};

  [[nodiscard]] TESSERA_INLINE int stride() const { return 1 + All::width; }

  template <class Distance, class Atom>
  TESSERA_INLINE void at(const Distance& r, const Real* c, const Atom& i, const Atom& j,
                         Real& force_over_r, Real& energy) const {
    All{}.at(static_cast<int>(c[0]), r, c + 1, i, j, force_over_r, energy);
  }
};

struct JoinExtents {
  TESSERA_FUNCTION void operator()(BondExtent& into, const BondExtent& from) const {
    if (from.slack < into.slack) into.slack = from.slack;
    const bool earlier = from.fraction == into.fraction && from.first < into.first;
    if (!(from.fraction > into.fraction) && !earlier) return;
    into.fraction = from.fraction;
    into.first = from.first;
    into.second = from.second;
  }
};

template <class Storage>
struct ExtentRow {
  ListedSeparation<Storage> separation;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> partners;
  View<const std::int32_t, 1> kinds;
  const std::int32_t* far;  ///< by kind, whether its pairs count; null: all pairs count

  TESSERA_FUNCTION void operator()(std::int64_t i, BondExtent& extent) const {
    const MinimumImage& image = separation.image;
    const std::int64_t own = separation.row_of(i);
    for (std::int32_t entry = offsets(i); entry < offsets(i + 1); ++entry) {
      if (far != nullptr && far[kinds.given() ? kinds(entry) : 0] == 0) continue;
      const std::int64_t j = partners(entry);
      const Vec3<double> s = separation(own, j);
      const double along[3] = {s.x, s.y, s.z};
      for (int a = 0; a < 3; ++a) {
        if (!(image.length[a] > 0)) continue;
        const double d = along[a] < 0 ? -along[a] : along[a];
        JoinExtents()(extent, {d * image.inverse[a], 0.5 * image.length[a] - d, i, j});
      }
    }
  }
};

template <class P, ExecutionSpace Space>
class BondForcePortable : public Plan<BondForce, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<BondForce, P>::Args;
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr PlanTraits<BondForce> traits{.determinism = Determinism::run_to_run,
                                                .determinism_on_request = Determinism::any_order,
                                                .features = {.by_atom = true}};

  BondForcePortable(const BondForceProblem& problem, const Context& context, const Parameters&)
      : problem_(problem),
        special_(special_potential(problem.potential)),
        potential_(bond_potential(problem.potential)),
        space_(space_of<Space>(context)),
        numbers_(space_),
        coefficients_(space_),
        far_(space_),
        tally_(space_, 1),
        fixed_tally_(space_),
        largest_charge_(space_),
        extent_(space_, 1),
        workspace_(space_) {
    if (special_) row_ = pair_kernels().find(special_rows(name()), P::value, *special_).value();
    workspace_.require(Space::template reduce_bytes<Tally>(problem.atoms));
    workspace_.require(Space::template reduce_bytes<BondExtent>(problem.atoms));
    if (any_order()) {
      fixed_tally_.require(1);
      workspace_.require(Space::template reduce_bytes<FixedTally>(problem.atoms));
    }
  }

  [[nodiscard]] static std::string name() { return std::string(Space::backend) + ".portable"; }

  static Refusal can_run(const BondForceProblem& problem, const Context&, const Parameters&) {
    static_cast<void>(bond_potential(problem.potential));
    const auto special = special_potential(problem.potential);
    if (!special) return {};
    return refuse_potential(special_rows(name()), P::value, special->name());
  }

  void prepare(const Args& args) override {
    pack(args);
    if (any_order()) set_range(args);
    extent_now_ = {0, std::numeric_limits<double>::infinity(), -1, -1};
    box_ = args.box;
    if (problem_.entries == 0 || !find_far(args)) return;
    space_.reduce("longest bond", args.targets(), extent_now_,
                  ExtentRow<Storage>{ListedSeparation<Storage>(args), args.offsets, args.partners,
                                     args.kinds, special_ ? far_.data() : nullptr},
                  JoinExtents{}, extent_.data(), workspace_.get());
    extent_now_ = extent_.read();
    require_certain_images(extent_now_, problem_.potential);
  }

  void execute(const Args& args) override {
    BondLaunch<P, Space> launch{space_,
                                args,
                                args.targets(),
                                special_ ? &*special_ : nullptr,
                                numbers_.data(),
                                tally_.data(),
                                workspace_.get(),
                                any_order() ? fixed_tally_.data() : nullptr,
                                range_};
    if (special_)
      row_.template as<SpecialKernel<P, Space>*>()(launch);
    else
      run_bonds(launch, BondOfKind<P>{}, coefficients_.data());
  }

  [[nodiscard]] double allowed_displacement(const Box& box) const override {
    if (near_reach_ > certain_distance(box)) return -1;
    return 0.5 * extent_now_.slack - box_displacement(box, box_);
  }

 private:
  [[nodiscard]] bool any_order() const { return problem_.determinism == Determinism::any_order; }

  void set_range(const Args& args) {
    if (!special_) {
      range_ = bond_range(potential_, args.coefficients, args.box);
      return;
    }
    PairForceArgs<Storage> pairs;
    pairs.positions = {args.positions.data, {problem_.atoms, 3}};  // for the number of atoms
    pairs.charges = args.charges;
    pairs.largest_charge = args.largest_charge;
    pairs.coefficients = special_table(*special_, args.coefficients);
    const double charge =
        largest_charge(space_, pairs, *special_, largest_charge_, workspace_.get());
    range_ = special_range(*special_, args.coefficients, charge, args.box);
  }

  /// Finds the kinds whose pairs act beyond the distance within which the nearest image is certain:
  /// all kinds of bonds, and kinds of special pairs with a longer cutoff. \returns whether there
  /// are any.
  bool find_far(const Args& args) {
    near_reach_ = 0;
    if (!special_) return true;
    std::vector<std::int32_t> far;
    for (const double reach : special_reaches(*special_, args.coefficients)) {
      far.push_back(reach > certain_distance(args.box) ? 1 : 0);
      if (far.back() == 0) near_reach_ = std::max(near_reach_, reach);
    }
    far_.upload(far.data(), std::ssize(far));
    return std::find(far.begin(), far.end(), 1) != far.end();
  }

  void pack(const Args& args) {
    if (special_) {
      const std::vector<double> numbers = pack_special(*special_, args.coefficients);
      numbers_.upload(numbers.data(), static_cast<std::int64_t>(numbers.size()));
      return;
    }
    std::vector<Real> packed;
    for (int kind = 0; kind < problem_.kinds; ++kind) {
      BondPotential::OfKind own = potential_.of_kind(args.coefficients, kind);
      own.packed.resize(potentials::AllBonds::width);
      packed.push_back(static_cast<Real>(own.part->index));
      for (const double number : own.packed) {
        require_held(number, kind);
        packed.push_back(static_cast<Real>(number));
      }
    }
    coefficients_.upload(packed.data(), static_cast<std::int64_t>(packed.size()));
  }

  static void require_held(double number, int kind) {
    using Limits = std::numeric_limits<Real>;
    const double size = std::abs(number);
    if (size == 0 || (size >= double{Limits::min()} && size <= double{Limits::max()})) return;
    throw RefusalError("md/bond_force in " + std::string(tessera::name(P::value)),
                       "the coefficient " + shortest_number(number) + " of kind " +
                           std::to_string(kind + 1) +
                           " does not fit in the pair terms; use double");
  }

  BondForceProblem problem_;
  std::optional<PairPotential> special_;
  BondPotential potential_;
  PairKernel row_;
  Space space_;
  Box box_;
  BondExtent extent_now_;
  Buffer<double, Space> numbers_;  ///< packed coefficients of "special/..."
  Buffer<Real, Space> coefficients_;
  Buffer<std::int32_t, Space>
      far_;  ///< by kind of "special/...", whether it acts further than certain_distance()
  double near_reach_ = 0;  ///< largest reach of the other kinds
  Buffer<Tally, Space> tally_;
  Buffer<FixedTally, Space> fixed_tally_;
  Buffer<double, Space> largest_charge_;
  PairRange range_;
  Buffer<BondExtent, Space> extent_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOND_FORCE_BOND_FORCE_PORTABLE_HPP
