#ifndef TESSERA_CORE_OPERATIONS_REFERENCE_HPP
#define TESSERA_CORE_OPERATIONS_REFERENCE_HPP

#include "core/operations/implementation.hpp"

#include <memory>

/// \file
/// The oracle as an implementation, so that it can be selected like any other.

namespace tessera {

/// Runs `Function`, called with (problem, args), on the host.
template <class Operation, class P, auto Function>
class ReferencePlan : public Plan<Operation, P> {
 public:
  using Parameters = NoParameters;
  using Problem = typename Operation::Problem;
  using Args = typename Operation::template Args<P>;
  static constexpr PlanTraits<Operation> traits{.determinism = Determinism::run_to_run,
                                                .description = "the oracle: plain loops in double",
                                                .every_feature = true};

  ReferencePlan(const Problem& problem, const Context&, const Parameters&) : problem_(problem) {}

  static Refusal can_run(const Problem&, const Context&, const Parameters&) { return {}; }
  void execute(const Args& args) override { Function(problem_, args); }

 private:
  Problem problem_;
};

template <class Operation, class P, auto Function>
[[nodiscard]] std::unique_ptr<ImplementationBase> reference_implementation() {
  ImplementationInfo info;
  info.name = "reference";
  info.backend = "host";
  info.memory = MemorySpace::host;
  info.priority = priority::reference;
  return std::make_unique<PlanImplementation<Operation, P, ReferencePlan<Operation, P, Function>>>(
      std::move(info));
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_REFERENCE_HPP
