#ifndef TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_PORTABLE_HPP
#define TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/base/error.hpp"
#include "core/base/shortest_number.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/listed_force/listed_extent.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/listed_force/listed_force_kernel.hpp"
#include "physics/md/listed_force/listed_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// The portable body of md/listed_force: one work item for each atom, which loops over its own
/// entries. Every term is evaluated for each of its atoms, so that no atomics are needed and
/// results are reproducible.

namespace tessera::md {

/// Separations of an atom from its neighbors in terms.
template <class Storage>
struct ListedExtentRow {
  ListedPositions<Storage> positions;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> kinds;
  View<const std::int32_t, 1> places;
  View<const std::int32_t, 1> partners;
  ListedKinds all;

  TESSERA_FUNCTION void operator()(std::int64_t i, ListedExtent& extent) const {
    const MinimumImage& image = positions.image;
    const Vec3<double> here = positions.at(positions.row_of(i));
    for (std::int32_t entry = offsets(i); entry < offsets(i + 1); ++entry) {
      const int atoms = ListedKinds::atoms_of(all.class_of(kinds(entry)));
      const int place = places(entry);
      // The partner before this atom has the number place - 1, the one after it the number place.
      for (int partner = place - 1; partner <= place; ++partner) {
        if (partner < 0 || partner >= atoms - 1) continue;
        const std::int64_t j = partners(most_partners * entry + partner);
        const Vec3<double> s = positions.between(here, positions.at(positions.row_of(j)));
        extent.add(image, s, i, j);
      }
    }
  }
};

/// Body of a loop over atoms that sums tallies and also stores the shares of each atom.
template <class Row>
struct ListedRowByAtom {
  Row row;
  View<double, 1> energies;
  View<double, 2> virials;

  TESSERA_FUNCTION void operator()(std::int64_t i, ListedTally& sum) const {
    ListedTally own;
    row(i, own);
    Tally all;
    for (const Tally& tally : own.of_class)
      JoinTallies{}(all, tally);
    if (energies.given()) energies(i) = all.energy;
    if (virials.given())
      for (int c = 0; c < 6; ++c)
        virials(i, c) = all.virial[c];
    JoinByClass<JoinTallies>{}(sum, own);
  }
};

template <class P, ExecutionSpace Space>
class ListedForcePortable : public Plan<ListedForce, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<ListedForce, P>::Args;
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr PlanTraits<ListedForce> traits{.determinism = Determinism::run_to_run,
                                                  .determinism_on_request = Determinism::any_order,
                                                  .features = {.by_atom = true}};

  ListedForcePortable(const ListedForceProblem& problem, const Context& context, const Parameters&)
      : problem_(problem),
        kinds_(problem),
        space_(space_of<Space>(context)),
        coefficients_(space_),
        tally_(space_, 1),
        fixed_tally_(space_),
        extent_(space_, 1),
        workspace_(space_) {
    for (std::size_t c = 0; c < listed_classes; ++c)
      potentials_[c] = listed_potential(static_cast<int>(c), problem.classes[c].potential);
    workspace_.require(Space::template reduce_bytes<ListedTally>(problem.atoms));
    workspace_.require(Space::template reduce_bytes<ListedExtent>(problem.atoms));
    if (any_order()) {
      fixed_tally_.require(1);
      workspace_.require(Space::template reduce_bytes<FixedListedTally>(problem.atoms));
    }
  }

  [[nodiscard]] static std::string name() { return std::string(Space::backend) + ".portable"; }

  static Refusal can_run(const ListedForceProblem& problem, const Context&, const Parameters&) {
    for (std::size_t c = 0; c < listed_classes; ++c)
      static_cast<void>(listed_potential(static_cast<int>(c), problem.classes[c].potential));
    return {};
  }

