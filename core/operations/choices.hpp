#ifndef TESSERA_CORE_OPERATIONS_CHOICES_HPP
#define TESSERA_CORE_OPERATIONS_CHOICES_HPP

#include "core/base/reasons.hpp"
#include "core/operations/external_tuner.hpp"
#include "core/operations/registry.hpp"
#include "core/operations/tuned_choices.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The selected implementation of an operation and the values of its tuning parameters, each with
/// the source of the choice. Choices are part of the Context, so that plans made inside other calls
/// use them too.

namespace tessera {

/// Source of a choice. Later sources in this list override earlier ones.
enum class ChoiceSource {
  default_order,  ///< the default order, since nothing was chosen
  configured,     ///< TESSERA_SELECT, when the library was configured
  tuned,          ///< a tuning record with measurements from this machine
  tool,           ///< a tuning tool loaded into the process
  restart,        ///< the restart file of a continued run; ignored if it cannot run here
  pin,            ///< a pin file, which fixes all choices of a run (--pin)
  user,           ///< the case, the command line or the calling program
};

[[nodiscard]] constexpr std::string_view name(ChoiceSource source) {
  switch (source) {
    case ChoiceSource::default_order:
      return "default";
    case ChoiceSource::configured:
      return "configured";
    case ChoiceSource::tuned:
      return "tuned";
    case ChoiceSource::tool:
      return "tool";
    case ChoiceSource::restart:
      return "restart";
    case ChoiceSource::pin:
      return "pin";
    case ChoiceSource::user:
      return "user";
  }
  return "unknown";
}

/// The choice for one operation.
struct Choice {
  std::string implementation = "auto";
  ParameterValues parameters;  ///< of that implementation; absent ones keep their defaults
  ChoiceSource source = ChoiceSource::default_order;
  TuningEvidence evidence = {};  ///< measurement behind the choice; empty: not tuned
  ParameterValues advised = {};  ///< the part of `parameters` that a tool set

  /// Applies the values that a tool set, and clears the evidence, which holds only for the measured
  /// values. The source becomes `tool` unless a stronger source made the choice.
  void apply(const ParameterValues& values);
};

/// Choices by operation.
class Choices {
 public:
  /// Adds `op=impl[;op=impl...]`, short operation names allowed; "" adds nothing.
  /// \throws SelectionError, InputError naming the bad part.
  void add_text(const Registry& registry, const std::string& text,
                ChoiceSource source = ChoiceSource::user);

  /// Chooses an implementation, or "auto", for an operation. A choice from a stronger source stays;
  /// any other is replaced.
  /// \throws SelectionError for unknown names.
  void choose(const Registry& registry, const std::string& operation,
              const std::string& implementation, ChoiceSource source = ChoiceSource::user);

  /// Sets the value of a tuning parameter for `implementation` only. Where that is empty, for the
  /// implementation chosen so far; where that is "auto", for each implementation of the operation
  /// that has the parameter. Choose the implementation first, then set parameters.
  /// \throws SelectionError for unknown names, and where none of these implementations has the
  /// parameter; InputError for a value that the parameter does not accept.
  void set_parameter(const Registry& registry, const std::string& operation,
                     const std::string& implementation, const std::string& parameter,
                     const ParameterValue& value, ChoiceSource source = ChoiceSource::user);

  /// The choice for an operation, given by its full name, with its parameter values.
  [[nodiscard]] Choice of(const std::string& operation) const;
  /// Parameter values for one implementation, whether chosen or not.
  [[nodiscard]] ParameterValues parameters(const std::string& operation,
                                           const std::string& implementation) const;

  /// Sets the source of measurements, which decide where no stronger source does; null disables
  /// them.
  void use_tuned(std::shared_ptr<const TunedChoices> tuned) { tuned_ = std::move(tuned); }
  [[nodiscard]] const std::shared_ptr<const TunedChoices>& tuned() const { return tuned_; }

  /// Sets whether the external tuner of the process (external_tuner.hpp) may set parameters that
  /// have no value yet.
  void use_external_tuner(bool use) { use_external_tuner_ = use; }
  [[nodiscard]] bool uses_external_tuner() const { return use_external_tuner_; }

