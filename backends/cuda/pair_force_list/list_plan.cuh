#pragma once

#include <cstdint>
#include <string>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/execution/grow_until_fits.hpp>
#include <tessera/core/operations/plugin.hpp>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/neighbor/cell_order.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <type_traits>
#include <vector>

#include "coordinates.cuh"
#include "force.cuh"
#include "policy.hpp"
#include "search.cuh"

/// \file
/// The plan of cuda.list.

namespace tessera::cuda::pair_force_list {

/// Extent of the atoms, for directions that are not periodic.
struct Bounds {
  double low[3] = {1e300, 1e300, 1e300};
  double high[3] = {-1e300, -1e300, -1e300};
};

struct JoinBounds {
  TESSERA_FUNCTION void operator()(Bounds& into, const Bounds& from) const {
    for (int d = 0; d < 3; ++d) {
      if (from.low[d] < into.low[d]) into.low[d] = from.low[d];
      if (from.high[d] > into.high[d]) into.high[d] = from.high[d];
    }
  }
};

template <class Storage>
struct AtomBounds {
  View<const Storage, 2> positions;

  TESSERA_FUNCTION void operator()(std::int64_t i, Bounds& bounds) const {
    for (int d = 0; d < 3; ++d) {
      const double x = static_cast<double>(positions(i, d));
      if (x < bounds.low[d]) bounds.low[d] = x;
      if (x > bounds.high[d]) bounds.high[d] = x;
    }
  }
};

/// The lists as ExclusionFilter sees them.
struct ListMatrix {
  std::int32_t* neighbors;
  std::int32_t* counts;
  std::int32_t capacity;

  [[nodiscard]] TESSERA_INLINE std::int32_t& at(std::int64_t k, std::int32_t slot) const {
    return neighbors[slot_index(k, slot, capacity)];
  }
};

template <class P>
class ListPlan : public Plan<md::PairForce, P> {
 public:
  using Policy = pair_force_list::Policy;
  using Args = typename Plan<md::PairForce, P>::Args;
  using Storage = typename P::Storage;
  using Coordinates =
      std::conditional_t<std::is_same_v<typename P::Compute, double>, DoublePosition, FixedPoint>;
  using Real = typename Coordinates::Real;

