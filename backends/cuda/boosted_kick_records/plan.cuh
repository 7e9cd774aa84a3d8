#ifndef TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_CUH
#define TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_CUH

#include "backends/cuda/boosted_kick_records/boosted_kick_of_particle.cuh"
#include "backends/cuda/boosted_kick_records/plan.hpp"

/// \file
/// The plan of cuda.records, compiled once for each precision.

namespace tessera::cuda::boosted_kick_records {

template <class P>
class RecordsPlan<P>::Work
    : public field_records::KickWork<BoostedKickOfParticle<typename P::Storage>> {
 public:
  using field_records::KickWork<BoostedKickOfParticle<typename P::Storage>>::KickWork;
};

template <class P>
RecordsPlan<P>::RecordsPlan(const pic::BoostedKickProblem& problem, const Context& context,
                            const Parameters& parameters)
    : work_(std::make_unique<Work>("boosted kick", problem, context, parameters)) {}

template <class P>
RecordsPlan<P>::~RecordsPlan() = default;

template <class P>
void RecordsPlan<P>::execute(const Args& args) {
  work_->execute(args, BoostedKickOfParticle<typename P::Storage>(args));
}

}  // namespace tessera::cuda::boosted_kick_records

#endif  // TESSERA_BACKENDS_CUDA_BOOSTED_KICK_RECORDS_PLAN_CUH