 private:
  struct Setting {
    ParameterValue value;
    ChoiceSource source;
  };
  struct Entry {
    std::string implementation = "auto";
    ChoiceSource source = ChoiceSource::default_order;
    std::map<std::string, std::map<std::string, Setting>>
        parameters;  ///< by implementation, then by parameter
  };
  std::map<std::string, Entry> entries_;
  std::shared_ptr<const TunedChoices> tuned_;
  bool use_external_tuner_ = false;
};

/// The choices with which this library was configured (TESSERA_SELECT), for the registry of this
/// process. They include measurements from the user's tuning database and a tuning tool in the
/// process.
[[nodiscard]] const std::shared_ptr<const Choices>& configured_choices();

/// The same without measurements and tuning tools, for checks and measurements.
[[nodiscard]] const std::shared_ptr<const Choices>& untuned_choices();

/// The choices of a context; those of the configuration where it has none.
[[nodiscard]] const Choices& choices_of(const Context& context);

/// The best measured choice for a problem.
struct TunedOffer {
  TunedChoice choice;
  bool decides = true;  ///< true: decides the implementation; false: only its parameter values
  std::string skipped;  ///< reason why the offer is ignored; empty where it is used
};

/// The best measurement for a problem, from Choices::tuned() of the context. It decides the
/// implementation where no source stronger than the configuration chose one, otherwise only the
/// parameter values of the chosen implementation, where none are set. Absent where there is no
/// measurement, and for problems without a key.
[[nodiscard]] std::optional<TunedOffer> tuned_offer(const Registry& registry,
                                                    const std::string& operation,
                                                    Precision precision, const ProblemKey& problem,
                                                    const Context& context);

/// One row of the report about a choice.
struct RankedImplementation {
  std::string operation;
  std::string implementation;
  bool chosen = false;
  ChoiceSource source = ChoiceSource::default_order;  ///< of the choice for the operation
  std::string reason;                                 ///< reason why chosen or not chosen
};

/// The implementations of an operation in the default order, each with the reason why it is chosen
/// or not. The chosen row, one at most, runs. `refusal_of` gives the reason why an implementation
/// cannot run.
/// \throws SelectionError when the chosen implementation does not exist in this precision.
[[nodiscard]] std::vector<RankedImplementation> rank(
    const Registry& registry, const std::string& operation, Precision precision,
    const Context& context, const std::function<Refusal(const ImplementationBase&)>& refusal_of,
    const std::optional<TunedOffer>& offer = {});

/// Like the other overload, but checks only the device, as `tessera list` does.
[[nodiscard]] std::vector<RankedImplementation> rank(const Registry& registry,
                                                     const std::string& operation,
                                                     Precision precision, const Context& context);

/// The implementation that runs a problem.
template <class Operation, class P>
struct Selected {
  const Implementation<Operation, P>* implementation = nullptr;
  Choice choice;  ///< name of the implementation and the parameter values that it gets
  std::shared_ptr<void> scope = {};  ///< TunerAdvice::scope, which the plans keep alive

