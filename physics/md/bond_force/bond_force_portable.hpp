#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/shortest_number.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/md/bond_force/bond_force.hpp>
#include <tessera/md/bond_forms/coul_rf_excluded.hpp>
#include <tessera/md/bond_forms/harmonic.hpp>
#include <tessera/md/displacement/displacement.hpp>
#include <tessera/md/minimum_image.hpp>
#include <tessera/md/tally.hpp>
#include <vector>

/// \file
/// The portable body of md/bond_force: one work item an atom, which goes through its own entries.
/// Every pair is evaluated for both of its atoms, so that no atomics are needed and the bits
/// repeat.

namespace tessera::md {

template <class Real>
struct BondDistance {
  Real r_sq;
  [[nodiscard]] TESSERA_INLINE Real squared() const { return r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse_squared() const { return Real(1) / r_sq; }
  [[nodiscard]] TESSERA_INLINE Real inverse() const { return Real(1) / length(); }
  [[nodiscard]] TESSERA_INLINE Real length() const { return std::sqrt(r_sq); }
};

template <class Real>
struct BondAtom {
  Real charge;
};

template <class P, class Form>
struct BondRow {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;

  View<const Storage, 2> positions;
  View<const Storage, 1> charges;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> partners;
  View<const std::int32_t, 1> kinds;
  View<Storage, 2> forces;
  bool add;
  MinimumImage image;
  const Real* coefficients;

  TESSERA_FUNCTION void operator()(std::int64_t i) const { row<false>(i, nullptr); }
  TESSERA_FUNCTION void operator()(std::int64_t i, Tally& tally) const { row<true>(i, &tally); }

 private:
  template <bool Tallied>
  TESSERA_INLINE void row(std::int64_t i, Tally* tally) const {
    const std::int32_t begin = offsets(i);
    const std::int32_t end = offsets(i + 1);
    if (begin == end && add) return;
    Real sum[3] = {};
    for (std::int32_t entry = begin; entry < end; ++entry) {
      const std::int64_t j = partners(entry);
      const Vec3<double> s =
          image({static_cast<double>(positions(i, 0)) - static_cast<double>(positions(j, 0)),
                 static_cast<double>(positions(i, 1)) - static_cast<double>(positions(j, 1)),
                 static_cast<double>(positions(i, 2)) - static_cast<double>(positions(j, 2))});
      const Real d[3] = {static_cast<Real>(s.x), static_cast<Real>(s.y), static_cast<Real>(s.z)};
      const BondDistance<Real> r{d[0] * d[0] + d[1] * d[1] + d[2] * d[2]};
      Real force_over_r = 0;
      Real energy = 0;
      const std::int64_t kind = kinds.given() ? kinds(entry) : 0;
      Form().at(r, coefficients + kind * Form::width, atom(i), atom(j), force_over_r, energy);
      if (r.r_sq == Real(0)) force_over_r = 0;
      for (int a = 0; a < 3; ++a)
        sum[a] += force_over_r * d[a];
      if constexpr (Tallied) {
        tally->energy += static_cast<double>(energy);
        const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
        for (int c = 0; c < 6; ++c)
          tally->virial[c] += static_cast<double>(force_over_r * d[pairs[c][0]] * d[pairs[c][1]]);
      }
    }
    for (int a = 0; a < 3; ++a)
      forces(i, a) = static_cast<Storage>(sum[a]) + (add ? forces(i, a) : Storage(0));
  }

