#ifndef TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_PLAN_CUH
#define TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_PLAN_CUH

#include "backends/gpu/boosted_kick_records/boosted_kick_of_particle.cuh"
#include "backends/gpu/field_records/parameters.hpp"
#include "core/operations/implementation.hpp"

/// \file
/// The plan of cuda.records.

namespace tessera::gpu::boosted_kick_records {

template <class P>
class RecordsPlan : public Plan<pic::BoostedKick, P> {
 public:
  using Parameters = field_records::Parameters;
  using Args = typename Plan<pic::BoostedKick, P>::Args;
  using Kick = BoostedKickOfParticle<typename P::Storage>;
  static constexpr PlanTraits<pic::BoostedKick> traits{
      .determinism = Determinism::any_order,
      .description = "the field of a node in one piece; frames changed on the way",
      .features = {.shape_orders = pic::most_shape_order}};

  static Refusal can_run(const pic::BoostedKickProblem&, const Context&, const Parameters&) {
    return {};
  }

  RecordsPlan(const pic::BoostedKickProblem& problem, const Context& context,
              const Parameters& parameters)
      : work_("boosted kick", problem, context, parameters) {}

  void execute(const Args& args) override { work_.execute(args, Kick(args)); }

 private:
  field_records::KickWork<Kick> work_;
};

}  // namespace tessera::gpu::boosted_kick_records

#endif  // TESSERA_BACKENDS_GPU_BOOSTED_KICK_RECORDS_PLAN_CUH
