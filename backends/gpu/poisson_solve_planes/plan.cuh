#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PLAN_CUH
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PLAN_CUH

#include "backends/gpu/execution/space.hpp"
#include "backends/gpu/poisson_solve_planes/kernels.cuh"
#include "backends/gpu/poisson_solve_planes/parameters.hpp"
#include "backends/gpu/poisson_solve_planes/roots.hpp"
#include "core/execution/buffer.hpp"
#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/green_transform.hpp"
#include "physics/pic/poisson_solve/poisson_shape.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

/// \file
/// The plan of cuda.planes.

namespace tessera::gpu::poisson_solve_planes {

[[nodiscard]] inline int log2_of(std::int64_t n) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
}

[[nodiscard]] inline Sizes sizes_of(const pic::PoissonSolveProblem& problem) {
  const int z = log2_of(problem.nodes[2]);
  const bool periodic = problem.boundary == pic::PoissonBoundary::periodic_z;
  return {log2_of(problem.nodes[0]), log2_of(problem.nodes[1]), periodic ? z - 1 : z, z};
}

/// Largest numbers of pencils along z, columns along y and lines along x that fit into the memory
/// of a block, as exponents of powers of two; -1 where not even one fits.
struct Blocks {
  int along_z = -1;
  int along_y = -1;
  int lines = -1;
  bool plane = false;  ///< whether a whole plane and the roots of unity fit

  template <class Real>
  [[nodiscard]] static Blocks of(const Sizes& sizes, const Parameters& parameters,
                                 std::int64_t bytes) {
    const std::int64_t most = bytes / static_cast<std::int64_t>(sizeof(Complex<Real>));
    const auto largest = [&](int limit, const auto& memory) {
      int width = std::min(limit, log2_of(parameters.neighbors));
      while (width >= 0 && memory(width) > most)
        --width;
      return width;
    };
    Blocks blocks;
    blocks.along_z = largest(sizes.x, [&](int w) { return memory_along_z(sizes, w); });
    blocks.along_y = largest(sizes.x, [&](int w) { return memory_of_columns(sizes, w); });
    blocks.lines = largest(sizes.y + 1, [&](int w) { return memory_of_lines(sizes, w); });
    blocks.plane = memory_with_roots(sizes) <= most;
    return blocks;
  }
  [[nodiscard]] static std::int64_t memory_with_roots(const Sizes& sizes) {
    return memory_of_plane(sizes) + (2 << sizes.x) + (2 << sizes.y);
  }
};

template <class P>
class PlanesPlan : public Plan<pic::PoissonSolve, P> {
 public:
  using Parameters = poisson_solve_planes::Parameters;
  using Args = typename Plan<pic::PoissonSolve, P>::Args;
  using Real = typename P::Storage;

  static constexpr PlanTraits<pic::PoissonSolve> traits{
      .determinism = Determinism::run_to_run,
      .description =
          "powers of two: transforms of one plane and the convolution with it in shared memory"};

  static Refusal can_run(const pic::PoissonSolveProblem& problem, const Context& context,
                         const Parameters& parameters) {
    if (problem.boundary == pic::PoissonBoundary::pipe)
      return "takes open boundaries and a period along z, not conducting walls";
    for (const std::int64_t nodes : problem.nodes)
      if (!std::has_single_bit(static_cast<std::uint64_t>(nodes)))
        return "takes powers of two in each direction, not " + std::to_string(nodes) + " nodes";
    const std::string missing = context.opened().transforms().unavailable();
    if (!missing.empty()) return missing;
    const std::int64_t bytes = context.device->properties().scratch_bytes;
    const Blocks blocks = Blocks::of<typename P::Storage>(sizes_of(problem), parameters, bytes);
    const std::string space = "the device has " + std::to_string(bytes) +
                              " bytes of shared memory for a block, which hold no ";
    if (blocks.along_z < 0)
      return space + "transform of " + std::to_string(problem.nodes[2]) + " nodes along z";
    if (parameters.algorithm == Algorithm::plane && !blocks.plane)
      return space + "plane of " + std::to_string(problem.nodes[0]) + " x " +
             std::to_string(problem.nodes[1]) + " nodes; use algorithm=lines";
    if (!blocks.plane && (blocks.along_y < 0 || blocks.lines < 0))
      return space + "line of " + std::to_string(problem.nodes[0]) + " or " +
             std::to_string(problem.nodes[1]) + " nodes";
    return {};
  }