  [[nodiscard]] TESSERA_INLINE BondAtom<Real> atom(std::int64_t i) const {
    if constexpr (Form::reads_charge)
      return {static_cast<Real>(charges(i))};
    else
      return {};
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
  View<const Storage, 2> positions;
  View<const std::int32_t, 1> offsets;
  View<const std::int32_t, 1> partners;
  MinimumImage image;

  TESSERA_FUNCTION void operator()(std::int64_t i, BondExtent& extent) const {
    for (std::int32_t entry = offsets(i); entry < offsets(i + 1); ++entry) {
      const std::int64_t j = partners(entry);
      const Vec3<double> s =
          image({static_cast<double>(positions(i, 0)) - static_cast<double>(positions(j, 0)),
                 static_cast<double>(positions(i, 1)) - static_cast<double>(positions(j, 1)),
                 static_cast<double>(positions(i, 2)) - static_cast<double>(positions(j, 2))});
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
  using Policy = NoPolicy;
  using Args = typename Plan<BondForce, P>::Args;
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr Determinism determinism = Determinism::run_to_run;

  BondForcePortable(const BondForceProblem& problem, const Context& context, const Policy&)
      : problem_(problem),
        space_(space_of<Space>(context)),
        coefficients_(space_),
        tally_(space_, 1),
        extent_(space_, 1),
        workspace_(space_) {
    run_ = nullptr;
    if (problem.form == "harmonic") use<forms::HarmonicBond>();
    if (problem.form == "coul/rf/excluded") use<forms::CoulRfExcluded>();
    workspace_.require(Space::template reduce_bytes<Tally>(problem.atoms));
    workspace_.require(Space::template reduce_bytes<BondExtent>(problem.atoms));
  }

  static Refusal can_run(const BondForceProblem& problem, const Context&) {
    static_cast<void>(bond_form(problem.form));
    return {};
  }

  void prepare(const Args& args) override {
    pack_(*this, args);
    extent_now_ = {0, std::numeric_limits<double>::infinity(), -1, -1};
    box_ = args.box;
    if (problem_.entries == 0) return;
    space_.reduce(
        "longest bond", problem_.atoms, extent_now_,
        ExtentRow<Storage>{args.positions, args.offsets, args.partners, MinimumImage(args.box)},
        JoinExtents{}, extent_.data(), workspace_.get());
    extent_now_ = extent_.read();
    require_short_bonds(extent_now_);
  }

  void execute(const Args& args) override { run_(*this, args); }

  [[nodiscard]] double allowed_displacement(const Box& box) const override {
    return 0.5 * extent_now_.slack - box_displacement(box, box_);
  }

 private:
  template <class Form>
  void use() {
    run_ = [](BondForcePortable& plan, const Args& args) { plan.template run<Form>(args); };
    pack_ = [](BondForcePortable& plan, const Args& args) { plan.template pack<Form>(args); };
  }

  template <class Form>
  void pack(const Args& args) {
    std::vector<Real> packed;
    for (int kind = 0; kind < problem_.kinds; ++kind) {
      double fields[Form::width];
      double numbers[Form::width];
      for (int f = 0; f < Form::width; ++f)
        fields[f] = args.coefficients(kind, f);
      Form::pack(fields, numbers);
      for (int f = 0; f < Form::width; ++f)
        require_held(numbers[f], kind);
      packed.insert(packed.end(), numbers, numbers + Form::width);
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
                           " does not fit in the pair terms; take double");
  }

  template <class Form>
  void run(const Args& args) {
    const BondRow<P, Form> row{args.positions,
                               args.charges,
                               args.offsets,
                               args.partners,
                               args.kinds,
                               args.forces,
                               args.write == Write::add,
                               MinimumImage(args.box),
                               coefficients_.data()};
    if (!args.energy.given() && !args.virial.given()) {
      space_.for_each("bond force", problem_.atoms, row);
      return;
    }
    space_.reduce("bond force with energy", problem_.atoms, Tally{}, row, JoinTallies{},
                  tally_.data(), workspace_.get());
    space_.for_each("bond energy store", 1,
                    StoreHalfTally{tally_.data(), args.energy, args.virial});
  }

  BondForceProblem problem_;
  Space space_;
  void (*run_)(BondForcePortable&, const Args&) = nullptr;
  void (*pack_)(BondForcePortable&, const Args&) = nullptr;
  Box box_;
  BondExtent extent_now_;
  Buffer<Real, Space> coefficients_;
  Buffer<Tally, Space> tally_;
  Buffer<BondExtent, Space> extent_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md
