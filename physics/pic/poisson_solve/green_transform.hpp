#ifndef TESSERA_PHYSICS_PIC_POISSON_SOLVE_GREEN_TRANSFORM_HPP
#define TESSERA_PHYSICS_PIC_POISSON_SOLVE_GREEN_TRANSFORM_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/memory/device.hpp"
#include "core/memory/transform.hpp"
#include "physics/pic/poisson_solve/poisson_shape.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

/// \file
/// Transform of a Green function, which is even along each direction: one direction after the
/// other, each as the transform of real numbers continued by mirroring, of which only the real part
/// is kept.

namespace tessera::pic {

/// Index of an even, periodic function at i of n, for which values up to `last` are stored. Values
/// between `last` and n - last are never used, because differences of nodes are below `last`.
[[nodiscard]] TESSERA_INLINE std::int64_t folded(std::int64_t i, std::int64_t n,
                                                 std::int64_t last) {
  const std::int64_t mirrored = i > n - i ? n - i : i;
  return mirrored < last ? mirrored : last;
}

/// rows(i, j, z) = values(i, j, |z|).
struct MirrorAlongZ {
  View<const double, 3> values;
  double* rows;
  std::int64_t last[3], count_j, length;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t z) const {
    rows[(i * count_j + j) * length + z] =
        values(i < last[0] ? i : last[0], j < last[1] ? j : last[1], folded(z, length, last[2]));
  }
};

/// rows(i, k, y) = waves(i, |y|, k).
struct MirrorAlongY {
  const double* waves;           ///< complex, i x j x k: result of the transform along z
  View<const double, 3> values;  ///< used instead if there is no transform along z
  double* rows;
  std::int64_t last[2], count_j, count_k, length;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t k, std::int64_t y) const {
    const std::int64_t j = folded(y, length, last[1]);
    rows[(i * count_k + k) * length + y] = waves != nullptr
                                               ? waves[2 * ((i * count_j + j) * count_k + k)]
                                               : values(i < last[0] ? i : last[0], j, k);
  }
};

/// rows(k, y, x) = waves(|x|, k, y).
struct MirrorAlongX {
  const double* waves;  ///< complex, i x k x y
  double* rows;
  std::int64_t last, count_k, count_y, length;

  TESSERA_FUNCTION void operator()(std::int64_t k, std::int64_t y, std::int64_t x) const {
    rows[(k * count_y + y) * length + x] =
        waves[2 * ((folded(x, length, last) * count_k + k) * count_y + y)];
  }
};

/// kernel(x, k, y) = real part of waves(k, y, x).
template <class Storage>
struct KeepKernel {
  const double* waves;  ///< complex
  Storage* kernel;
  std::int64_t count_x, count_k, count_y;

  TESSERA_FUNCTION void operator()(std::int64_t x, std::int64_t k, std::int64_t y) const {
    kernel[(x * count_k + k) * count_y + y] =
        static_cast<Storage>(waves[2 * ((k * count_y + y) * count_x + x)]);
  }
};

template <class Storage, class Space>
class GreenTransform {
 public:
  GreenTransform(const PoissonShape& shape, bool periodic, const Context& context, Space space)
      : shape_(shape), periodic_(periodic), space_(space), rows_(space), waves_(space) {
    const std::int64_t x = shape.half(0);
    const std::int64_t y = shape.half(1);
    const std::int64_t k = shape.waves;
    const std::int64_t along_z = periodic ? 0 : x * y;
    const std::int64_t along_y = x * k;
    const std::int64_t along_x = k * y;
    rows_.require(std::max(
        {along_z * shape.length[2], along_y * shape.length[1], along_x * shape.length[0]}));
    waves_.require(2 * std::max({along_z * k, along_y * y, along_x * x}));
    const auto make = [&](std::int64_t length, std::int64_t count) {
      return context.device->transforms().make(context.stream,
                                               {TransformKind::real_forward,
                                                true,
                                                length,
                                                count,
                                                {rows_.data(), 1, length},
                                                {waves_.data(), 1, length / 2 + 1}});
    };
    if (!periodic) z_ = make(shape.length[2], along_z);
    y_ = make(shape.length[1], along_y);
    x_ = make(shape.length[0], along_x);
  }

  /// Writes kernel(x, k, y), with extents half(0) x waves x half(1).
  void operator()(View<const double, 3> green, Storage* kernel) {
    const std::int64_t* const n = shape_.nodes;
    const std::int64_t* const length = shape_.length;
    const std::int64_t x = shape_.half(0);
    const std::int64_t y = shape_.half(1);
    const std::int64_t k = shape_.waves;
    if (!periodic_) {
      space_.for_each("mirror along z", Extents3{x, y, length[2]},
                      MirrorAlongZ{green, rows_.data(), {n[0], n[1], n[2]}, y, length[2]});
      z_->execute();
    }
    space_.for_each("mirror along y", Extents3{x, k, length[1]},
                    MirrorAlongY{periodic_ ? nullptr : waves_.data(),
                                 green,
                                 rows_.data(),
                                 {n[0], n[1]},
                                 y,
                                 k,
                                 length[1]});
    y_->execute();
    space_.for_each("mirror along x", Extents3{k, y, length[0]},
                    MirrorAlongX{waves_.data(), rows_.data(), n[0], k, y, length[0]});
    x_->execute();
    space_.for_each("keep the kernel", Extents3{x, k, y},
                    KeepKernel<Storage>{waves_.data(), kernel, x, k, y});
  }

 private:
  PoissonShape shape_;
  bool periodic_;
  Space space_;
  Buffer<double, Space> rows_;
  Buffer<double, Space> waves_;
  std::unique_ptr<Transform> x_, y_, z_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_POISSON_SOLVE_GREEN_TRANSFORM_HPP