  ListPlan(const md::PairForceProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        form_(md::pair_forms().find(problem.form)),
        row_(md::form_rows().find(TESSERA_PLUGIN_NAME, P::value, form_).value()),
        policy_(policy),
        skin_(md::effective_skin(problem, policy.skin_over_cutoff * problem.cutoff)),
        threads_per_atom_(policy.threads_per_atom),
        space_(space_of<Space>(context)),
        cells_(space_),
        packed_(space_, problem.atoms + 1),
        offsets_(space_, problem.atoms + 1),
        neighbors_(space_),
        counts_(space_, problem.atoms + 1),
        census_(space_, 1),
        excluded_(space_),
        charges_(space_),
        table_(space_),
        bounds_(space_, 1),
        tally_(space_, 1),
        workspace_(space_) {
    workspace_.require(Space::template reduce_bytes<md::PairTally>(problem.atoms));
    if (form_.reads_charge()) charges_.require(problem.atoms + 1);
    if (threads_per_atom_ == 0) {
      // As few as give every multiprocessor something like a full load of threads.
      for (const int threads : ThreadsPerAtom::values) {
        threads_per_atom_ = threads;
        if (problem.atoms * threads >= context.device->properties().concurrency) break;
      }
    }
  }

  static Refusal can_run(const md::PairForceProblem& problem, const Context&) {
    if (auto refusal = md::refuse_form(TESSERA_PLUGIN_NAME, P::value, problem.form)) return refusal;
    if (auto refusal = md::refuse_small_box(problem)) return refusal;
    if constexpr (std::is_same_v<Coordinates, FixedPoint>) {
      for (int d = 0; d < 3; ++d)
        if (problem.box.length[d] > 4000 * problem.cutoff)
          return "a box of " + std::to_string(problem.box.length[d]) + " along " + "xyz"[d] +
                 " is more than 4000 cutoffs, too long for 32-bit fractions; take cuda.portable, "
                 "or "
                 "double";
    }
    return {};
  }

  void prepare(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const std::int64_t n = problem_.atoms;
    // A float holds sigma^12 only in units that suit it; F = E / unit times a separation in units.
    if constexpr (std::is_same_v<Real, float>) {
      const double length = md::typical_length(form_, args.coefficients);
      units_ = md::pair_units(form_, args.coefficients, length, length);
    }
    const std::vector<double> table = md::pack_pair_table(form_, args.coefficients, units_);
    host_table_.assign(table.begin(), table.end());
    table_.upload(host_table_.data(), static_cast<std::int64_t>(host_table_.size()));
    find_bounds(args);
    if (n == 0) return;

    const double reach = (problem_.cutoff + skin_) * (1 + 1e-5);
    cells_.build(args.positions, md::CellGrid::make(args.box, reach, 4 * n + 64));
    offset_atoms<<<blocks(n, 128), 128, 0, space_.stream()>>>(n, args.positions, cells_.order(),
                                                              cells_.grid(), offsets_.data());
    check(cudaGetLastError(), "offset_atoms");
    if (capacity_ == 0) capacity_ = 96;
    Census census{};
    capacity_ = grow_until_fits(capacity_, [&](std::int32_t capacity) {
      neighbors_.require((n + 31) / 32 * 32 * capacity);
      space_.fill(census_.data(), 0, sizeof(Census));
      find_neighbors<<<blocks(n, 128), 128, 0, space_.stream()>>>(
          n, args.positions, cells_.order(), cells_.starts(), cells_.grid(),
          md::MinimumImage(args.box), offsets_.data(), static_cast<float>(reach * reach), capacity,
          neighbors_.data(), counts_.data(), census_.data());
      check(cudaGetLastError(), "find_neighbors");
      census = census_.read();
      return census.longest;
    });
    per_atom_ = static_cast<double>(census.total) / static_cast<double>(n);
    if (census.coincident != 0) report_coincident(census.coincident);
    if (args.exclusions.given())
      excluded_.apply(args.exclusions, cells_.order(), n,
                      ListMatrix{neighbors_.data(), counts_.data(), capacity_}, 1);
  }

  void execute(const Args& args) override {
    const std::int64_t n = problem_.atoms;
    if (n == 0) {
      store_totals(args);
      return;
    }
    const CurrentDevice current(space_.ordinal());
    const Coordinates coordinates(args.box, lower_, period_, units_.length);
    pack_atoms<<<blocks(n, 256), 256, 0, space_.stream()>>>(
        n, args.positions, args.types, cells_.order(), coordinates, packed_.data());
    check(cudaGetLastError(), "pack_atoms");
    if (form_.reads_charge())
      space_.for_each("pack charges", n,
                      md::PackCharges<Storage, Real>{args.charges, cells_.order(), charges_.data(),
                                                     1 / units_.charge});
    const bool tally = args.energy.given() || args.virial.given();
    PairLaunch<Coordinates, Storage> launch{
        space_,
        {packed_.data(), charges_.data(), cells_.order(), neighbors_.data(), counts_.data(), n,
         capacity_, coordinates, table_.data(), problem_.types, form_.table_width(), args.forces,
         args.write == md::Write::add},
        host_table_.data(),
        threads_per_atom_,
        policy_.block_size,
        tally ? tally_.data() : nullptr,
        workspace_.get(),
        row_.opaque};
    row_.template as<PairRow<Coordinates, Storage>*>()(launch);
    if (tally)
      space_.for_each(
          "pair energy store", 1,
          md::StoreTally{tally_.data(), args.energy, args.virial, units_.energy, units_.energy});
  }

  [[nodiscard]] double allowed_displacement() const override { return skin_ / 2; }
  [[nodiscard]] double neighbors_per_atom() const override { return per_atom_; }

 private:
  [[nodiscard]] static unsigned blocks(std::int64_t threads, int size) {
    return static_cast<unsigned>((threads + size - 1) / size);
  }

  void store_totals(const Args& args) {
    if (!args.energy.given() && !args.virial.given()) return;
    space_.fill(tally_.data(), 0, sizeof(md::PairTally));
    space_.for_each("pair energy store", 1,
                    md::StoreTally{tally_.data(), args.energy, args.virial, 1, 1});
  }

  /// Fixed point needs a period in directions that have none: twice what the atoms can span.
  void find_bounds(const Args& args) {
    for (int d = 0; d < 3; ++d) {
      lower_[d] = args.box.lower[d];
      period_[d] = args.box.length[d];
    }
    const bool open = !args.box.periodic[0] || !args.box.periodic[1] || !args.box.periodic[2];
    if (!open || std::is_same_v<Coordinates, DoublePosition> || problem_.atoms == 0) return;
    workspace_.require(Space::template reduce_bytes<Bounds>(problem_.atoms));
    space_.reduce("bounds", problem_.atoms, Bounds{}, AtomBounds<Storage>{args.positions},
                  JoinBounds{}, bounds_.data(), workspace_.get());
    const Bounds bounds = bounds_.read();
    for (int d = 0; d < 3; ++d) {
      const double margin = problem_.cutoff + 2 * skin_;
      lower_[d] = bounds.low[d] - margin;
      period_[d] = 2 * (bounds.high[d] - bounds.low[d] + 2 * margin);
    }
  }

  [[noreturn]] void report_coincident(unsigned long long pair) {
    std::int32_t first = 0;
    std::int32_t second = 0;
    space_.copy_to_host(&first, cells_.order() + ((pair >> 32) - 1), sizeof first);
    space_.copy_to_host(&second, cells_.order() + ((pair & 0xffffffffULL) - 1), sizeof second);
    throw md::CoincidentAtoms(first, second);
  }

  md::PairForceProblem problem_;
  md::PairForm form_;
  md::FormRow row_;
  Policy policy_;
  double skin_;
  int threads_per_atom_;
  Space space_;
  md::CellOrder<Space> cells_;
  Buffer<typename Coordinates::Atom, Space> packed_;
  Buffer<float4, Space> offsets_;
  Buffer<std::int32_t, Space> neighbors_;
  Buffer<std::int32_t, Space> counts_;
  Buffer<Census, Space> census_;
  md::ExclusionFilter<Space> excluded_;
  Buffer<Real, Space> charges_;
  std::vector<Real> host_table_;
  Buffer<Real, Space> table_;
  Buffer<Bounds, Space> bounds_;
  Buffer<md::PairTally, Space> tally_;
  WorkspaceBuffer<Space> workspace_;
  md::PairUnits units_;
  double lower_[3] = {};
  double period_[3] = {};
  std::int32_t capacity_ = 0;
  double per_atom_ = 0;
};

template <class P>
[[nodiscard]] std::unique_ptr<ImplementationBase> make_list() {
  return plugin_implementation<md::PairForce, P, ListPlan<P>>(
      TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND, MemorySpace::cuda, Determinism::run_to_run,
      "neighbor matrix in cell order, fixed-point coordinates below double");
}

}  // namespace tessera::cuda::pair_force_list