  [[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
      const typename Operation::Problem& problem, const Context& context) const {
    auto plan = implementation->make_plan(problem, context, choice.parameters);
    plan->keep(scope);
    return plan;
  }
};

/// Selects the implementation of this process that runs `problem` under the choices of `context`.
/// \param backend restricts the selection to one backend unless empty.
/// \throws RefusalError with all reasons when no implementation can run the problem, SelectionError
/// for an unknown choice.
template <class Operation, class P>
[[nodiscard]] Selected<Operation, P> select(const typename Operation::Problem& problem,
                                            const Context& context,
                                            const std::string& backend = {}) {
  const std::string operation(Operation::name);
  const auto typed = [](const ImplementationBase& i) -> const Implementation<Operation, P>& {
    return dynamic_cast<const Implementation<Operation, P>&>(i);
  };
  const auto refusal_of = [&](const ImplementationBase& i,
                              const ParameterValues& parameters) -> Refusal {
    if (!backend.empty() && i.info().backend != backend) return "is not of backend " + backend;
    return typed(i).can_run(problem, context, parameters);
  };
  const Choices& choices = choices_of(context);
  const std::string wanted = choices.of(operation).implementation;
  std::optional<TunedOffer> offer =
      tuned_offer(registry(), operation, P::value, problem_key(problem), context);
  if (offer && offer->skipped.empty()) {
    const TunedChoice& tuned = offer->choice;
    try {
      const ImplementationBase& best = registry().find(operation, P::value, tuned.implementation);
      offer->skipped = refusal_of(best, tuned.parameters).value_or("");
    } catch (const SelectionError& error) {
      offer->skipped = error.what();
    } catch (const InputError& error) {
      offer->skipped = error.what();
    }
  }
  const auto is_tuned = [&](const std::string& implementation) {
    return offer && offer->skipped.empty() && offer->choice.implementation == implementation;
  };
  const auto parameters_of = [&](const std::string& implementation) {
    return is_tuned(implementation) ? offer->choice.parameters
                                    : choices.parameters(operation, implementation);
  };
  Reasons reasons;
  for (const RankedImplementation& row : rank(
           registry(), operation, P::value, context,
           [&](const ImplementationBase& i) { return refusal_of(i, parameters_of(i.info().name)); },
           offer)) {
    if (row.chosen) {
      const auto& chosen = typed(registry().find(operation, P::value, row.implementation));
      Selected<Operation, P> selected = {
          &chosen,
          {row.implementation, parameters_of(row.implementation), row.source,
           is_tuned(row.implementation) ? offer->choice.evidence : TuningEvidence{}}};
      if (choices.uses_external_tuner() &&
          choices.parameters(operation, row.implementation).empty()) {
        TunerAdvice advice =
            ask_external_tuner(chosen, selected.choice.parameters, problem_key(problem), context,
                               [&](const ParameterValues& parameters) {
                                 return chosen.can_run(problem, context, parameters);
                               });
        selected.choice.apply(advice.values);
        selected.scope = std::move(advice.scope);
      }
      return selected;
    }
    if (wanted == "auto" || wanted == row.implementation)
      reasons.add(row.implementation, row.reason);
  }
  throw RefusalError(operation + " in " + std::string(name(P::value)), reasons.text());
}

/// Context for sub-operations of an implementation of `backend`: drops a choice of the operation
/// that belongs to another backend.
[[nodiscard]] Context for_parts(const Registry& registry, const std::string& operation,
                                Precision precision, const std::string& backend,
                                const Context& context);

/// Like `select`, among the implementations of one backend, for operations that are composed of
/// others.
template <class Operation, class P>
[[nodiscard]] Selected<Operation, P> select_part(const typename Operation::Problem& problem,
                                                 const std::string& backend,
                                                 const Context& context) {
  return select<Operation, P>(
      problem, for_parts(registry(), std::string(Operation::name), P::value, backend, context),
      backend);
}

/// A plan of the portable body of a backend, for an implementation that delegates some calls to it.
template <class Operation, class P>
[[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_portable_plan(
    const typename Operation::Problem& problem, const std::string& backend,
    const Context& context) {
  const ImplementationBase& portable =
      registry().find(std::string(Operation::name), P::value, backend + ".portable");
  return dynamic_cast<const Implementation<Operation, P>&>(portable).make_plan(problem, context,
                                                                               {});
}

/// Context for a problem that not every implementation supports: drops a choice of an
/// implementation that refuses `problem`, so that the default order decides.
/// \throws SelectionError for a choice that does not exist in this precision.
template <class Operation, class P>
[[nodiscard]] Context for_able(const typename Operation::Problem& problem, const Context& context) {
  const std::string operation(Operation::name);
  const Choice choice = choices_of(context).of(operation);
  if (choice.implementation == "auto") return context;
  const auto& chosen = dynamic_cast<const Implementation<Operation, P>&>(
      registry().find(operation, P::value, choice.implementation));
  if (!chosen.can_run(problem, context, choice.parameters)) return context;
  Context able = context;
  auto own = std::make_shared<Choices>(choices_of(context));
  own->choose(registry(), operation, "auto", ChoiceSource::user);
  able.choices = std::move(own);
  return able;
}

/// A plan of the selected implementation.
template <class Operation, class P>
[[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
    const typename Operation::Problem& problem, const Context& context) {
  return select<Operation, P>(problem, context).make_plan(problem, context);
}

/// One call on the caller's arrays, as the public entry points of operations make it: makes a plan,
/// prepares it where the operation uses prepare, and executes it. Blocks until the work is done,
/// because the memory of the plan is then released.
template <class Operation, class P>
void run_once(const typename Operation::Problem& problem, const Context& context,
              const typename Operation::template Args<P>& args) {
  const auto plan = make_plan<Operation, P>(problem, context);
  if constexpr (Operation::traits.prepare != Prepare::none) plan->prepare(args);
  plan->execute(args);
  context.fence();
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_CHOICES_HPP
