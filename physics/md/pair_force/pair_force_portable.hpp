#pragma once

#include <array>
#include <cstdint>
#include <tessera/core/base/device_code.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/execution_space.hpp>
#include <tessera/md/minimum_image.hpp>
#include <tessera/md/neighbor/neighbor_list.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <vector>

/// \file
/// The portable body of md/pair_force: a full neighbor matrix in cell order, one work item an atom,
/// no atomics. Separations are taken in double from the caller's coordinates; in mixed and single
/// precision they become float after that.

namespace tessera::md {

struct PairForcePolicy {
  double skin_over_cutoff = 0.16;  ///< width of the neighbor shell unless the problem asks for one

  static constexpr auto knobs() {
    return std::tuple{Knob{"skin_over_cutoff", &PairForcePolicy::skin_over_cutoff,
                           std::array{0.06, 0.08, 0.1, 0.12, 0.16, 0.2, 0.24}}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (skin_over_cutoff >= 0) return {};
    return "a skin_over_cutoff of 0 or more";
  }
};

/// Energy and virial of a range of atoms; each pair is met twice.
struct PairTally {
  double energy = 0;
  double virial[6] = {};
};

struct JoinTally {
  TESSERA_FUNCTION void operator()(PairTally& into, const PairTally& from) const {
    into.energy += from.energy;
    for (int c = 0; c < 6; ++c)
      into.virial[c] += from.virial[c];
  }
};

struct StoreTally {
  const PairTally* tally;
  View<double, 1> energy;
  View<double, 1> virial;

  TESSERA_FUNCTION void operator()(std::int64_t) const {
    if (energy.given()) energy(0) = 0.5 * tally->energy;
    if (virial.given())
      for (int c = 0; c < 6; ++c)
        virial(c) = 0.5 * tally->virial[c];
  }
};

/// Force on the k-th atom in cell order. `Lanes` neighbors are treated at once where one thread
/// runs along a row, in loops that a compiler turns into vector instructions.
template <class P, bool Coalesced, int Lanes, bool OneType>
struct PairForceRow {
  using Storage = typename P::Storage;
  using Real = typename P::Compute;

  const PackedAtom<Storage>* atoms;
  const std::int32_t* order;
  NeighborMatrix<Coalesced> matrix;
  MinimumImage image;
  LennardJonesTerm<Real> only_term;
  const LennardJonesTerm<Real>* terms;
  int types;
  View<Storage, 2> forces;

  TESSERA_FUNCTION void operator()(std::int64_t k) const { row<false>(k, nullptr); }
  TESSERA_FUNCTION void operator()(std::int64_t k, PairTally& tally) const { row<true>(k, &tally); }

 private:
  template <bool Tally>
  TESSERA_INLINE void row(std::int64_t k, PairTally* tally) const {
    const PackedAtom<Storage> me = atoms[k];
    const std::int32_t count = matrix.counts[k];
    Real fx[Lanes] = {};
    Real fy[Lanes] = {};
    Real fz[Lanes] = {};
    Real sums[Tally ? 7 : 1][Lanes] = {};
    for (std::int32_t slot = 0; slot < count; slot += Lanes) {
      Storage x[Lanes];
      Storage y[Lanes];
      Storage z[Lanes];
      LennardJonesTerm<Real> term[OneType ? 1 : Lanes];
      for (int lane = 0; lane < Lanes; ++lane) {
        const PackedAtom<Storage>* const other = atoms + matrix.at(k, slot + lane);
        x[lane] = other->x;
        y[lane] = other->y;
        z[lane] = other->z;
        if constexpr (!OneType) term[lane] = terms[me.type * types + other->type];
      }
      if constexpr (OneType) term[0] = only_term;
      for (int lane = 0; lane < Lanes; ++lane) {
        const Real dx = separation(me.x, x[lane], 0);
        const Real dy = separation(me.y, y[lane], 1);
        const Real dz = separation(me.z, z[lane], 2);
        const Real r_sq = dx * dx + dy * dy + dz * dz;
        const LennardJonesTerm<Real>& lj = term[OneType ? 0 : lane];
        const bool inside = (r_sq < lj.cutoff_sq) & (r_sq > Real(0));
        const Real inverse = Real(1) / (inside ? r_sq : Real(1));
        const Real force = inside ? lj.force_over_r(inverse) : Real(0);
        fx[lane] += force * dx;
        fy[lane] += force * dy;
        fz[lane] += force * dz;
        if constexpr (Tally) {
          sums[0][lane] += inside ? lj.energy(inverse) : Real(0);
          sums[1][lane] += force * dx * dx;
          sums[2][lane] += force * dy * dy;
          sums[3][lane] += force * dz * dz;
          sums[4][lane] += force * dx * dy;
          sums[5][lane] += force * dx * dz;
          sums[6][lane] += force * dy * dz;
        }
      }
    }
    const std::int64_t i = order[k];
    forces(i, 0) = static_cast<Storage>(total(fx));
    forces(i, 1) = static_cast<Storage>(total(fy));
    forces(i, 2) = static_cast<Storage>(total(fz));
    if constexpr (Tally) {
      tally->energy += static_cast<double>(total(sums[0]));
      for (int c = 0; c < 6; ++c)
        tally->virial[c] += static_cast<double>(total(sums[c + 1]));
    }
  }

