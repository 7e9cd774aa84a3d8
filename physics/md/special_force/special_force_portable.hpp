#ifndef TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/listed_force/listed_extent.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/largest_charge.hpp"
#include "physics/md/pair_potential/pair_kernels.hpp"
#include "physics/md/special_force/special_force.hpp"
#include "physics/md/special_force/special_force_kernel.hpp"
#include "physics/md/special_force/special_range.hpp"
#include "physics/md/tally.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The portable body of md/special_force: one work item for each atom, which loops over its own
/// entries. Every pair is evaluated for both of its atoms, so that no atomics are needed and
/// results are reproducible. The kernels of pair potentials are compiled separately
/// (special_force_kernel.hpp).

namespace tessera::md {

template <class Storage>
struct SpecialExtentRow {
  ListedSeparation<Storage> separation;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> partners;
  View<const std::int32_t, 1> kinds;
  const std::int32_t* far;  ///< by kind, whether its pairs count

  TESSERA_FUNCTION void operator()(std::int64_t i, ListedExtent& extent) const {
    const std::int64_t own = separation.row_of(i);
    for (std::int32_t entry = offsets(i); entry < offsets(i + 1); ++entry) {
      if (far[kinds.given() ? kinds(entry) : 0] == 0) continue;
      const std::int64_t j = partners(entry);
      extent.add(separation.image, separation(own, j), i, j);
    }
  }
};

template <class P, ExecutionSpace Space>
class SpecialForcePortable : public Plan<SpecialForce, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<SpecialForce, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<SpecialForce> traits{.determinism = Determinism::run_to_run,
                                                   .determinism_on_request = Determinism::any_order,
                                                   .features = {.by_atom = true}};

  SpecialForcePortable(const SpecialForceProblem& problem, const Context& context,
                       const Parameters&)
      : problem_(problem),
        potential_(pair_potentials().find(problem.potential)),
        space_(space_of<Space>(context)),
        numbers_(space_),
        far_(space_),
        tally_(space_, 1),
        fixed_tally_(space_),
        largest_charge_(space_),
        extent_(space_, 1),
        workspace_(space_) {
    row_ = pair_kernels().find(special_rows(name()), P::value, potential_).value();
    workspace_.require(Space::template reduce_bytes<Tally>(problem.atoms));
    workspace_.require(Space::template reduce_bytes<ListedExtent>(problem.atoms));
    if (any_order()) {
      fixed_tally_.require(1);
      workspace_.require(Space::template reduce_bytes<FixedTally>(problem.atoms));
    }
  }

  [[nodiscard]] static std::string name() { return std::string(Space::backend) + ".portable"; }

  static Refusal can_run(const SpecialForceProblem& problem, const Context&, const Parameters&) {
    return refuse_potential(special_rows(name()), P::value,
                            pair_potentials().find(problem.potential).name());
  }

  void prepare(const Args& args) override {
    pack(args);
    if (any_order()) set_range(args);
    extent_now_ = {};
    box_ = args.box;
    if (problem_.entries == 0 || !find_far(args)) return;
    space_.reduce("longest special pair", args.targets(), extent_now_,
                  SpecialExtentRow<Storage>{ListedSeparation<Storage>(args), args.offsets,
                                            args.partners, args.kinds, far_.data()},
                  JoinListedExtents{}, extent_.data(), workspace_.get());
    extent_now_ = extent_.read();
    require_certain_images(extent_now_, "the scaled or excluded pair of");
  }

  void execute(const Args& args) override {
    SpecialLaunch<P, Space> launch{space_,
                                   args,
                                   args.targets(),
                                   &potential_,
                                   numbers_.data(),
                                   tally_.data(),
                                   workspace_.get(),
                                   any_order() ? fixed_tally_.data() : nullptr,
                                   range_};
    row_.template as<SpecialFunction<P, Space>*>()(launch);
  }

  [[nodiscard]] double allowed_displacement(const Box& box) const override {
    if (near_reach_ > certain_distance(box)) return -1;
    return 0.5 * extent_now_.slack - box_displacement(box, box_);
  }

 private:
  [[nodiscard]] bool any_order() const { return problem_.determinism == Determinism::any_order; }

  void set_range(const Args& args) {
    PairForceArgs<Storage> pairs;
    pairs.positions = {args.positions.data, {problem_.atoms, 3}};  // for the number of atoms
    pairs.charges = args.charges;
    pairs.largest_charge = args.largest_charge;
    pairs.coefficients = special_table(potential_, args.coefficients);
    const double charge =
        largest_charge(space_, pairs, potential_, largest_charge_, workspace_.get());
    range_ = special_range(potential_, args.coefficients, charge, args.box);
  }

  /// Finds the kinds whose pairs act beyond the distance within which the nearest image is certain.
  /// \returns whether there are any.
  bool find_far(const Args& args) {
    near_reach_ = 0;
    std::vector<std::int32_t> far;
    for (const double reach : special_reaches(potential_, args.coefficients)) {
      far.push_back(reach > certain_distance(args.box) ? 1 : 0);
      if (far.back() == 0) near_reach_ = std::max(near_reach_, reach);
    }
    far_.upload(far.data(), std::ssize(far));
    return std::find(far.begin(), far.end(), 1) != far.end();
  }

  void pack(const Args& args) {
    const std::vector<double> numbers = pack_special(potential_, args.coefficients);
    numbers_.upload(numbers.data(), std::ssize(numbers));
  }

  SpecialForceProblem problem_;
  PairPotential potential_;
  PairKernel row_;
  Space space_;
  Box box_;
  ListedExtent extent_now_;
  Buffer<double, Space> numbers_;    ///< packed coefficients
  Buffer<std::int32_t, Space> far_;  ///< by kind, whether it acts further than certain_distance()
  double near_reach_ = 0;            ///< largest reach of the other kinds
  Buffer<Tally, Space> tally_;
  Buffer<FixedTally, Space> fixed_tally_;
  Buffer<double, Space> largest_charge_;
  PairRange range_;
  Buffer<ListedExtent, Space> extent_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SPECIAL_FORCE_SPECIAL_FORCE_PORTABLE_HPP
