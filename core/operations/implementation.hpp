#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/base/precision.hpp>
#include <tessera/core/memory/device.hpp>
#include <tessera/core/tuning/knobs.hpp>
#include <utility>
#include <vector>

/// \file
/// The contract between an operation and its implementations.
///
/// An operation is a tag type, declared once in physics/<module>/<operation>/<operation>.hpp:
///
///     struct PairForce {
///       static constexpr std::string_view name = "md/pair_force";
///       template <class P> using Args = PairForceArgs<P>;    // plain struct of views
///       using Problem = PairForceProblem;                    // what a choice may depend on
///       using PlanInterface = PairForcePlanInterface;        // further questions to a plan
///     };
///
/// An implementation makes a Plan for a problem; the plan owns its memory and does the work.

namespace tessera {

/// What repeats when an operation is repeated on the same input.
enum class Determinism {
  none,        ///< low bits may differ from run to run
  run_to_run,  ///< same bits for the same input, device and parameters
  any_order,   ///< same bits whatever the order of particles and threads
};

[[nodiscard]] constexpr std::string_view name(Determinism determinism) {
  switch (determinism) {
    case Determinism::none:
      return "none";
    case Determinism::run_to_run:
      return "run_to_run";
    case Determinism::any_order:
      return "any_order";
  }
  return "unknown";
}

/// Documented default order of implementations: the highest that can run is taken when the user
/// names none and no tuning record knows better.
namespace priority {
inline constexpr int reference = 0;    ///< the oracle; never taken by itself
inline constexpr int portable = 10;    ///< the portable body: the rank of its backend, 10 to 29
inline constexpr int kokkos = 20;      ///< the portable body on the default backend
inline constexpr int hand_tuned = 30;  ///< a plugin
}  // namespace priority

/// Everything about an implementation that can be listed.
struct ImplementationInfo {
  std::string operation;  ///< "md/pair_force"
  std::string name;       ///< "<backend>.<variant>", "reference" for the oracle
  std::string backend;
  Precision precision = Precision::double_precision;
  MemorySpace memory = MemorySpace::host;
  Determinism determinism = Determinism::none;
  int priority = 0;
  std::string description;
  std::vector<KnobInfo> knobs;
};

/// Why an implementation cannot run a problem; absent when it can.
using Refusal = std::optional<std::string>;

/// Non-template base: what the registry enumerates.
class ImplementationBase {
 public:
  explicit ImplementationBase(ImplementationInfo info) : info_(std::move(info)) {}
  virtual ~ImplementationBase() = default;
  ImplementationBase(const ImplementationBase&) = delete;
  ImplementationBase& operator=(const ImplementationBase&) = delete;

  [[nodiscard]] const ImplementationInfo& info() const { return info_; }

  /// Whether it can run on this device at all.
  [[nodiscard]] virtual Refusal can_run_on(const Context& context) const;

 private:
  ImplementationInfo info_;
};

/// For operations whose plans answer no further questions.
struct NoPlanInterface {};

/// One problem on one device, ready to run many times.
template <class Operation, class P>
class Plan : public Operation::PlanInterface {
 public:
  using Args = typename Operation::template Args<P>;

  virtual ~Plan() = default;
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Costly work that stays valid for a while (neighbor lists, sorting). May allocate and wait.
  /// Must be called once before the first execute; the operation says when again.
  virtual void prepare(const Args&) {}

  /// The work of one step: allocates nothing, does not wait.
  virtual void execute(const Args& args) = 0;
};

template <class Operation, class P>
class Implementation : public ImplementationBase {
 public:
  using Problem = typename Operation::Problem;
  using ImplementationBase::ImplementationBase;

  /// Whether it can run this problem on this device; includes can_run_on.
  [[nodiscard]] virtual Refusal can_run(const Problem& problem, const Context& context) const = 0;

  /// \throws RefusalError when it cannot run the problem, InputError for bad parameters.
  [[nodiscard]] virtual std::unique_ptr<Plan<Operation, P>> make_plan(
      const Problem& problem, const Context& context, const Parameters& parameters) const = 0;
};

/// What a plan class offers so that `PlanImplementation` can wrap it.
template <class PlanType, class Operation, class P>
concept PlanFor = std::derived_from<PlanType, Plan<Operation, P>> &&
    std::constructible_from<PlanType, const typename Operation::Problem&, const Context&,
                            const typename PlanType::Policy&> &&
    requires(const typename Operation::Problem& problem, const Context& context) {
  { PlanType::can_run(problem, context) } -> std::same_as<Refusal>;
};

/// An implementation made of a plan class with `Policy`, `can_run` and a constructor
/// `(problem, context, policy)`. A class may also offer `static Refusal can_run_on(context)`.
template <class Operation, class P, PlanFor<Operation, P> PlanType>
class PlanImplementation final : public Implementation<Operation, P> {
 public:
  using Problem = typename Operation::Problem;
  using Policy = typename PlanType::Policy;

  explicit PlanImplementation(ImplementationInfo info)
      : Implementation<Operation, P>(completed(std::move(info))) {}

  [[nodiscard]] Refusal can_run_on(const Context& context) const override {
    if (auto refusal = ImplementationBase::can_run_on(context)) return refusal;
    if constexpr (requires { PlanType::can_run_on(context); })
      return PlanType::can_run_on(context);
    else
      return {};
  }

  [[nodiscard]] Refusal can_run(const Problem& problem, const Context& context) const override {
    if (auto refusal = can_run_on(context)) return refusal;
    return PlanType::can_run(problem, context);
  }

  [[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
      const Problem& problem, const Context& context, const Parameters& parameters) const override {
    if (auto refusal = can_run(problem, context))
      throw RefusalError(this->info().operation + "=" + this->info().name, *refusal);
    return std::make_unique<PlanType>(problem, context, make_policy<Policy>(parameters));
  }

 private:
  static ImplementationInfo completed(ImplementationInfo info) {
    info.operation = std::string(Operation::name);
    info.precision = P::value;
    info.knobs = describe_knobs<Policy>();
    return info;
  }
};

}  // namespace tessera