  [[nodiscard]] TESSERA_INLINE Real separation(Storage mine, Storage others, int d) const {
    return static_cast<Real>(image(static_cast<double>(mine) - static_cast<double>(others), d));
  }

  [[nodiscard]] static TESSERA_INLINE Real total(const Real (&lanes)[Lanes]) {
    Real sum = lanes[0];
    for (int lane = 1; lane < Lanes; ++lane)
      sum += lanes[lane];
    return sum;
  }
};

template <class P, ExecutionSpace Space>
class PairForcePortable : public Plan<PairForce, P> {
 public:
  using Policy = PairForcePolicy;
  using Args = typename Plan<PairForce, P>::Args;
  using Storage = typename P::Storage;
  using Real = typename P::Compute;
  static constexpr Determinism determinism = Determinism::run_to_run;
  static constexpr int lanes = Space::coalesced ? 1 : 8;

  PairForcePortable(const PairForceProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        skin_(effective_skin(problem, policy.skin_over_cutoff * problem.cutoff)),
        space_(space_of<Space>(context)),
        list_(space_),
        terms_(space_),
        tally_(space_, 1),
        workspace_(space_) {
    workspace_.require(Space::template reduce_bytes<PairTally>(problem.atoms));
  }

  static Refusal can_run(const PairForceProblem& problem, const Context&) {
    return refuse_small_box(problem);
  }

  void prepare(const Args& args) override {
    std::vector<LennardJonesTerm<Real>> terms;
    for (int a = 0; a < problem_.types; ++a)
      for (int b = 0; b < problem_.types; ++b)
        terms.emplace_back(args.coefficients(a, b));
    terms_.upload(terms.data(), static_cast<std::int64_t>(terms.size()));
    only_term_ = terms.front();
    list_.build(args.positions, args.types, args.box, problem_.cutoff + skin_);
  }

  void execute(const Args& args) override {
    list_.pack(args.positions, args.types);
    if (problem_.types == 1)
      run<true>(args);
    else
      run<false>(args);
  }

  [[nodiscard]] double allowed_displacement() const override { return skin_ / 2; }
  [[nodiscard]] double neighbors_per_atom() const override { return list_.per_atom(); }

 private:
  template <bool OneType>
  void run(const Args& args) {
    const PairForceRow<P, Space::coalesced, lanes, OneType> row{
        list_.atoms(),          list_.order(), list_.matrix(problem_.atoms),
        MinimumImage(args.box), only_term_,    terms_.data(),
        problem_.types,         args.forces};
    if (!args.energy.given() && !args.virial.given()) {
      space_.for_each("pair force", problem_.atoms, row);
      return;
    }
    space_.reduce("pair force with energy", problem_.atoms, PairTally{}, row, JoinTally{},
                  tally_.data(), workspace_.get());
    space_.for_each("pair energy store", 1, StoreTally{tally_.data(), args.energy, args.virial});
  }

  PairForceProblem problem_;
  double skin_;
  Space space_;
  NeighborList<Storage, Space, lanes> list_;
  LennardJonesTerm<Real> only_term_;
  Buffer<LennardJonesTerm<Real>, Space> terms_;
  Buffer<PairTally, Space> tally_;
  WorkspaceBuffer<Space> workspace_;
};

}  // namespace tessera::md
