#ifndef TESSERA_CORE_OPERATIONS_IMPLEMENTATION_HPP
#define TESSERA_CORE_OPERATIONS_IMPLEMENTATION_HPP

#include "core/base/precision.hpp"
#include "core/execution/host_threads.hpp"
#include "core/memory/device.hpp"
#include "core/operations/argument_check.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// The contract between an operation and its implementations.
///
/// An operation is a tag type, declared once in `physics/<module>/<operation>/<operation>.hpp`:
///
///     struct PairForce {
///       static constexpr std::string_view name = "md/pair_force";
///       template <class P> using Args = PairForceArgs<typename P::Storage>;  // struct of views
///       using Problem = PairForceProblem;                    // inputs of the selection
///       using PlanInterface = PairForcePlanInterface;  // additional queries of a plan
///       using Features = ForceFeatures;                // what only some implementations support
///       static constexpr OperationTraits traits{.prepare = Prepare::required};
///       using Check = PairForceCheck;                  // requirements on arguments
///       static Refusal refuse(const PairForceProblem&, const ForceFeatures&);
///     };
///
/// `Features` is a struct of what a problem may request and only some implementations support, with
/// the defaults of an implementation that does not know the feature. `refuse` refuses a request
/// that the features of a plan class lack. Tags without features have NoFeatures and no `refuse`.
/// PlainOperation (operation.hpp) has the members that most tags share.
///
/// An implementation makes a Plan for a problem; the plan owns its memory and does the work.

namespace tessera {

/// Reproducibility of an operation that is repeated on the same input.
enum class Determinism {
  none,        ///< low-order bits may differ from run to run
  run_to_run,  ///< bitwise reproducible for the same input, device and parameters
  any_order,   ///< bitwise reproducible for any order of particles and threads
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

/// Meaning of `prepare` for an operation.
enum class Prepare {
  required,  ///< executing without it is an error
  hint,      ///< may affect times, never results
  none,      ///< it is not called
};

[[nodiscard]] constexpr std::string_view name(Prepare prepare) {
  switch (prepare) {
    case Prepare::required:
      return "required";
    case Prepare::hint:
      return "hint";
    case Prepare::none:
      return "none";
  }
  return "unknown";
}

/// Properties of an operation that core reads at compile time, with the members that differ from
/// their defaults.
struct OperationTraits {
  Prepare prepare = Prepare::none;
  /// Whether `problem.determinism` is the determinism that the results have to show.
  bool selects_determinism = false;
  /// Whether Check has `after(context, args)`, which checks the output after every execute.
  bool checks_output = false;
};

/// The Features of operations without optional features.
struct NoFeatures {};

/// Properties of a plan class: `static constexpr PlanTraits<Operation>
/// traits{...}` in the class, with the members that differ from their defaults.
template <class Operation>
struct PlanTraits {
  Determinism determinism = Determinism::none;
  /// Determinism available where a problem requests it, possibly at a cost in speed.
  Determinism determinism_on_request = Determinism::none;
  /// A description of the implementation, as a phrase for listings. Portable bodies need none.
  std::string_view description = {};
  /// The features of the operation that the implementation supports.
  typename Operation::Features features = {};
  /// Whether it supports all of them (the oracle).
  bool every_feature = false;
};

/// Documented default order of implementations. Where the user names none and no tuning record
/// decides, the implementation with the highest priority that can run is selected.
namespace priority {
inline constexpr int reference = 0;    ///< the oracle; never selected automatically
inline constexpr int outside = 1;      ///< an out-of-tree plugin, whatever priority it requests
inline constexpr int portable = 10;    ///< the portable body: rank of its backend, 10 to 29
inline constexpr int kokkos = 20;      ///< the portable body on Kokkos
inline constexpr int hand_tuned = 30;  ///< a hand-tuned kernel in the tree
}  // namespace priority

/// Properties of an implementation, for listings.
struct ImplementationInfo {
  std::string operation;  ///< "md/pair_force"
  std::string name;       ///< "<backend>.<variant>", "reference" for the oracle
  std::string backend;
  Precision precision = Precision::double_precision;
  MemorySpace memory = MemorySpace::host;
  Determinism determinism = Determinism::none;
  /// Determinism available where a problem requests it, possibly at a cost in speed.
  Determinism determinism_on_request = Determinism::none;
  int priority = 0;
  std::string description;
  std::vector<ParameterInfo> parameters;
  std::string origin = {};  ///< path of the out-of-tree plugin that contains it; empty: built in
};

/// The strongest determinism that the implementation offers.
[[nodiscard]] inline Determinism most_determinism(const ImplementationInfo& info) {
  return info.determinism < info.determinism_on_request ? info.determinism_on_request
                                                        : info.determinism;
}

/// Non-template base class of implementations, for the registry.
class ImplementationBase {
 public:
  explicit ImplementationBase(ImplementationInfo info) : info_(std::move(info)) {}
  virtual ~ImplementationBase() = default;
  ImplementationBase(const ImplementationBase&) = delete;
  ImplementationBase& operator=(const ImplementationBase&) = delete;

