#ifndef TESSERA_PHYSICS_PIC_REORDER_REORDER_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_REORDER_REORDER_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/reduction.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/grid_axis.hpp"
#include "physics/pic/reorder/reorder.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <string>

/// \file
/// Portable body of pic/reorder: a stable sort by cell number, then every array is permuted through
/// a copy.

namespace tessera::pic {

struct ParticleCounts {
  std::int64_t on_grid, alive;
};

struct JoinParticleCounts {
  TESSERA_FUNCTION void operator()(ParticleCounts& into, const ParticleCounts& from) const {
    into.on_grid += from.on_grid;
    into.alive += from.alive;
  }
};

struct StoreParticleCounts {
  const ParticleCounts* counts;
  View<std::int64_t, 1> result;
  TESSERA_FUNCTION void operator()(std::int64_t) const {
    result(0) = counts->on_grid;
    result(1) = counts->alive;
  }
};

/// Computes the sort keys of particles and counts the particles of each kind.
template <class Storage>
struct CellOfParticle {
  View<const Storage, 2> coordinates;
  View<const std::uint8_t, 1> alive;
  GridAxes axes;
  std::uint32_t cells;
  std::uint32_t* keys;
  std::int32_t* order;

  TESSERA_FUNCTION void operator()(std::int64_t p, ParticleCounts& counts) const {
    order[p] = static_cast<std::int32_t>(p);
    if (alive.given() && alive(p) == 0) {
      keys[p] = cells + 1;
      return;
    }
    ++counts.alive;
    std::uint32_t cell = 0;
    for (int a = 2; a >= 0; --a) {
      std::int32_t low = 0;
      double fraction = 0;
      if (!axes.axis[a].locate(static_cast<double>(coordinates(p, 2 * a)), low, fraction)) {
        keys[p] = cells;
        return;
      }
      cell =
          cell * static_cast<std::uint32_t>(axes.axis[a].cells) + static_cast<std::uint32_t>(low);
    }
    ++counts.on_grid;
    keys[p] = cell;
  }
};

template <class T>
struct GatherColumns {
  View<const T, 2> from;
  const std::int32_t* order;
  View<T, 2> to;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    const std::int64_t from_row = order[p];
    for (std::int64_t c = 0; c < from.extents[1]; ++c)
      to(p, c) = from(from_row, c);
  }
};

template <class T>
struct PutColumns {
  View<const T, 2> from;
  View<T, 2> to;

  TESSERA_FUNCTION void operator()(std::int64_t p) const {
    for (std::int64_t c = 0; c < to.extents[1]; ++c)
      to(p, c) = from(p, c);
  }
};

template <class P, ExecutionSpace Space>
class ReorderPortable : public PortablePlan<Reorder, P, Space> {
 public:
  using Args = typename Plan<Reorder, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<Reorder> traits{.determinism = Determinism::run_to_run};

  ReorderPortable(const ReorderProblem& problem, const Context& context,
                  const NoParameters& parameters)
      : PortablePlan<Reorder, P, Space>(problem, context, parameters),
        workspace_(this->space_,
                   Space::template sort_bytes<std::uint32_t, std::int32_t>(problem.particles)),
        count_(this->space_, problem.particles) {}

  static Refusal can_run(const ReorderProblem& problem, const Context&, const NoParameters&) {
    double cells = 1;
    for (const std::int64_t n : problem.nodes)
      cells *= static_cast<double>(n);
    if (cells + 2 > static_cast<double>(std::numeric_limits<std::uint32_t>::max()))
      return "it numbers cells in 32 bits, and there are more";
    return {};
  }

  void prepare(const Args& args) override {
    const GridAxes axes = grid_axes(args.grid);
    const std::int64_t n = args.coordinates.extents[0];
    std::uint32_t cells = 1;
    for (const GridAxis& axis : axes.axis)
      cells *= static_cast<std::uint32_t>(axis.cells);
    counts_ = count_("cells of particles", n, ParticleCounts{0, 0},
                     CellOfParticle<Storage>{args.coordinates, args.alive, axes, cells,
                                             keys_.data(), order_.data()},
                     JoinParticleCounts{});
    this->space_.sort_by_key("order of particles", n, keys_.data(), order_.data(),
                             static_cast<int>(std::bit_width(cells + 1)), workspace_.get());
  }

  void execute(const Args& args) override {
    move(args.coordinates, rows_);
    if (args.alive.given()) move(as_columns(args.alive), bytes_);
    if (args.weights.given()) move(as_columns(args.weights), rows_);
    if (args.ids.given()) move(as_columns(args.ids), ids_);
    this->space_.for_each("counts", 1, StoreParticleCounts{counts_, args.counts});
  }

 private:
  template <class T>
  [[nodiscard]] static View<T, 2> as_columns(const View<T, 1>& view) {
    return {view.data, {view.extents[0], 1}, {view.strides[0], 1}};
  }
  template <class T>
  void move(const View<T, 2>& columns, const Buffer<T, Space>& buffer) {
    const std::int64_t n = columns.extents[0];
    View<T, 2> copy{buffer.data(), {n, columns.extents[1]}};
    if constexpr (Space::coalesced) {
      copy.strides[0] = 1;
      copy.strides[1] = n;
    }
    this->space_.for_each("particles in order", n, GatherColumns<T>{columns, order_.data(), copy});
    this->space_.for_each("particles back", n, PutColumns<T>{copy, columns});
  }

  Buffer<std::uint32_t, Space> keys_{this->space_, this->problem_.particles};
  Buffer<std::int32_t, Space> order_{this->space_, this->problem_.particles};
  Buffer<Storage, Space> rows_{this->space_, 6 * this->problem_.particles};
  Buffer<std::uint8_t, Space> bytes_{this->space_, this->problem_.particles};
  Buffer<std::int64_t, Space> ids_{this->space_, this->problem_.particles};
  WorkspaceBuffer<Space> workspace_;
  Reduction<ParticleCounts, Space> count_;
  const ParticleCounts* counts_ = nullptr;  ///< counts of the last prepare
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REORDER_REORDER_PORTABLE_HPP