  PlanesPlan(const pic::PoissonSolveProblem& problem, const Context& context,
             const Parameters& parameters)
      : problem_(problem),
        parameters_(parameters),
        sizes_(sizes_of(problem)),
        blocks_(Blocks::of<Real>(sizes_, parameters, context.device->properties().scratch_bytes)),
        whole_(parameters.algorithm == Algorithm::plane ||
               (parameters.algorithm == Algorithm::by_size && blocks_.plane)),
        space_(space_of<Space>(context)),
        shape_(problem),
        green_(shape_, problem.boundary == pic::PoissonBoundary::periodic_z, context, space_),
        kernel_(space_, shape_.half(0) * shape_.waves * shape_.half(1)),
        rows_(space_, sizes_.waves() << (sizes_.x + sizes_.y)),
        waves_(space_, whole_ ? 0 : sizes_.waves() << (sizes_.x + sizes_.y + 1)),
        roots_x_(space_),
        roots_y_(space_),
        roots_z_(space_) {
    const CurrentDevice current(space_.ordinal());
    make_roots(roots_x_, sizes_.x);
    make_roots(roots_y_, sizes_.y);
    make_roots(roots_z_, sizes_.z);
    AlongThreads::with(parameters.along_threads, [&]<int Threads>() {
      allow_shared("density to rows", to_rows<Real, Threads>, bytes_along_z());
      allow_shared("rows to potential", to_potential<Real, Threads>, bytes_along_z());
    });
    AcrossThreads::with(parameters.across_threads, [&]<int Threads>() {
      if (whole_) {
        allow_shared("convolve a plane", convolve_plane<Real, Threads>, bytes_of_plane());
      } else {
        allow_shared("to waves along y", to_columns<Real, Threads>, bytes_of_columns());
        allow_shared("convolve lines", convolve_lines<Real, Threads>, bytes_of_lines());
        allow_shared("from waves along y", from_columns<Real, Threads>, bytes_of_columns());
      }
    });
  }

  void prepare(const Args& args) override { green_(args.green, kernel_.data()); }

  void execute(const Args& args) override {
    const CurrentDevice current(space_.ordinal());
    const Call<Real> call{sizes_,          args.density,    args.potential,
                          factor(args),    rows_.data(),    roots_x_.data(),
                          roots_y_.data(), roots_z_.data(), kernel_.data()};
    const auto pencils =
        static_cast<unsigned>(std::int64_t{1} << (sizes_.x + sizes_.y - blocks_.along_z));
    AlongThreads::with(parameters_.along_threads, [&]<int Threads>() {
      launch("density to rows", to_rows<Real, Threads>, pencils, Threads, bytes_along_z(),
             space_.stream())(call, blocks_.along_z);
    });
    AcrossThreads::with(parameters_.across_threads, [&]<int Threads>() {
      whole_ ? convolve_planes<Threads>(call) : convolve_by_lines<Threads>(call);
    });
    AlongThreads::with(parameters_.along_threads, [&]<int Threads>() {
      launch("rows to potential", to_potential<Real, Threads>, pencils, Threads, bytes_along_z(),
             space_.stream())(call, blocks_.along_z);
    });
  }

 private:
  template <int Threads>
  void convolve_planes(const Call<Real>& call) {
    launch("convolve a plane", convolve_plane<Real, Threads>, static_cast<unsigned>(sizes_.waves()),
           Threads, bytes_of_plane(), space_.stream())(call);
  }

  template <int Threads>
  void convolve_by_lines(const Call<Real>& call) {
    const auto columns = static_cast<unsigned>(sizes_.waves() << (sizes_.x - blocks_.along_y));
    launch("to waves along y", to_columns<Real, Threads>, columns, Threads, bytes_of_columns(),
           space_.stream())(call, blocks_.along_y, waves_.data());
    launch("convolve lines", convolve_lines<Real, Threads>,
           static_cast<unsigned>(sizes_.waves() << (sizes_.y + 1 - blocks_.lines)), Threads,
           bytes_of_lines(), space_.stream())(call, blocks_.lines, waves_.data());
    launch("from waves along y", from_columns<Real, Threads>, columns, Threads, bytes_of_columns(),
           space_.stream())(call, blocks_.along_y, waves_.data());
  }

  void make_roots(Buffer<Complex<Real>, Space>& buffer, int bits) {
    const std::vector<Complex<Real>> roots = roots_of_unity<Real>(bits + 1);
    buffer.upload(roots.data(), static_cast<std::int64_t>(roots.size()));
  }
  /// Normalization of the transforms, times the volume element by which the density is multiplied.
  [[nodiscard]] Real factor(const Args& args) const {
    double factor = args.coefficient;
    for (int a = 0; a < 3; ++a) {
      factor /= static_cast<double>(shape_.length[a]);
      if (a < 2 || problem_.boundary == pic::PoissonBoundary::open) factor *= args.grid.spacing[a];
    }
    return static_cast<Real>(factor);
  }
  [[nodiscard]] static std::size_t bytes_of(std::int64_t elements) {
    return static_cast<std::size_t>(elements) * sizeof(Complex<Real>);
  }
  [[nodiscard]] std::size_t bytes_along_z() const {
    return bytes_of(memory_along_z(sizes_, blocks_.along_z));
  }
  [[nodiscard]] std::size_t bytes_of_plane() const {
    return bytes_of(Blocks::memory_with_roots(sizes_));
  }
  [[nodiscard]] std::size_t bytes_of_columns() const {
    return bytes_of(memory_of_columns(sizes_, blocks_.along_y));
  }
  [[nodiscard]] std::size_t bytes_of_lines() const {
    return bytes_of(memory_of_lines(sizes_, blocks_.lines));
  }

  pic::PoissonSolveProblem problem_;
  Parameters parameters_;
  Sizes sizes_;
  Blocks blocks_;
  bool whole_;  ///< whether a block holds a whole plane
  Space space_;
  pic::PoissonShape shape_;
  pic::GreenTransform<Real, Space> green_;
  Buffer<Real, Space> kernel_;
  Buffer<Complex<Real>, Space> rows_;
  Buffer<Complex<Real>, Space> waves_;
  Buffer<Complex<Real>, Space> roots_x_, roots_y_, roots_z_;
};

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_PLAN_CUH
