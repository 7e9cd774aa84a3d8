#include "cell_table.hpp"
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/plugin.hpp>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_potential/pair_table.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

/// \file
/// md/pair_force by cells without a neighbor list: execute() sorts the atoms in every step and
/// tests the distance of each atom to all atoms in the 27 cells around it. prepare() is therefore
/// cheap, and atoms may move any distance between two calls of it.

namespace example {
namespace {

using tessera::Context;
using tessera::ParameterRules;
using tessera::ParticleError;
using tessera::Refusal;
using tessera::TuningParameter;
using tessera::TuningParameters;
namespace md = tessera::md;

struct CellsPolicy {
  int cells_per_task = 4;  ///< cells that a thread takes at a time

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"cells_per_task", &CellsPolicy::cells_per_task,
                                   std::array{1, 4, 16, 64}}},
        ParameterRules<CellsPolicy>{.refusal = &CellsPolicy::refusal}};
  }
  /// Empty if the parameters are valid; otherwise describes valid values.
  [[nodiscard]] Refusal refusal() const {
    if (cells_per_task > 0) return {};
    return "cells_per_task of 1 or more";
  }
};

/// Energy, then the virial xx yy zz xy xz yz.
using Totals = std::array<double, 7>;

template <class P>
class CellsPlan : public tessera::Plan<md::PairForce, P> {
 public:
  using Parameters = CellsPolicy;
  using Args = typename tessera::Plan<md::PairForce, P>::Args;
  static constexpr tessera::PlanTraits<md::PairForce> traits{
      .determinism = tessera::Determinism::run_to_run,
      .description = "cells sorted at every step, no neighbor list"};

  CellsPlan(const md::PairForceProblem& problem, const Context&, const Parameters& parameters)
      : problem_(problem),
        potential_(md::pair_potentials().find(problem.potential)),
        parameters_(parameters) {
    const std::int64_t most_cells = 1 + problem.atoms;
    table_.reserve(problem.atoms, most_cells);
    totals_.resize(static_cast<std::size_t>(most_cells));
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    if (problem.exclusions) return "meets every pair, also excluded ones";
    return refuse(problem.box, problem.cutoff);
  }

