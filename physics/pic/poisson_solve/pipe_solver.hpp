#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_PIPE_SOLVER_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_PIPE_SOLVER_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/poisson_solve/poisson_solver.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>

/// \file
/// Poisson solver between conducting walls: transverse sine transforms, whose outermost nodes are
/// half a spacing from the walls, and periodic waves along z.
///
/// The sine transform of n numbers a(j) is X(q) = sum over j of a(j) sin(pi q (j + 1/2) / n), q = 1
/// to n. The numbers followed by their mirror image with the opposite sign have the transform
///
///     Y(q) = -2 i exp(i pi q / (2 n)) X(q),  X(2 n - q) = X(q)
///
/// of length 2 n. This relation is used for the forward and the backward transform. The arrays are,
/// slowest index first:
///
///     pencils  x y z    real
///     waves    x y k    complex, k = 0 to the last wave along z
///     rows     x k q    complex, 2 ny long
///     planes   k q p    complex, 2 nx long, q = 1 to ny

namespace tessera::pic {

template <class Storage>
struct ComplexNumber {
  Storage re, im;

  [[nodiscard]] TESSERA_INLINE ComplexNumber times(double r, double i) const {
    return {static_cast<Storage>(re * r - im * i), static_cast<Storage>(re * i + im * r)};
  }
};

/// X(q) from Y(q): times i / 2 exp(-i pi q / (2 n)).
template <class Storage>
[[nodiscard]] TESSERA_INLINE ComplexNumber<Storage> sine_of(const ComplexNumber<Storage>& y,
                                                            std::int64_t q, std::int64_t n) {
  const double angle = std::numbers::pi * static_cast<double>(q) / static_cast<double>(2 * n);
  return y.times(::sin(angle) / 2, ::cos(angle) / 2);
}
/// Y(q) from X(q): times -2 i exp(i pi q / (2 n)), for q up to 2 n - 1.
template <class Storage>
[[nodiscard]] TESSERA_INLINE ComplexNumber<Storage> of_sine(const ComplexNumber<Storage>& x,
                                                            std::int64_t q, std::int64_t n) {
  const double angle = std::numbers::pi * static_cast<double>(q) / static_cast<double>(2 * n);
  return x.times(2 * ::sin(angle), -2 * ::cos(angle));
}

template <class Storage>
struct PipePencils {
  View<const Storage, 3> density;
  Storage* pencils;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    pencils[(i * density.extents[1] + j) * density.extents[2] + k] = density(i, j, k);
  }
};

/// Copies waves to rows and appends the mirror image with the opposite sign.
template <class Storage>
struct MirrorRows {
  const ComplexNumber<Storage>* waves;
  ComplexNumber<Storage>* rows;
  std::int64_t ny, count_k;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t k, std::int64_t j) const {
    const bool image = j >= ny;
    const ComplexNumber<Storage> value =
        waves[(i * ny + (image ? 2 * ny - 1 - j : j)) * count_k + k];
    rows[(i * count_k + k) * 2 * ny + j] = value.times(image ? -1 : 1, 0);
  }
};

/// Copies the sine transforms of rows to planes and appends the mirror image with the opposite
/// sign.
template <class Storage>
struct MirrorPlanes {
  const ComplexNumber<Storage>* rows;
  ComplexNumber<Storage>* planes;
  std::int64_t nx, ny, count_k;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t before_q, std::int64_t i) const {
    const std::int64_t q = before_q + 1;
    const bool image = i >= nx;
    const ComplexNumber<Storage> value =
        sine_of(rows[((image ? 2 * nx - 1 - i : i) * count_k + k) * 2 * ny + q], q, ny);
    planes[(k * ny + before_q) * 2 * nx + i] = value.times(image ? -1 : 1, 0);
  }
};

/// Divides the sine transforms of the planes by the eigenvalues of the Laplace operator, and writes
/// the result as a Fourier transform of length 2 nx.
template <class Storage>
struct OverEigenvalue {
  ComplexNumber<Storage>* planes;
  std::int64_t nx, ny;
  double wave[3];  ///< wave number of the first wave along each direction

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t before_q,
                                   std::int64_t before_p) const {
    ComplexNumber<Storage>* const row = planes + (k * ny + before_q) * 2 * nx;
    const std::int64_t p = before_p + 1;
    const double kx = wave[0] * static_cast<double>(p);
    const double ky = wave[1] * static_cast<double>(before_q + 1);
    const double kz = wave[2] * static_cast<double>(k);
    const ComplexNumber<Storage> value =
        sine_of(row[p], p, nx).times(1 / (kx * kx + ky * ky + kz * kz), 0);
    row[p] = of_sine(value, p, nx);
    if (p < nx) row[2 * nx - p] = of_sine(value, 2 * nx - p, nx);
    if (p == 1) row[0] = {};
  }
};

