#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_CONVOLUTION_SOLVER_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_CONVOLUTION_SOLVER_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/green_transform.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/poisson_solve/poisson_solver.hpp"

#include <cstdint>
#include <memory>

/// \file
/// Convolution with a Green function by Fourier transforms of the device's library. The arrays are,
/// slowest index first:
///
///     pencils  y x z    real, z fastest: the density, followed by zeros
///     rows     y x k    complex, k = 0 to the last wave along z; zeros behind the last y
///     planes   x k y    complex; zeros behind the last x
///
/// Transforms along z lead from pencils to rows and those along y from rows to planes; those along
/// x act in place on the planes, which are then multiplied by the transform of the Green function.
/// The backward transforms follow in opposite order.

namespace tessera::pic {

template <class Storage>
struct DensityToPencils {
  View<const Storage, 3> density;
  Storage* pencils;
  std::int64_t nodes_z, length;

  TESSERA_FUNCTION void operator()(std::int64_t j, std::int64_t i, std::int64_t k) const {
    pencils[(j * density.extents[0] + i) * length + k] =
        k < nodes_z ? density(i, j, k) : Storage(0);
  }
};

template <class Storage>
struct ZeroFrom {
  Storage* values;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { values[i] = Storage(0); }
};

/// planes(x, k, y) *= kernel(|x|, k, |y|).
template <class Storage>
struct TimesKernel {
  Storage* planes;  ///< complex
  const Storage* kernel;
  std::int64_t length_x, count_k, length_y, kernel_y;

  TESSERA_FUNCTION void operator()(std::int64_t x, std::int64_t k, std::int64_t y) const {
    const std::int64_t folded_x = x > length_x - x ? length_x - x : x;
    const std::int64_t folded_y = y > length_y - y ? length_y - y : y;
    const Storage factor = kernel[(folded_x * count_k + k) * kernel_y + folded_y];
    Storage* const value = planes + 2 * ((x * count_k + k) * length_y + y);
    value[0] *= factor;
    value[1] *= factor;
  }
};

template <class Storage>
struct PencilsToPotential {
  const Storage* pencils;
  View<Storage, 3> potential;
  std::int64_t length;
  Storage factor;

  TESSERA_FUNCTION void operator()(std::int64_t j, std::int64_t i, std::int64_t k) const {
    potential(i, j, k) = factor * pencils[(j * potential.extents[0] + i) * length + k];
  }
};

template <class Storage, ExecutionSpace Space>
class ConvolutionSolver final : public PoissonSolver<Storage> {
 public:
  using Args = PoissonSolveArgs<Storage>;

  ConvolutionSolver(const PoissonSolveProblem& problem, const Context& context, Space space)
      : problem_(problem),
        space_(space),
        shape_(problem),
        green_(shape_, periodic(), context, space),
        kernel_(space, shape_.half(0) * shape_.waves * shape_.half(1)),
        pencils_(space, shape_.nodes[1] * shape_.nodes[0] * shape_.length[2]),
        rows_(space, 2 * shape_.length[1] * across()),
        planes_(space, 2 * shape_.length[0] * shape_.waves * shape_.length[1]) {
    const std::int64_t* const n = shape_.nodes;
    const std::int64_t* const length = shape_.length;
    const std::int64_t k = shape_.waves;
    const TransformSide pencils{pencils_.data(), 1, length[2]};
    const TransformSide of_pencils{rows_.data(), 1, k};
    const TransformSide rows{rows_.data(), across(), 1};
    const TransformSide of_rows{planes_.data(), 1, length[1]};
    const TransformSide planes{planes_.data(), k * length[1], 1};
    const auto make = [&](TransformKind kind, int a, std::int64_t count, const TransformSide& in,
                          const TransformSide& out) {
      return context.device->transforms().make(
          context.stream, {kind, sizeof(Storage) == sizeof(double), length[a], count, in, out});
    };
    using enum TransformKind;
    forward_[2] = make(real_forward, 2, n[0] * n[1], pencils, of_pencils);
    forward_[1] = make(forward, 1, across(), rows, of_rows);
    forward_[0] = make(forward, 0, k * length[1], planes, planes);
    backward_[0] = make(backward, 0, k * length[1], planes, planes);
    backward_[1] = make(backward, 1, across(), of_rows, rows);
    backward_[2] = make(real_backward, 2, n[0] * n[1], of_pencils, pencils);
  }

  void prepare(const Args& args) override { green_(args.green, kernel_.data()); }

  void execute(const Args& args) override {
    const std::int64_t* const n = shape_.nodes;
    const std::int64_t* const length = shape_.length;
    const std::int64_t k = shape_.waves;
    space_.for_each("density to pencils", Extents3{n[1], n[0], length[2]},
                    DensityToPencils<Storage>{args.density, pencils_.data(), n[2], length[2]});
    forward_[2]->execute();
    zero(rows_, 2 * n[1] * across(), 2 * length[1] * across());
    forward_[1]->execute();
    const std::int64_t plane = 2 * k * length[1];
    zero(planes_, n[0] * plane, length[0] * plane);
    forward_[0]->execute();
    space_.for_each("times the Green function", Extents3{length[0], k, length[1]},
                    TimesKernel<Storage>{planes_.data(), kernel_.data(), length[0], k, length[1],
                                         shape_.half(1)});
    backward_[0]->execute();
    backward_[1]->execute();
    backward_[2]->execute();
    space_.for_each("potential", Extents3{n[1], n[0], n[2]},
                    PencilsToPotential<Storage>{
                        pencils_.data(), args.potential, length[2],
                        static_cast<Storage>(convolution_factor(shape_, problem_.boundary, args))});
  }

 private:
  [[nodiscard]] bool periodic() const { return problem_.boundary == PoissonBoundary::periodic_z; }
  /// Number of complex numbers for each y.
  [[nodiscard]] std::int64_t across() const { return shape_.nodes[0] * shape_.waves; }
  void zero(const Buffer<Storage, Space>& buffer, std::int64_t from, std::int64_t to) {
    space_.for_each("zeros", to - from, ZeroFrom<Storage>{buffer.data() + from});
  }

  PoissonSolveProblem problem_;
  Space space_;
  PoissonShape shape_;
  GreenTransform<Storage, Space> green_;
  Buffer<Storage, Space> kernel_;
  Buffer<Storage, Space> pencils_, rows_, planes_;
  std::unique_ptr<Transform> forward_[3], backward_[3];
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_CONVOLUTION_SOLVER_HPP
