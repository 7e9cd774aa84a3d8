#ifndef TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_PLAN_HPP
#define TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_PLAN_HPP

#include "backends/openmp/execution/space.hpp"
#include "backends/openmp/poisson_solve_fused/solve_kernels.hpp"
#include "core/execution/fourier_library.hpp"
#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/green_transform.hpp"
#include "physics/pic/poisson_solve/poisson_shape.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <algorithm>
#include <optional>
#include <string>

/// \file
/// The plan of openmp.fused: the contract of pic/poisson_solve, implemented with the vector code
/// and with transforms of a library along z.

namespace tessera::openmp::fused {

using pic::PoissonBoundary;

/// Number of pencils that are transformed together: their numbers fill a cache line where x is
/// fastest.
inline constexpr std::int64_t pencils = 8;

/// Rounds a number of elements up so that the element after them has the alignment of an array.
template <class Storage>
[[nodiscard]] std::int64_t aligned(std::int64_t numbers) {
  const auto unit = static_cast<std::int64_t>(host_memory::alignment / sizeof(Storage));
  return (numbers + unit - 1) / unit * unit;
}

/// Sizes of the arrays of a plan, in numbers unless stated otherwise.
template <class Storage>
struct FusedSizes {
  std::int64_t lanes, blocks;
  std::int64_t block_pitch, block;    ///< pitch of rows in pairs of vectors; size of a block
  std::int64_t plane_pitch, plane;    ///< pitch of columns, likewise; size for a thread
  std::int64_t kernel_pitch, kernel;  ///< pitch of rows in vectors; size for a block
  std::int64_t scratch;
  /// Size of the pencils of a thread; pitch of their waves in complex numbers; size of these waves.
  std::int64_t pencil_scratch, waves_pitch, wave_scratch;

  FusedSizes(const pic::PoissonShape& shape, std::int64_t vector_lanes) : lanes(vector_lanes) {
    const std::int64_t pair = 2 * lanes;
    blocks = (shape.waves + lanes - 1) / lanes;
    // One more than the number of nodes, which is often a power of two, so that the elements of a
    // column do not compete for the same cache sets. The same holds for planes.
    block_pitch = shape.nodes[0] + 1;
    block = block_pitch * shape.nodes[1] * pair;
    plane_pitch = shape.length[1] + 1;
    plane = aligned<Storage>(plane_pitch * shape.nodes[0] * pair);
    kernel_pitch = shape.half(0);
    kernel = kernel_pitch * shape.half(1) * lanes;
    scratch =
        aligned<Storage>((shape.length[0] + 2 * std::max(shape.length[0], shape.length[1])) * pair);
    pencil_scratch = aligned<Storage>(pencils * shape.length[2]);
    waves_pitch = blocks * lanes;
    wave_scratch = aligned<Storage>(2 * pencils * waves_pitch);
  }
};

template <class P>
class FusedPlan : public Plan<pic::PoissonSolve, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<pic::PoissonSolve, P>::Args;
  using Storage = typename P::Storage;
  static constexpr PlanTraits<pic::PoissonSolve> traits{
      .determinism = Determinism::run_to_run,
      .description =
          "transforms across and the product in the cache, waves along z as lanes of a vector"};

  static Refusal can_run(const pic::PoissonSolveProblem& problem, const Context& context,
                         const Parameters&) {
    if (problem.boundary == PoissonBoundary::pipe)
      return "takes open boundaries and periodic_z, not pipe; <backend>.portable takes all";
    if (kernels<Storage>().lanes == 0)
      return "this processor has no vector instructions that it supports";
    const std::string missing = context.opened().transforms().unavailable();
    return missing.empty() ? Refusal() : Refusal(missing);
  }

