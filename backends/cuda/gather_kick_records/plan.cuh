#ifndef TESSERA_BACKENDS_CUDA_GATHER_KICK_RECORDS_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_GATHER_KICK_RECORDS_PLAN_CUH

#include "backends/cuda/gather_kick_records/add_kick.cuh"
#include "backends/cuda/gather_kick_records/plan.hpp"

/// \file
/// The plan of cuda.records, compiled once for each precision.

namespace tessera::cuda::gather_kick_records {

template <class P>
class RecordsPlan<P>::Work : public field_records::KickWork<AddKick<typename P::Storage>> {
 public:
  using field_records::KickWork<AddKick<typename P::Storage>>::KickWork;
};

template <class P>
RecordsPlan<P>::RecordsPlan(const pic::GatherKickProblem& problem, const Context& context,
                            const Parameters& parameters)
    : work_(std::make_unique<Work>("gather and kick", problem, context, parameters)) {}

template <class P>
RecordsPlan<P>::~RecordsPlan() = default;

template <class P>
void RecordsPlan<P>::execute(const Args& args) {
  work_->execute(args, AddKick<typename P::Storage>(args));
}

}  // namespace tessera::cuda::gather_kick_records

#endif  // TESSERA_BACKENDS_CUDA_GATHER_KICK_RECORDS_PLAN_CUH
