#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PLAN_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PLAN_CUH

#include "backends/gpu/deposit_cells/cells.hpp"
#include "backends/gpu/deposit_cells/parameters.hpp"
#include "backends/gpu/execution/clear_grid.cuh"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "physics/pic/charge_deposit/cell_charge.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/charge_deposit_portable.hpp"

#include <algorithm>
#include <string>

/// \file
/// The plan of cuda.cells.

namespace tessera::gpu::deposit_cells {

inline constexpr int most_block = 1024;

/// Arguments of the deposit kernel.
template <class Storage>
struct Deposit {
  pic::ChargeDepositArgs<Storage> args;
  CellTable table;
  Storage charge;  ///< charge of a particle of weight 1, per volume of a cell
  const std::uint32_t* offset;
  const std::uint32_t* list;
};

/// Deposits the rows of cells along x of one color in y and z, one block per row; these rows share
/// no nodes. A thread adds up the particles of its cell. Then all threads add to the nodes at the
/// lower x of their cells, and after a barrier to the nodes at the upper x.
template <class Storage>
__global__ void __launch_bounds__(most_block)
    deposit_rows(const Deposit<Storage> deposit, int colour_y, int colour_z) {
  const pic::GridAxis& along = deposit.table.axes.axis[0];
  const pic::GridAxis& axis_y = deposit.table.axes.axis[1];
  const pic::GridAxis& axis_z = deposit.table.axes.axis[2];
  const int rows = rows_of_colour(axis_y, colour_y);
  const int block = static_cast<int>(blockIdx.x);
  const std::int32_t y = row_of_colour(axis_y, colour_y, block % rows);
  const std::int32_t z = row_of_colour(axis_z, colour_z, block / rows);
  const auto& density = deposit.args.density;
  for (std::int32_t begin = 0; begin < along.cells; begin += static_cast<int>(blockDim.x)) {
    const std::int32_t low[3] = {begin + static_cast<int>(threadIdx.x), y, z};
    Storage sum[8] = {};
    const bool mine = low[0] < along.cells;
    if (mine) {
      const std::int64_t cell = deposit.table.number(low);
      for (std::uint32_t n = deposit.offset[cell]; n < deposit.offset[cell + 1]; ++n) {
        const std::uint32_t p = deposit.list[n];
        std::int32_t node[3];
        double fraction[3];
        (void)pic::locate_particle(deposit.table.axes, deposit.args.positions, p, node, fraction);
        const Storage q = deposit.args.weights.given() ? deposit.charge * deposit.args.weights(p)
                                                       : deposit.charge;
        pic::SharedParticle<1, Storage>(node, fraction)
            .share_out(
                q, [&](int i, int j, int k, Storage share) { sum[4 * i + 2 * j + k] += share; });
      }
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (mine) {
        const std::int32_t x = i == 0 ? low[0] : along.above(low[0]);
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
          for (int k = 0; k < 2; ++k)
            density(x, j == 0 ? y : axis_y.above(y), k == 0 ? z : axis_z.above(z)) +=
                sum[4 * i + 2 * j + k];
      }
      __syncthreads();
    }
  }
}

template <class P>
class CellsPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_cells::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;

  static constexpr PlanTraits<pic::ChargeDeposit> traits{
      .determinism = Determinism::none,
      .description = "particles by cell, cells as on a chessboard, no atomic additions of charge",
      .features = {.shape_orders = 1, .passes_over_lost = true}};

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context&,
                         const Parameters&) {
    constexpr double most = 4294967295.0;
    const double nodes = static_cast<double>(problem.nodes[0]) *
                         static_cast<double>(problem.nodes[1]) *
                         static_cast<double>(problem.nodes[2]);
    if (nodes >= most || static_cast<double>(problem.particles) >= most)
      return "it numbers cells and particles in 32 bits, and there are more";
    return {};
  }

  CellsPlan(const pic::ChargeDepositProblem& problem, const Context& context,
            const Parameters& parameters)
      : parameters_(parameters),
        space_(space_of<Space>(context)),
        counts_(space_, cells_of(problem)),
        up_to_(space_, cells_of(problem)),
        of_segment_(space_, cells_of(problem) / parameters.segment + 1),
        offset_(space_, cells_of(problem) + 1),
        cell_of_(space_, problem.particles),
        rank_(space_, problem.particles),
        list_(space_, problem.particles) {}

  void execute(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    if (args.mode == pic::DepositMode::overwrite) clear_grid(space_, args.density);
    space_.fill(&args.outside(0), 0, sizeof(std::int64_t));
    const CellTable table{pic::grid_axes(args.grid)};
    make_list(args, table);
    const Deposit<Storage> deposit{args, table, pic::cell_charge(args), offset_.data(),
                                   list_.data()};
    const pic::GridAxis(&axis)[3] = table.axes.axis;
    for (int colour_z = 0; colour_z < colours(axis[2]); ++colour_z)
      for (int colour_y = 0; colour_y < colours(axis[1]); ++colour_y)
        launch("deposit rows", deposit_rows<Storage>,
               static_cast<unsigned>(rows_of_colour(axis[1], colour_y) *
                                     rows_of_colour(axis[2], colour_z)),
               static_cast<unsigned>(parameters_.block_size), 0,
               space_.stream())(deposit, colour_y, colour_z);
  }

 private:
  [[nodiscard]] static std::int64_t cells_of(const pic::ChargeDepositProblem& problem) {
    std::int64_t cells = 1;
    for (int a = 0; a < 3; ++a)
      cells *= problem.nodes[a] - (problem.periodic[a] ? 0 : 1);
    return cells;
  }

  void make_list(const Args& args, const CellTable& table) {
    const std::int64_t particles = args.positions.extent(0);
    const std::int64_t cells = table.cells();
    const std::int64_t segments = (cells + parameters_.segment - 1) / parameters_.segment;
    counts_.zero(cells);
    space_.for_each(
        "deposit count", particles,
        CountParticles<Storage, Space>{args.positions, args.alive, table, counts_.data(),
                                       cell_of_.data(), rank_.data(), args.outside.data});
    space_.for_each("deposit segments", segments,
                    SumWithinSegment{counts_.data(), cells, parameters_.segment, up_to_.data(),
                                     of_segment_.data()});
    space_.for_each("deposit segment sums", std::int64_t{1},
                    SumOverSegments{segments, of_segment_.data()});
    space_.for_each(
        "deposit offsets", cells,
        AddSegments{up_to_.data(), of_segment_.data(), parameters_.segment, offset_.data()});
    space_.for_each("deposit list", particles,
                    ListParticles{cell_of_.data(), rank_.data(), offset_.data(), list_.data()});
  }

  Parameters parameters_;
  Space space_;
  Buffer<std::uint32_t, Space> counts_;
  Buffer<std::uint32_t, Space> up_to_;
  Buffer<std::uint32_t, Space> of_segment_;
  Buffer<std::uint32_t, Space> offset_;
  Buffer<std::uint32_t, Space> cell_of_;
  Buffer<std::uint32_t, Space> rank_;
  Buffer<std::uint32_t, Space> list_;
};

}  // namespace tessera::gpu::deposit_cells

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_CELLS_PLAN_CUH
