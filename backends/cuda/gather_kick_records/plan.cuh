#pragma once

#include <cstdint>
#include <tessera/backends/cuda/execution/space.hpp>
#include <tessera/backends/cuda/gather_kick_records/kernels.cuh>
#include <tessera/backends/cuda/gather_kick_records/plan.hpp>

/// \file
/// The plan of cuda.records, compiled once for each precision.

namespace tessera::cuda::gather_kick_records {

template <class P>
class RecordsPlan<P>::Work {
 public:
  using Real = typename P::Storage;

  Work(const pic::GatherKickProblem& problem, const Context& context, const Policy& policy)
      : problem_(problem),
        policy_(policy),
        space_(space_of<Space>(context)),
        records_(space_, problem.nodes) {}

  void execute(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    space_.fill(args.outside.data, 0, sizeof(std::int64_t));
    const std::int64_t particles = args.positions.extent(0);
    if (particles == 0) return;
    const View<const Record<Real>, 3> field = records_.of(args.field);
    field_records::PerThread::with(policy_.per_thread, [&]<int Count>() {
      pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
        const int threads = policy_.block_size;
        launch("gather and kick", kick_particles<Real, Order, Count>,
               blocks_for(particles, std::int64_t{threads} * Count), static_cast<unsigned>(threads),
               0, space_.stream())(args, pic::grid_axes(args.grid, Order), field,
                                   static_cast<Real>(args.factor));
      });
    });
  }

 private:
  pic::GatherKickProblem problem_;
  Policy policy_;
  Space space_;
  field_records::FieldRecords<Real> records_;
};

template <class P>
RecordsPlan<P>::RecordsPlan(const pic::GatherKickProblem& problem, const Context& context,
                            const Policy& policy)
    : work_(std::make_unique<Work>(problem, context, policy)) {}

template <class P>
RecordsPlan<P>::~RecordsPlan() = default;

template <class P>
void RecordsPlan<P>::execute(const Args& args) {
  work_->execute(args);
}

}  // namespace tessera::cuda::gather_kick_records