/// Copies planes to rows, as a Fourier transform of length 2 ny.
template <class Storage>
struct PlanesToRows {
  const ComplexNumber<Storage>* planes;
  ComplexNumber<Storage>* rows;
  std::int64_t nx, ny, count_k;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t k, std::int64_t q) const {
    ComplexNumber<Storage>& row = rows[(i * count_k + k) * 2 * ny + q];
    const std::int64_t folded = q > ny ? 2 * ny - q : q;
    if (q == 0)
      row = {};
    else
      row = of_sine(planes[(k * ny + folded - 1) * 2 * nx + i], q, ny);
  }
};

template <class Storage>
struct RowsToWaves {
  const ComplexNumber<Storage>* rows;
  ComplexNumber<Storage>* waves;
  std::int64_t ny, count_k;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    waves[(i * ny + j) * count_k + k] = rows[(i * count_k + k) * 2 * ny + j];
  }
};

template <class Storage>
struct PipePotential {
  const Storage* pencils;
  View<Storage, 3> potential;
  Storage factor;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    potential(i, j, k) =
        factor * pencils[(i * potential.extents[1] + j) * potential.extents[2] + k];
  }
};

template <class Storage, ExecutionSpace Space>
class PipeSolver final : public PoissonSolver<Storage> {
 public:
  using Args = PoissonSolveArgs<Storage>;
  using Complex = ComplexNumber<Storage>;

  PipeSolver(const PoissonSolveProblem& problem, const Context& context, Space space)
      : nx_(problem.nodes[0]),
        ny_(problem.nodes[1]),
        nz_(problem.nodes[2]),
        k_(nz_ / 2 + 1),
        space_(space),
        pencils_(space, nx_ * ny_ * nz_),
        waves_(space, nx_ * ny_ * k_),
        rows_(space, nx_ * k_ * 2 * ny_),
        planes_(space, k_ * ny_ * 2 * nx_) {
    const auto make = [&](TransformKind kind, std::int64_t length, std::int64_t count,
                          const TransformSide& in, const TransformSide& out) {
      return context.device->transforms().make(
          context.stream, {kind, sizeof(Storage) == sizeof(double), length, count, in, out});
    };
    const TransformSide pencils{pencils_.data(), 1, nz_};
    const TransformSide waves{waves_.data(), 1, k_};
    const TransformSide rows{rows_.data(), 1, 2 * ny_};
    const TransformSide planes{planes_.data(), 1, 2 * nx_};
    using enum TransformKind;
    forward_[2] = make(real_forward, nz_, nx_ * ny_, pencils, waves);
    forward_[1] = make(forward, 2 * ny_, nx_ * k_, rows, rows);
    forward_[0] = make(forward, 2 * nx_, k_ * ny_, planes, planes);
    backward_[0] = make(backward, 2 * nx_, k_ * ny_, planes, planes);
    backward_[1] = make(backward, 2 * ny_, nx_ * k_, rows, rows);
    backward_[2] = make(real_backward, nz_, nx_ * ny_, waves, pencils);
  }

  void prepare(const Args&) override {}

  void execute(const Args& args) override {
    const double* const h = args.grid.spacing;
    const Extents3 rows{nx_, k_, 2 * ny_};
    Complex* const w = waves_.data();
    Complex* const r = rows_.data();
    Complex* const p = planes_.data();
    space_.for_each("density to pencils", Extents3{nx_, ny_, nz_},
                    PipePencils<Storage>{args.density, pencils_.data()});
    forward_[2]->execute();
    space_.for_each("mirror rows", rows, MirrorRows<Storage>{w, r, ny_, k_});
    forward_[1]->execute();
    space_.for_each("mirror planes", Extents3{k_, ny_, 2 * nx_},
                    MirrorPlanes<Storage>{r, p, nx_, ny_, k_});
    forward_[0]->execute();
    const auto wave = [&](double turns, std::int64_t n, double spacing) {
      return turns * std::numbers::pi / (static_cast<double>(n) * spacing);
    };
    space_.for_each("over eigenvalues", Extents3{k_, ny_, nx_},
                    OverEigenvalue<Storage>{
                        p, nx_, ny_, {wave(1, nx_, h[0]), wave(1, ny_, h[1]), wave(2, nz_, h[2])}});
    backward_[0]->execute();
    space_.for_each("planes to rows", rows, PlanesToRows<Storage>{p, r, nx_, ny_, k_});
    backward_[1]->execute();
    space_.for_each("rows to waves", Extents3{nx_, ny_, k_}, RowsToWaves<Storage>{r, w, ny_, k_});
    backward_[2]->execute();
    const double factor =
        4 * std::numbers::pi * args.coefficient /
        (static_cast<double>(2 * nx_) * static_cast<double>(2 * ny_) * static_cast<double>(nz_));
    space_.for_each(
        "potential", Extents3{nx_, ny_, nz_},
        PipePotential<Storage>{pencils_.data(), args.potential, static_cast<Storage>(factor)});
  }

 private:
  std::int64_t nx_, ny_, nz_, k_;
  Space space_;
  Buffer<Storage, Space> pencils_;
  Buffer<Complex, Space> waves_, rows_, planes_;
  std::unique_ptr<Transform> forward_[3], backward_[3];
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_PIPE_SOLVER_HPP