  FusedPlan(const pic::PoissonSolveProblem& problem, const Context& context, const NoParameters&)
      : boundary_(problem.boundary),
        space_(Space(0, {})),
        threads_(context.device->properties().concurrency),
        shape_(problem),
        sizes_(shape_, kernels_.lanes),
        green_(shape_, boundary_ == PoissonBoundary::periodic_z, context, space_),
        green_waves_(space_, shape_.half(0) * shape_.waves * shape_.half(1)),
        kernel_(space_, sizes_.blocks * sizes_.kernel),
        blocks_(space_, sizes_.blocks * sizes_.block),
        planes_(space_, threads_ * sizes_.plane),
        scratch_(space_, threads_ * sizes_.scratch),
        pencils_(space_, threads_ * sizes_.pencil_scratch),
        waves_(space_, threads_ * sizes_.wave_scratch),
        x_(space_, shape_.length[0]),
        y_(space_, shape_.length[1]) {
    pencils_.zero(pencils_.size());
    waves_.zero(waves_.size());
    for (const std::int64_t count : {pencils, shape_.nodes[0] % pencils}) {
      if (count == 0) continue;
      auto& plans = count == pencils ? whole_ : rest_;
      const TransformSide real{pencils_.data(), 1, shape_.length[2]};
      const TransformSide complex{waves_.data(), 1, sizes_.waves_pitch};
      const bool in_double = sizeof(Storage) == sizeof(double);
      plans.forward.emplace(TransformBatch{TransformKind::real_forward, in_double, shape_.length[2],
                                           count, real, complex},
                            count);
      plans.backward.emplace(TransformBatch{TransformKind::real_backward, in_double,
                                            shape_.length[2], count, complex, real},
                             count);
    }
  }

  void prepare(const Args& args) override {
    green_(args.green, green_waves_.data());
    space_.for_each("kernel to blocks", Extents3{sizes_.blocks, shape_.half(1), shape_.half(0)},
                    KernelToBlocks{this});
  }

  void execute(const Args& args) override {
    const auto factor = static_cast<Storage>(pic::convolution_factor(shape_, boundary_, args));
    space_.for_each("density to waves", threads_, ToWaves{this, &args});
    space_.for_each("waves of the potential", threads_, Convolve{this});
    space_.for_each("waves to potential", threads_, FromWaves{this, &args, factor});
  }

 private:
  struct PencilPlans {
    std::optional<fourier_library::Plan> forward, backward;
  };
  struct KernelToBlocks {
    FusedPlan* plan;
    void operator()(std::int64_t b, std::int64_t y, std::int64_t x) const {
      plan->fill_kernel(b, y, x);
    }
  };
  struct ToWaves {
    FusedPlan* plan;
    const Args* args;
    void operator()(std::int64_t thread) const { plan->to_waves(thread, *args); }
  };
  struct Convolve {
    FusedPlan* plan;
    void operator()(std::int64_t thread) const { plan->convolve(thread); }
  };
  struct FromWaves {
    FusedPlan* plan;
    const Args* args;
    Storage factor;
    void operator()(std::int64_t thread) const { plan->from_waves(thread, *args, factor); }
  };

  void fill_kernel(std::int64_t b, std::int64_t y, std::int64_t x) {
    Storage* const to =
        kernel_.data() + b * sizes_.kernel + (y * sizes_.kernel_pitch + x) * sizes_.lanes;
    for (std::int64_t lane = 0; lane < sizes_.lanes; ++lane) {
      const std::int64_t k = b * sizes_.lanes + lane;
      to[lane] = k < shape_.waves ? green_waves_.data()[(x * shape_.waves + k) * shape_.half(1) + y]
                                  : Storage(0);
    }
  }

  /// Calls work(x, y, count) for each group of a thread: `count` pencils at y, from x on. A thread
  /// has a contiguous share of all groups.
  template <class Work>
  void each_group(std::int64_t thread, const Work& work) {
    const std::int64_t in_row = (shape_.nodes[0] + pencils - 1) / pencils;
    const std::int64_t groups = in_row * shape_.nodes[1];
    for (std::int64_t g = groups * thread / threads_; g < groups * (thread + 1) / threads_; ++g) {
      const std::int64_t i = g % in_row * pencils;
      work(i, g / in_row, std::min(pencils, shape_.nodes[0] - i));
    }
  }

  [[nodiscard]] PencilTask<Storage> pencil_task(std::int64_t thread, std::int64_t i, std::int64_t j,
                                                std::int64_t count) const {
    return {waves_.data() + thread * sizes_.wave_scratch,
            sizes_.waves_pitch,
            count,
            blocks_.data() + (j * sizes_.block_pitch + i) * 2 * sizes_.lanes,
            sizes_.block,
            sizes_.blocks};
  }