  /// Infinite in any box that the cells support, which may differ from the box of prepare().
  [[nodiscard]] double allowed_displacement(const md::Box& box) const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return refuse(box, problem_.cutoff) ? -infinity : infinity;
  }
  using md::PairForcePlanInterface::allowed_displacement;

  void prepare(const Args& args) override {
    // PairPotential::evaluate() supports any pair potential, at the cost of a call per pair. A fast
    // kernel is compiled for each potential instead (md/pair_potential/pair_kernels.hpp).
    numbers_ = md::pack_pair_table(potential_, args.coefficients, {}, &samples_);
    for (std::int64_t i = 0; i < problem_.atoms; ++i)
      for (int d = 0; d < 3; ++d)
        if (!std::isfinite(args.positions(i, d)))
          throw ParticleError(
              {i}, "the position of atom " + std::to_string(i) + " is not a finite number");
    require(args.box);
    sort(args);
    for (std::int64_t cell = 0; cell < table_.cells(); ++cell)
      refuse_coincident(args.box, args.targets(), cell);
  }

  void execute(const Args& args) override {
    require(args.box);
    sort(args);
    const std::int64_t cells = table_.cells();
    const bool tally = args.energy.given();
#pragma omp parallel for schedule(dynamic, parameters_.cells_per_task)
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      Totals totals{};
      if (tally)
        forces_of_cell<true>(args, cell, totals);
      else
        forces_of_cell<false>(args, cell, totals);
      totals_[static_cast<std::size_t>(cell)] = totals;
    }
    if (!tally) return;
    // A sum over cells in their order does not depend on which thread computed which cell.
    Totals sum{};
    for (std::int64_t cell = 0; cell < cells; ++cell)
      for (std::size_t t = 0; t < sum.size(); ++t)
        sum[t] += 0.5 * totals_[static_cast<std::size_t>(cell)][t];
    args.energy(0) = sum[0];
    for (std::size_t t = 0; t < 6; ++t)
      args.virial(t) = sum[t + 1];
  }

 private:
  static Refusal refuse(const md::Box& box, double cutoff) {
    if (auto reason = md::refuse_small_box(box, cutoff)) return reason;
    if (box.tilted()) return "the box is tilted, and these cells know right angles alone";
    return {};
  }

  void require(const md::Box& box) const {
    if (const auto reason = refuse(box, problem_.cutoff)) throw md::BoxError("", *reason);
  }

  void sort(const Args& args) {
    table_.sort(
        args.box, problem_.cutoff, problem_.atoms,
        [&](std::int64_t i, int d) { return static_cast<double>(args.positions(i, d)); },
        [&](std::int64_t i) { return args.types(i); });
  }

  double charge(const Args& args, std::int64_t atom) const {
    return potential_.reads(md::AtomData::charge) ? static_cast<double>(args.charges(atom)) : 0;
  }

  /// Vector from `b` to the nearest image of `a`.
  static void difference(const md::Box& box, const CellTable::Atom& a, const CellTable::Atom& b,
                         double (&r)[3]) {
    for (int d = 0; d < 3; ++d) {
      r[d] = a.position[d] - b.position[d];
      if (!box.periodic[d]) continue;
      r[d] -= box.length[d] * std::nearbyint(r[d] / box.length[d]);
    }
  }

  template <bool tally>
  void forces_of_cell(const Args& args, std::int64_t cell, Totals& totals) const {
    std::int64_t around[27];
    const int n = table_.neighbors(args.box, cell, around);
    for (const CellTable::Atom* a = table_.begin(cell); a != table_.end(cell); ++a) {
      if (a->index >= args.targets()) continue;
      double force[3] = {0, 0, 0};
      for (int c = 0; c < n; ++c)
        for (const CellTable::Atom* b = table_.begin(around[c]); b != table_.end(around[c]); ++b) {
          if (a == b) continue;
          double r[3];
          difference(args.box, *a, *b, r);
          const double r_sq = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
          const double* const row = row_of(*a, *b);
          if (!(r_sq < row[0])) continue;
          const md::PairValue value =
              potential_.evaluate(row, std::sqrt(r_sq), charge(args, a->index),
                                  charge(args, b->index), samples_.data());
          const double f = value.force_over_r;
          for (int d = 0; d < 3; ++d)
            force[d] += f * r[d];
          if constexpr (tally) {
            totals[0] += value.energy;
            totals[1] += f * r[0] * r[0];
            totals[2] += f * r[1] * r[1];
            totals[3] += f * r[2] * r[2];
            totals[4] += f * r[0] * r[1];
            totals[5] += f * r[0] * r[2];
            totals[6] += f * r[1] * r[2];
          }
        }
      for (int d = 0; d < 3; ++d)
        args.forces(a->index, d) = static_cast<typename P::Storage>(
            force[d] + (args.write == md::Write::add ? args.forces(a->index, d) : 0));
    }
  }

  /// Parameters of a pair. The first one is the square of its cutoff: 0 where the pair does not
  /// interact.
  [[nodiscard]] const double* row_of(const CellTable::Atom& a, const CellTable::Atom& b) const {
    return numbers_.data() + (a.type * problem_.types + b.type) * potential_.table_width();
  }

  void refuse_coincident(const md::Box& box, std::int64_t targets, std::int64_t cell) const {
    std::int64_t around[27];
    const int n = table_.neighbors(box, cell, around);
    for (const CellTable::Atom* a = table_.begin(cell); a != table_.end(cell); ++a) {
      if (a->index >= targets) continue;
      for (int c = 0; c < n; ++c)
        for (const CellTable::Atom* b = table_.begin(around[c]); b != table_.end(around[c]); ++b) {
          double r[3];
          difference(box, *a, *b, r);
          if (a->index < b->index && r[0] == 0 && r[1] == 0 && r[2] == 0 && row_of(*a, *b)[0] > 0)
            throw md::CoincidentAtoms(a->index, b->index);
        }
    }
  }

  md::PairForceProblem problem_;
  md::PairPotential potential_;
  CellsPolicy parameters_;
  CellTable table_;
  std::vector<double> numbers_;  ///< parameters of each pair of types
  std::vector<double> samples_;  ///< samples of tabulated potentials
  std::vector<Totals> totals_;   ///< totals of each cell
};

template <class P>
void add(tessera::Registry& registry) {
  // Its rank is below the hand-tuned implementations of the library, so that it runs only on
  // request.
  registry.add(tessera::plugin_implementation<CellsPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, tessera::MemorySpace::host,
      tessera::priority::portable - 1));
}

}  // namespace
}  // namespace example

TESSERA_PLUGIN(registry) {
  example::add<tessera::Double>(registry);
  example::add<tessera::Mixed>(registry);
  example::add<tessera::Single>(registry);
}