  void prepare(const Args& args) override {
    pack(args);
    if (any_order()) range_ = listed_range(potentials_, args.coefficients, args.box);
    longest_ = {};
    box_ = args.box;
    if (problem_.entries == 0) return;
    space_.reduce("longest separation in a listed term", args.targets(), longest_,
                  ListedExtentRow<Storage>{ListedPositions<Storage>(args), args.offsets, args.kinds,
                                           args.places, args.partners, kinds_},
                  JoinListedExtents{}, extent_.data(), workspace_.get());
    longest_ = extent_.read();
    require_certain_images(longest_, "the separation in a listed term of");
  }

  void execute(const Args& args) override {
    const bool by_atom = args.energies.given() || args.virials.given();
    if (any_order() && !by_atom) {
      run<FixedListedSums>("listed force in fixed point", args, fixed_tally_.data());
      return;
    }
    using Row = ListedKernel<P>;
    if (!by_atom) {
      run<ListedSums>("listed force", args, tally_.data());
      return;
    }
    space_.reduce("listed force by atom", args.targets(), ListedTally{},
                  ListedRowByAtom<Row>{row<ListedSums>(args), args.energies, args.virials},
                  JoinByClass<JoinTallies>{}, tally_.data(), workspace_.get(), store(args));
  }

  [[nodiscard]] double allowed_displacement(const Box& box) const override {
    return 0.5 * longest_.slack - box_displacement(box, box_);
  }

 private:
  [[nodiscard]] bool any_order() const { return problem_.determinism == Determinism::any_order; }

  template <template <class> class Sums>
  [[nodiscard]] ListedKernel<P, Sums> row(const Args& args) const {
    return ListedKernel<P, Sums>(args, kinds_, coefficients_.data(), range_);
  }

  template <template <class> class Sums, class Tally>
  void run(const char* label, const Args& args, Tally* tally) {
    if (!args.energy.given() && !args.virial.given()) {
      space_.for_each(label, args.targets(), row<Sums>(args));
      return;
    }
    space_.reduce(label, args.targets(), Tally{}, row<Sums>(args),
                  JoinByClass<typename Sums<Real>::Join>{}, tally, workspace_.get(), store(args));
  }
  [[nodiscard]] StoreListedTally store(const Args& args) const {
    StoreListedTally store{args.energy, args.virial};
    for (std::size_t c = 0; c < listed_classes; ++c)
      store.present[c] = problem_.classes[c].types > 0;
    const double count = std::ldexp(1.0, reduction::fixed_point::unit_exponent);
    store.energy_unit = count * range_.energy;
    store.virial_unit = count * range_.virial();
    return store;
  }

  void pack(const Args& args) {
    std::vector<Real> packed;
    for (std::size_t c = 0; c < listed_classes; ++c)
      for (std::int64_t type = 0; type < problem_.classes[c].types; ++type) {
        ListedPotential::OfType own = potentials_[c].of_type(args.coefficients[c], type);
        own.packed.resize(potentials::widest_listed);
        packed.push_back(static_cast<Real>(own.part->index));
        for (const double number : own.packed) {
          require_held(number, listed_class[c].name, type);
          packed.push_back(static_cast<Real>(number));
        }
      }
    coefficients_.upload(packed.data(), std::ssize(packed));
  }

  static void require_held(double number, const char* of_class, std::int64_t type) {
    using Limits = std::numeric_limits<Real>;
    const double size = std::abs(number);
    if (size == 0 || (size >= double{Limits::min()} && size <= double{Limits::max()})) return;
    throw RefusalError("md/listed_force in " + std::string(tessera::name(P::value)),
                       "the coefficient " + shortest_number(number) + " of " + of_class + " type " +
                           std::to_string(type + 1) + " does not fit in the terms; use double");
  }

  ListedForceProblem problem_;
  std::array<ListedPotential, listed_classes> potentials_;
  ListedKinds kinds_;
  Space space_;
  Box box_;
  ListedExtent longest_;
  Buffer<Real, Space> coefficients_;
  Buffer<ListedTally, Space> tally_;
  Buffer<FixedListedTally, Space> fixed_tally_;
  PairRange range_;
  Buffer<ListedExtent, Space> extent_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_LISTED_FORCE_LISTED_FORCE_PORTABLE_HPP