  void to_waves(std::int64_t thread, const Args& args) {
    Storage* const pencil_memory = pencils_.data() + thread * sizes_.pencil_scratch;
    const auto& density = args.density;
    each_group(thread, [&](std::int64_t i, std::int64_t j, std::int64_t count) {
      copy_pencils<true>(&density(i, j, 0), density.strides, pencil_memory, count, Storage(1));
      // Backward transforms of the previous call have overwritten the zeros past the nodes.
      if (shape_.length[2] > shape_.nodes[2])
        for (std::int64_t p = 0; p < count; ++p)
          std::fill(pencil_memory + p * shape_.length[2] + shape_.nodes[2],
                    pencil_memory + (p + 1) * shape_.length[2], Storage(0));
      const PencilTask<Storage> task = pencil_task(thread, i, j, count);
      (count == pencils ? whole_ : rest_).forward->execute(pencil_memory, task.waves);
      kernels_.to_blocks(task);
    });
  }

  void from_waves(std::int64_t thread, const Args& args, Storage factor) {
    Storage* const pencil_memory = pencils_.data() + thread * sizes_.pencil_scratch;
    const auto& potential = args.potential;
    each_group(thread, [&](std::int64_t i, std::int64_t j, std::int64_t count) {
      const PencilTask<Storage> task = pencil_task(thread, i, j, count);
      kernels_.from_blocks(task);
      (count == pencils ? whole_ : rest_).backward->execute(task.waves, pencil_memory);
      copy_pencils<false>(&potential(i, j, 0), potential.strides, pencil_memory, count, factor);
    });
  }

  /// Copies the nodes of `count` neighboring pencils to contiguous memory, or back, with the
  /// direction of the smaller stride in the inner loop.
  template <bool to_scratch, class T>
  void copy_pencils(T* nodes, const std::int64_t (&strides)[3], Storage* pencil_memory,
                    std::int64_t count, Storage factor) const {
    const std::int64_t length = shape_.length[2];
    const auto copy = [&](std::int64_t p, std::int64_t k) {
      T& node = nodes[p * strides[0] + k * strides[2]];
      Storage& own = pencil_memory[p * length + k];
      if constexpr (to_scratch)
        own = node;
      else
        node = factor * own;
    };
    if (strides[2] == 1) {
      for (std::int64_t p = 0; p < count; ++p)
        for (std::int64_t k = 0; k < shape_.nodes[2]; ++k)
          copy(p, k);
    } else {
      for (std::int64_t k = 0; k < shape_.nodes[2]; ++k)
        for (std::int64_t p = 0; p < count; ++p)
          copy(p, k);
    }
  }

  void convolve(std::int64_t thread) {
    BlockTask<Storage> task;
    task.block_pitch = sizes_.block_pitch;
    task.kernel_pitch = sizes_.kernel_pitch;
    task.plane = planes_.data() + thread * sizes_.plane;
    task.plane_pitch = sizes_.plane_pitch;
    task.scratch = scratch_.data() + thread * sizes_.scratch;
    task.nodes_x = shape_.nodes[0];
    task.nodes_y = shape_.nodes[1];
    task.x = transform(x_);
    task.y = transform(y_);
    const std::int64_t n = sizes_.blocks;
    for (std::int64_t b = n * thread / threads_; b < n * (thread + 1) / threads_; ++b) {
      task.block = blocks_.data() + b * sizes_.block;
      task.kernel = kernel_.data() + b * sizes_.kernel;
      kernels_.convolve(task);
    }
  }

  [[nodiscard]] static LaneTransform<Storage> transform(const LanePlan<Storage, HostSpace>& plan) {
    return {plan.length(), plan.passes().data(), static_cast<std::int64_t>(plan.passes().size()),
            plan.factors()};
  }

  PoissonBoundary boundary_;
  Kernels<Storage> kernels_ = kernels<Storage>();
  HostSpace space_;
  std::int64_t threads_;
  pic::PoissonShape shape_;
  FusedSizes<Storage> sizes_;
  pic::GreenTransform<Storage, HostSpace> green_;
  Buffer<Storage, HostSpace> green_waves_;
  Buffer<Storage, HostSpace> kernel_, blocks_;
  Buffer<Storage, HostSpace> planes_, scratch_, pencils_, waves_;  ///< one part for each thread
  LanePlan<Storage, HostSpace> x_, y_;
  PencilPlans whole_, rest_;
};

}  // namespace tessera::openmp::fused

#endif  // TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_PLAN_HPP
