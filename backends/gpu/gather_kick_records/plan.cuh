#ifndef TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_PLAN_CUH
#define TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_PLAN_CUH

#include "backends/gpu/field_records/parameters.hpp"
#include "backends/gpu/gather_kick_records/add_kick.cuh"
#include "core/operations/implementation.hpp"

/// \file
/// The plan of cuda.records.

namespace tessera::gpu::gather_kick_records {

template <class P>
class RecordsPlan : public Plan<pic::GatherKick, P> {
 public:
  using Parameters = field_records::Parameters;
  using Args = typename Plan<pic::GatherKick, P>::Args;
  using Kick = AddKick<typename P::Storage>;
  static constexpr PlanTraits<pic::GatherKick> traits{
      .determinism = Determinism::any_order,
      .description = "the field of a node in one piece, particles by threads",
      .features = {.shape_orders = pic::most_shape_order}};

  static Refusal can_run(const pic::GatherKickProblem&, const Context&, const Parameters&) {
    return {};
  }

  RecordsPlan(const pic::GatherKickProblem& problem, const Context& context,
              const Parameters& parameters)
      : work_("gather and kick", problem, context, parameters) {}

  void execute(const Args& args) override { work_.execute(args, Kick(args)); }

 private:
  field_records::KickWork<Kick> work_;
};

}  // namespace tessera::gpu::gather_kick_records

#endif  // TESSERA_BACKENDS_GPU_GATHER_KICK_RECORDS_PLAN_CUH
