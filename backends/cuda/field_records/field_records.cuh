#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/core/execution/buffer.hpp>
#include <tessera/core/memory/view.hpp>
#include <tessera/pic/particle_shape.hpp>

/// \file
/// The field of a node in one piece, for kernels that meet all of it: two numbers in one load and
/// one in another. What lies behind them is not looked at, so that the arrays of a caller who keeps
/// fields this way serve as they are.

namespace tessera::cuda::field_records {

template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real x, y;
};
template <class Real>
struct alignas(2 * sizeof(Real)) Record {
  Pair<Real> xy;
  Real z, unused;
};

template <class Real>
struct FieldOfParticle {
  Real x = 0, y = 0, z = 0;
};

/// As SharedParticle::gather(), of three fields at a time, with the closest nodes, those along x,
/// innermost.
template <int Order, class Real>
[[nodiscard]] __device__ inline FieldOfParticle<Real> gather(
    const pic::SharedParticle<Order, Real>& particle, const pic::GridAxes& axes,
    const View<const Record<Real>, 3>& field) {
  const pic::NodeSteps<Order> along_x(axes.axis[0], particle.low[0], field.strides[0]);
  const pic::NodeSteps<Order> along_y(axes.axis[1], particle.low[1], field.strides[1]);
  const pic::NodeSteps<Order> along_z(axes.axis[2], particle.low[2], field.strides[2]);
  const Record<Real>* const node = &field(particle.low[0], particle.low[1], particle.low[2]);
  Real of_x[Order + 1], of_y[Order + 1], of_z[Order + 1];
  particle.x.split(Real(1), of_x);
  particle.y.split(Real(1), of_y);
  particle.z.split(Real(1), of_z);
  FieldOfParticle<Real> sum;
#pragma unroll
  for (int k = 0; k <= Order; ++k)
#pragma unroll
    for (int j = 0; j <= Order; ++j) {
      const Record<Real>* const row = node + along_y.step[j] + along_z.step[k];
      const Real weight = of_y[j] * of_z[k];
      FieldOfParticle<Real> of_row;
#pragma unroll
      for (int i = 0; i <= Order; ++i) {
        const Record<Real>* const at = row + along_x.step[i];
        const Pair<Real> xy = at->xy;
        of_row.x += of_x[i] * xy.x;
        of_row.y += of_x[i] * xy.y;
        of_row.z += of_x[i] * at->z;
      }
      sum.x += weight * of_row.x;
      sum.y += weight * of_row.y;
      sum.z += weight * of_row.z;
    }
  return sum;
}

template <class Real>
struct Fields {
  View<const Real, 3> component[3];
};

inline constexpr int record_block = 256;

template <class Real>
__global__ void __launch_bounds__(record_block)
    make_records(const Fields<Real> fields, Record<Real>* records) {
  const std::int64_t n = std::int64_t{blockIdx.x} * record_block + threadIdx.x;
  const View<const Real, 3>* const field = fields.component;
  if (n >= field[0].size()) return;
  const std::int64_t i = n % field[0].extents[0];
  const std::int64_t rest = n / field[0].extents[0];
  const std::int64_t j = rest % field[0].extents[1];
  const std::int64_t k = rest / field[0].extents[1];
  records[n] = {{field[0](i, j, k), field[1](i, j, k)}, field[2](i, j, k), 0};
}

/// Fields that lie as records do: three neighbors of four, from an aligned address.
template <class Real>
[[nodiscard]] bool lie_as_records(const View<const Real, 3> (&field)[3]) {
  if (reinterpret_cast<std::uintptr_t>(field[0].data) % alignof(Record<Real>) != 0) return false;
  for (int a = 0; a < 3; ++a) {
    if (field[a].data != field[0].data + a) return false;
    for (int r = 0; r < 3; ++r)
      if (field[a].strides[r] != field[0].strides[r] || field[a].strides[r] % 4 != 0) return false;
  }
  return true;
}

/// Records of the fields of a call: those of the caller, or a copy with x fastest.
template <class Real>
class FieldRecords {
 public:
  FieldRecords(Space space, const std::int64_t (&nodes)[3])
      : space_(space), records_(space, nodes[0] * nodes[1] * nodes[2]) {}

  [[nodiscard]] View<const Record<Real>, 3> of(const View<const Real, 3> (&field)[3]) {
    const View<const Real, 3>& x = field[0];
    if (lie_as_records(field)) {
      return {reinterpret_cast<const Record<Real>*>(x.data),
              {x.extents[0], x.extents[1], x.extents[2]},
              {x.strides[0] / 4, x.strides[1] / 4, x.strides[2] / 4}};
    }
    launch("fields of a node", make_records<Real>, blocks_for(x.size(), record_block), record_block,
           0, space_.stream())(Fields<Real>{{field[0], field[1], field[2]}}, records_.data());
    return {records_.data(),
            {x.extents[0], x.extents[1], x.extents[2]},
            {1, x.extents[0], x.extents[0] * x.extents[1]}};
  }

 private:
  Space space_;
  Buffer<Record<Real>, Space> records_;
};

/// Adds what the threads of a block counted to a number of the caller.
class BlockCount {
 public:
  /// All threads of the block take part, before add() and after it.
  __device__ explicit BlockCount(unsigned& shared) : shared_(shared) {
    if (threadIdx.x == 0) shared_ = 0;
  }
  __device__ void add(unsigned count) const {
    if (count > 0) atomicAdd(&shared_, count);
  }
  __device__ void store(std::int64_t* total) const {
    if (threadIdx.x == 0 && shared_ > 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(total),
                static_cast<unsigned long long>(shared_));
  }

 private:
  unsigned& shared_;
};

}  // namespace tessera::cuda::field_records
