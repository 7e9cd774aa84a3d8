#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PLAN_CUH
#define TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PLAN_CUH

#include "backends/gpu/deposit_copies/parameters.hpp"
#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/charge_deposit/charge_deposit_portable.hpp"

#include <string>

/// \file
/// The plan of cuda.copies.

namespace tessera::gpu::deposit_copies {

/// Thread number `copy` deposits every `copies`-th particle, from number `copy` on, into its own
/// copy of the grid; neighboring threads thus read neighboring particles. The copies of a node are
/// adjacent in memory.
template <class Storage, int Order>
struct DepositIntoCopy {
  pic::DepositParticle<Storage, Order> particle;
  std::int64_t particles;
  std::int64_t copies;
  Storage* grids;

  TESSERA_FUNCTION void operator()(std::int64_t copy) const {
    const auto& n = particle.args.density.extents;
    const View<Storage, 3> mine(grids + copy, {n[0], n[1], n[2]},
                                {n[1] * n[2] * copies, n[2] * copies, copies});
    std::int64_t outside = 0;
    for (std::int64_t p = copy; p < particles; p += copies)
      if (!particle(p, mine, pic::PlainAdd<Storage>{})) ++outside;
    if (outside > 0) Space::atomic_add(particle.args.outside.data, outside);
  }
};

/// Adds up the copies of each node, always in the same order.
template <class Storage>
struct SumCopies {
  View<Storage, 3> density;
  const Storage* grids;
  std::int64_t copies;
  bool add;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const Storage* const at =
        grids + ((i * density.extents[1] + j) * density.extents[2] + k) * copies;
    Storage sum = add ? density(i, j, k) : Storage{0};
    for (std::int64_t copy = 0; copy < copies; ++copy)
      sum += at[copy];
    density(i, j, k) = sum;
  }
};

template <class P>
class CopiesPlan : public Plan<pic::ChargeDeposit, P> {
 public:
  using Parameters = deposit_copies::Parameters;
  using Args = typename Plan<pic::ChargeDeposit, P>::Args;
  using Storage = typename P::Storage;

  static constexpr PlanTraits<pic::ChargeDeposit> traits{
      .determinism = Determinism::run_to_run,
      .description = "one grid a thread, added up at the end",
      .features = {.shape_orders = pic::most_shape_order, .passes_over_lost = true}};

  static Refusal can_run(const pic::ChargeDepositProblem& problem, const Context& context,
                         const Parameters& parameters) {
    // Half of the memory remains for particles and other data of the program.
    const double most = 0.5 * static_cast<double>(context.device->properties().memory_bytes);
    double bytes = sizeof(typename P::Storage);
    for (const std::int64_t nodes : problem.nodes)
      bytes *= static_cast<double>(nodes);
    if (parameters.copies * bytes <= most) return {};
    return "takes no more than half of the memory, of which " + std::to_string(parameters.copies) +
           " copies of the grid are more; " + std::to_string(static_cast<int>(most / bytes)) +
           " fit";
  }

  CopiesPlan(const pic::ChargeDepositProblem& problem, const Context& context,
             const Parameters& parameters)
      : problem_(problem),
        parameters_(parameters),
        space_(space_of<Space>(context)),
        grids_(space_, problem.nodes[0] * problem.nodes[1] * problem.nodes[2] * parameters.copies) {
  }

  void execute(const Args& args) override {
    space_.for_each("deposit zero", std::int64_t{1}, pic::ZeroOutside{args.outside.data});
    grids_.zero(grids_.size());
    pic::with_shape_order(problem_.shape_order, [&]<int Order>() {
      const pic::DepositParticle<Storage, Order> particle{args, pic::grid_axes(args.grid, Order),
                                                          pic::cell_charge(args)};
      space_.for_each("deposit copies", std::int64_t{parameters_.copies},
                      DepositIntoCopy<Storage, Order>{particle, args.positions.extent(0),
                                                      parameters_.copies, grids_.data()},
                      parameters_.team_size);
    });
    const std::int64_t(&n)[3] = problem_.nodes;
    space_.for_each("deposit sum", Extents3{n[0], n[1], n[2]},
                    SumCopies<Storage>{args.density, grids_.data(), parameters_.copies,
                                       args.mode == pic::DepositMode::add});
  }

 private:
  pic::ChargeDepositProblem problem_;
  Parameters parameters_;
  Space space_;
  Buffer<Storage, Space> grids_;
};

}  // namespace tessera::gpu::deposit_copies

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_COPIES_PLAN_CUH
