#ifndef TESSERA_BACKENDS_GPU_FIELD_RECORDS_FIELD_RECORDS_CUH
#define TESSERA_BACKENDS_GPU_FIELD_RECORDS_FIELD_RECORDS_CUH

#include "backends/gpu/execution/launch.hpp"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "core/memory/view.hpp"

#include <cstdint>

/// \file
/// Fields as records of four numbers per node, for kernels that need all components: the three
/// components and padding. The padding may have any value: it is loaded together with the third
/// component, as one aligned access, and is not used. Arrays of a caller that stores fields this
/// way are therefore used in place.

namespace tessera::gpu::field_records {

template <class Real>
struct alignas(2 * sizeof(Real)) Pair {
  Real first, second;
};
/// The field at a node; a record in single, or half a record in double, is one load of 16 bytes.
template <class Real>
struct alignas(16) Record {
  Pair<Real> xy, z_and_none;
};

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
  records[n] = {{field[0](i, j, k), field[1](i, j, k)}, {field[2](i, j, k), 0}};
}

/// Whether fields are stored as records: three adjacent components, a stride of four numbers or a
/// multiple, and an aligned address.
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

/// View of the records of a grid: the first pair of each record, with strides in pairs.
template <class Real>
using RecordView = View<const Pair<Real>, 3>;

/// Records of the fields of a call: the caller's arrays where they are records, else a copy with x
/// fastest.
template <class Real>
class FieldRecords {
 public:
  FieldRecords(Space space, const std::int64_t (&nodes)[3])
      : space_(space), records_(space, nodes[0] * nodes[1] * nodes[2]) {}

  [[nodiscard]] RecordView<Real> of(const View<const Real, 3> (&field)[3]) {
    const View<const Real, 3>& x = field[0];
    if (lie_as_records(field)) {
      return {reinterpret_cast<const Pair<Real>*>(x.data),
              {x.extents[0], x.extents[1], x.extents[2]},
              {x.strides[0] / 2, x.strides[1] / 2, x.strides[2] / 2}};
    }
    launch("fields of a node", make_records<Real>, blocks_for(x.size(), record_block), record_block,
           0, space_.stream())(Fields<Real>{{field[0], field[1], field[2]}}, records_.data());
    return {&records_.data()->xy,
            {x.extents[0], x.extents[1], x.extents[2]},
            {2, 2 * x.extents[0], 2 * x.extents[0] * x.extents[1]}};
  }

 private:
  Space space_;
  Buffer<Record<Real>, Space> records_;
};

}  // namespace tessera::gpu::field_records

#endif  // TESSERA_BACKENDS_GPU_FIELD_RECORDS_FIELD_RECORDS_CUH