  [[nodiscard]] const ImplementationInfo& info() const { return info_; }

  /// Called by the registry. An out-of-tree plugin has not been measured against the built-in
  /// implementations, so it comes after them in the default order.
  void comes_from_outside(std::string origin) {
    info_.origin = std::move(origin);
    if (info_.priority > priority::outside) info_.priority = priority::outside;
  }

  /// Reason why the implementation cannot run on this device at all.
  [[nodiscard]] virtual Refusal can_run_on(const Context& context) const;

  /// Tuning parameters with their defaults on this device.
  [[nodiscard]] virtual std::vector<ParameterInfo> parameters_on(const DeviceProperties&) const {
    return info_.parameters;
  }

  /// Whether every value that differs from its value in Parameters{} has an effect. A search skips
  /// points for which this is false, because they repeat another point. `values` holds all
  /// parameters. See Parameters::canonical() in core/parameters/tuning_parameter.hpp.
  /// \throws InputError; SelectionError for values that no problem allows.
  [[nodiscard]] virtual bool is_canonical(const DeviceProperties&, const ParameterValues&) const {
    return true;
  }

 private:
  ImplementationInfo info_;
};

/// The PlanInterface of operations whose plans have no additional queries.
struct NoPlanInterface {};

/// One problem on one device, ready for repeated execution.
template <class Operation, class P>
class Plan : public Operation::PlanInterface {
 public:
  using Args = typename Operation::template Args<P>;
  using OperationTag = Operation;
  using PrecisionTag = P;

  virtual ~Plan() = default;
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  /// Expensive work that stays valid for several steps (neighbor lists, sorting). May allocate and
  /// block. OperationTraits::prepare defines whether a call before the first execute is required.
  /// The operation defines when it has to be repeated.
  virtual void prepare(const Args&) {}

  /// The work of one step. Does not allocate or block.
  virtual void execute(const Args& args) = 0;

  /// A promise of the caller: from the next prepare() on, the indices and types in index arrays
  /// (types, exclusions) stay in range, in any order. Later calls of prepare() then need not block
  /// to validate the same arrays.
  virtual void assume_indices_valid() {}

  /// Keeps `thing` alive as long as the plan.
  void keep(std::shared_ptr<void> thing) { kept_ = std::move(thing); }

 private:
  std::shared_ptr<void> kept_;
};

template <class Operation, class P>
class Implementation : public ImplementationBase {
 public:
  using Problem = typename Operation::Problem;
  using ImplementationBase::ImplementationBase;

  /// Reason why the implementation cannot run this problem on this device with these parameter
  /// values. Includes can_run_on.
  /// \throws SelectionError, InputError for parameter values that no problem allows; ArgumentError
  /// for an invalid problem.
  [[nodiscard]] virtual Refusal can_run(const Problem& problem, const Context& context,
                                        const ParameterValues& values = {}) const = 0;

  /// A plan that enforces OperationTraits::prepare and Operation::Check: where prepare is required,
  /// execute without it throws PrepareError, and arguments that do not fit the problem throw
  /// ArgumentError.
  /// \throws RefusalError when the implementation cannot run the problem; SelectionError,
  /// InputError for bad parameters; ArgumentError for an invalid problem.
  [[nodiscard]] virtual std::unique_ptr<Plan<Operation, P>> make_plan(
      const Problem& problem, const Context& context, const ParameterValues& values) const = 0;
};

/// The requirements of `PlanImplementation` on a plan class.
template <class PlanType, class Operation, class P>
concept PlanFor = std::derived_from<PlanType, Plan<Operation, P>> &&
    std::constructible_from<PlanType, const typename Operation::Problem&, const Context&,
                            const typename PlanType::Parameters&> &&
    requires(const typename Operation::Problem& problem, const Context& context,
             const typename PlanType::Parameters& parameters) {
  { PlanType::traits } -> std::same_as<const PlanTraits<Operation>&>;
  { PlanType::can_run(problem, context, parameters) } -> std::same_as<Refusal>;
  { problem_key(problem) } -> std::same_as<ProblemKey>;
};

/// Checks the shapes of the arguments of a call outside of a plan.
template <class Operation, class Args>
void check_arguments(const typename Operation::Problem& problem, const Args& args) {
  ArgumentCheck check(Operation::name);
  typename Operation::Check const expected(problem);
  expected(check, args);
}

/// A plan that checks the arguments of every call, the output where OperationTraits::checks_output
/// requests it, and whether it has been prepared.
template <class Operation, class PlanType>
class CheckedPlan final : public PlanType {
 public:
  using Args = typename PlanType::Args;
  static_assert(!std::is_final_v<PlanType>,
                "a plan must not be final: the one that users get derives from it");

  template <class Problem, class Parameters>
  CheckedPlan(typename Operation::Check expected, const Problem& problem, const Context& context,
              const Parameters& parameters)
      : PlanType(problem, context, parameters),
        expected_(std::move(expected)),
        known_arrays_(context),
        context_(context) {}

  void prepare(const Args& args) override {
    prepared_ = false;  // stays false if prepare throws
    check(ArgumentCheck::Call::prepare, args);
    PlanType::prepare(args);
    prepared_ = true;
  }
  void execute(const Args& args) override {
    if constexpr (Operation::traits.prepare == Prepare::required)
      if (!prepared_) throw PrepareError(std::string(Operation::name));
    check(ArgumentCheck::Call::execute, args);
    PlanType::execute(args);
    if constexpr (Operation::traits.checks_output) expected_.after(context_, args);
  }
  void assume_indices_valid() final { known_arrays_.assume_indices_valid(); }

 private:
  void check(ArgumentCheck::Call call, const Args& args) {
    ArgumentCheck round(Operation::name, call, known_arrays_);
    expected_(round, args);
    round.finish();
  }

  typename Operation::Check expected_;
  KnownArrays known_arrays_;
  Context context_;
  bool prepared_ = false;
};

/// An implementation for a plan class with `traits`, `Parameters`, a constructor `(problem,
/// context, parameters)`, and `static Refusal can_run(problem, context, parameters)`, the reason
/// why it cannot run a problem.
template <class Operation, class P, PlanFor<Operation, P> PlanType>
class PlanImplementation final : public Implementation<Operation, P> {
 public:
  using Problem = typename Operation::Problem;
  using Parameters = typename PlanType::Parameters;

  /// \param open_threads opens the threads of the backend, for a plan class that runs in HostSpace.
  explicit PlanImplementation(ImplementationInfo info, OpenHostThreads open_threads = nullptr)
      : Implementation<Operation, P>(completed(std::move(info))), open_threads_(open_threads) {}

  [[nodiscard]] std::vector<ParameterInfo> parameters_on(
      const DeviceProperties& device) const override {
    return describe_parameters<Parameters>(default_parameters<Parameters>(device));
  }

  [[nodiscard]] bool is_canonical(const DeviceProperties& device,
                                  const ParameterValues& values) const override {
    const Parameters parameters =
        make_parameters<Parameters>(values, default_parameters<Parameters>(device));
    return is_canonical_combination(parameters);
  }

  [[nodiscard]] Refusal can_run(const Problem& problem, const Context& context,
                                const ParameterValues& values = {}) const override {
    if (auto refusal = this->can_run_on(context)) return refusal;
    static_cast<void>(typename Operation::Check(problem));
    return refusal_of(problem, context, parameters_of_policy(context, values));
  }

  [[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
      const Problem& problem, const Context& context,
      const ParameterValues& values) const override {
    Refusal refusal = this->can_run_on(context);
    typename Operation::Check expected(problem);
    const Parameters parameters = parameters_of_policy(context, values);
    if (!refusal) refusal = refusal_of(problem, context, parameters);
    if (refusal) throw RefusalError(this->info().operation + "=" + this->info().name, *refusal);
    Context own = context;
    if (open_threads_ != nullptr) own.host_threads = open_threads_();
    return std::make_unique<CheckedPlan<Operation, PlanType>>(std::move(expected), problem, own,
                                                              parameters);
  }

 private:
  [[nodiscard]] static Parameters parameters_of_policy(const Context& context,
                                                       const ParameterValues& values) {
    return make_parameters<Parameters>(
        values, default_parameters<Parameters>(context.device->properties()));
  }
  [[nodiscard]] Refusal refusal_of(const Problem& problem, const Context& context,
                                   const Parameters& parameters) const {
    if constexpr (Operation::traits.selects_determinism) {
      const Determinism most = most_determinism(this->info());
      if (problem.determinism > most)
        return "the required determinism is " + std::string(name(problem.determinism)) +
               ", it provides at most " + std::string(name(most));
    }
    if constexpr (!std::is_same_v<typename Operation::Features, NoFeatures> &&
                  !PlanType::traits.every_feature)
      if (auto refusal = Operation::refuse(problem, PlanType::traits.features)) return refusal;
    return PlanType::can_run(problem, context, parameters);
  }
  static ImplementationInfo completed(ImplementationInfo info) {
    info.operation = std::string(Operation::name);
    info.precision = P::value;
    info.determinism = PlanType::traits.determinism;
    info.determinism_on_request = PlanType::traits.determinism_on_request;
    if (info.description.empty()) info.description = PlanType::traits.description;
    info.parameters = describe_parameters<Parameters>();
    return info;
  }

  OpenHostThreads open_threads_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_IMPLEMENTATION_HPP
