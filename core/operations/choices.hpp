#ifndef TESSERA_CORE_OPERATIONS_CHOICES_HPP
#define TESSERA_CORE_OPERATIONS_CHOICES_HPP

#include "core/base/reasons.hpp"
#include "core/operations/knob_adviser.hpp"
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
/// Which implementation runs an operation, with which values of its knobs, and who said so. Choices
/// travel in the Context, so that plans made inside of other calls honour them too.

namespace tessera {

/// Who made a choice. The later in this list wins over the earlier.
enum class ChoiceSource {
  default_order,  ///< nobody: the default order decides
  configured,     ///< TESSERA_SELECT, when the library was configured
  tuned,          ///< a record of measurements on this machine
  tool,           ///< a tuner that the user has loaded into the process set knobs
  restart,        ///< the run that this one continues; gives way where it cannot run
  pin,            ///< a file that makes runs repeatable
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

/// What was chosen for one operation.
struct Choice {
  std::string implementation = "auto";
  KnobValues knobs;  ///< of that implementation; those absent keep their defaults
  ChoiceSource source = ChoiceSource::default_order;
  TuningEvidence evidence = {};  ///< of the implementation and its knobs, or of the knobs alone
  KnobValues advised = {};       ///< those of `knobs` that a tool set

  /// Takes the values that a tool sets. What was measured of other values is no evidence any more;
  /// who chose the implementation stays the source where it is a stronger one than a tool.
  void heed(const KnobValues& values);
};

/// Choices by operation.
class Choices {
 public:
  /// Adds `op=impl[;op=impl...]`, short operation names allowed; "" adds nothing.
  /// \throws SelectionError, InputError naming the bad part.
  void add_text(const Registry& registry, const std::string& text,
                ChoiceSource source = ChoiceSource::user);

  /// An implementation, or "auto", for an operation. Gives way to a choice of a stronger source,
  /// replaces any other.
  /// \throws SelectionError for unknown names.
  void choose(const Registry& registry, const std::string& operation,
              const std::string& implementation, ChoiceSource source = ChoiceSource::user);

  /// A knob value. It belongs to one implementation and reaches no other: to `implementation`, or,
  /// where that is empty, to the one that is chosen by now, or, while that is "auto", to each
  /// implementation of the operation that has a knob of this name. Choose first, then set knobs.
  /// \throws SelectionError for unknown names, and where no implementation concerned has the knob;
  /// InputError for a value that it does not take.
  void set_knob(const Registry& registry, const std::string& operation,
                const std::string& implementation, const std::string& knob, const KnobValue& value,
                ChoiceSource source = ChoiceSource::user);

  /// The choice for an operation by its full name, with the knob values of the implementation.
  [[nodiscard]] Choice of(const std::string& operation) const;
  /// Knob values of one implementation, whether or not it is chosen.
  [[nodiscard]] KnobValues knobs(const std::string& operation,
                                 const std::string& implementation) const;

  /// Measurements, which decide where nobody stronger has; null: none are asked for.
  void use_tuned(std::shared_ptr<const TunedChoices> tuned) { tuned_ = std::move(tuned); }
  [[nodiscard]] const std::shared_ptr<const TunedChoices>& tuned() const { return tuned_; }

  /// Whether the adviser of the process (knob_adviser.hpp) is asked for knobs that nobody has set.
  void use_adviser(bool use) { use_adviser_ = use; }
  [[nodiscard]] bool uses_adviser() const { return use_adviser_; }

 private:
  struct Setting {
    KnobValue value;
    ChoiceSource source;
  };
  struct Entry {
    std::string implementation = "auto";
    ChoiceSource source = ChoiceSource::default_order;
    std::map<std::string, std::map<std::string, Setting>> knobs;  ///< by implementation, by name
  };
  std::map<std::string, Entry> entries_;
  std::shared_ptr<const TunedChoices> tuned_;
  bool use_adviser_ = false;
};

/// What this library was configured with (TESSERA_SELECT), for the registry of this process, and
/// the measurements of the user's tuning database; a tuner in the process is asked too.
[[nodiscard]] const std::shared_ptr<const Choices>& configured_choices();

/// The same without the measurements and without a tuner: for who checks or measures.
[[nodiscard]] const std::shared_ptr<const Choices>& untuned_choices();

/// The choices of a context; those of the configuration when it carries none.
[[nodiscard]] const Choices& choices_of(const Context& context);

/// What measurements offer for a problem.
struct TunedOffer {
  TunedChoice choice;
  bool decides = true;  ///< which implementation runs; else with which knob values
  std::string skipped;  ///< why it is passed over; empty: it is not
};

/// What the measurements of a context's choices offer: an implementation where nobody stronger
/// chose one, and the knob values of one where nobody set any. Absent for problems without a key.
[[nodiscard]] std::optional<TunedOffer> tuned_offer(const Registry& registry,
                                                    const std::string& operation,
                                                    Precision precision, const ProblemKey& problem,
                                                    const Context& context);

/// One row of the report on a choice.
struct RankedImplementation {
  std::string operation;
  std::string implementation;
  bool chosen = false;
  ChoiceSource source = ChoiceSource::default_order;  ///< of the choice among all
  std::string reason;                                 ///< why chosen, or why not
};

/// Ranks the implementations that `refusal_of` does not refuse; the first row that is chosen runs.
/// \throws SelectionError when the choice does not exist in this precision.
[[nodiscard]] std::vector<RankedImplementation> rank(
    const Registry& registry, const std::string& operation, Precision precision,
    const Context& context, const std::function<Refusal(const ImplementationBase&)>& refusal_of,
    const std::optional<TunedOffer>& offer = {});

/// As `rank`, knowing the device only: what `tessera list` prints.
[[nodiscard]] std::vector<RankedImplementation> rank(const Registry& registry,
                                                     const std::string& operation,
                                                     Precision precision, const Context& context);

/// What runs a problem.
template <class Operation, class P>
struct Selected {
  const Implementation<Operation, P>* implementation = nullptr;
  Choice choice;  ///< with the implementation by its name and the knob values that it gets
  std::shared_ptr<void> scope = {};  ///< of the advice in `choice`; plans keep it

  [[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
      const typename Operation::Problem& problem, const Context& context) const {
    auto plan = implementation->make_plan(problem, context, choice.knobs);
    plan->keep(scope);
    return plan;
  }
};

/// The implementation of this process that runs `problem` under the choices of `context`.
/// \param backend where it is given, that of the implementation.
/// \throws RefusalError with every reason when none can, SelectionError for an unknown choice.
template <class Operation, class P>
[[nodiscard]] Selected<Operation, P> select(const typename Operation::Problem& problem,
                                            const Context& context,
                                            const std::string& backend = {}) {
  const std::string operation(Operation::name);
  const auto typed = [](const ImplementationBase& i) -> const Implementation<Operation, P>& {
    return dynamic_cast<const Implementation<Operation, P>&>(i);
  };
  const auto refusal_of = [&](const ImplementationBase& i, const KnobValues& knobs) -> Refusal {
    if (!backend.empty() && i.info().backend != backend) return "is not of backend " + backend;
    return typed(i).can_run(problem, context, knobs);
  };
  const Choices& choices = choices_of(context);
  const std::string wanted = choices.of(operation).implementation;
  std::optional<TunedOffer> offer =
      tuned_offer(registry(), operation, P::value, key_of(problem), context);
  if (offer && offer->skipped.empty()) {
    const TunedChoice& tuned = offer->choice;
    try {
      const ImplementationBase& best = registry().find(operation, P::value, tuned.implementation);
      offer->skipped = refusal_of(best, tuned.knobs).value_or("");
    } catch (const SelectionError& error) {
      offer->skipped = error.what();
    } catch (const InputError& error) {
      offer->skipped = error.what();
    }
  }
  const auto is_tuned = [&](const std::string& implementation) {
    return offer && offer->skipped.empty() && offer->choice.implementation == implementation;
  };
  const auto knobs_of = [&](const std::string& implementation) {
    return is_tuned(implementation) ? offer->choice.knobs
                                    : choices.knobs(operation, implementation);
  };
  Reasons reasons;
  for (const RankedImplementation& row : rank(
           registry(), operation, P::value, context,
           [&](const ImplementationBase& i) { return refusal_of(i, knobs_of(i.info().name)); },
           offer)) {
    if (row.chosen) {
      const auto& chosen = typed(registry().find(operation, P::value, row.implementation));
      Selected<Operation, P> selected = {
          &chosen,
          {row.implementation, knobs_of(row.implementation), row.source,
           is_tuned(row.implementation) ? offer->choice.evidence : TuningEvidence{}}};
      if (choices.uses_adviser() && choices.knobs(operation, row.implementation).empty()) {
        KnobAdvice advice = ask_knob_adviser(
            chosen, selected.choice.knobs, key_of(problem), context,
            [&](const KnobValues& knobs) { return chosen.can_run(problem, context, knobs); });
        selected.choice.heed(advice.values);
        selected.scope = std::move(advice.scope);
      }
      return selected;
    }
    if (wanted == "auto" || wanted == row.implementation)
      reasons.add(row.implementation, row.reason);
  }
  throw RefusalError(operation + " in " + std::string(name(P::value)), reasons.text());
}

/// The context as it is for parts of an implementation of `backend`, which are of the same one:
/// without a choice of the operation that is of another.
[[nodiscard]] Context for_parts(const Registry& registry, const std::string& operation,
                                Precision precision, const std::string& backend,
                                const Context& context);

/// As `select`, among the implementations of one backend. For operations that are made of others.
template <class Operation, class P>
[[nodiscard]] Selected<Operation, P> select_part(const typename Operation::Problem& problem,
                                                 const std::string& backend,
                                                 const Context& context) {
  return select<Operation, P>(
      problem, for_parts(registry(), std::string(Operation::name), P::value, backend, context),
      backend);
}

/// A plan of the portable body of a backend, for an implementation that leaves some calls to it.
template <class Operation, class P>
[[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_portable_plan(
    const typename Operation::Problem& problem, const std::string& backend,
    const Context& context) {
  const ImplementationBase& portable =
      registry().find(std::string(Operation::name), P::value, backend + ".portable");
  return dynamic_cast<const Implementation<Operation, P>&>(portable).make_plan(problem, context,
                                                                               {});
}

/// The context as it is for work that not every implementation does: without a choice of one that
/// refuses `problem`, so that the first that can is taken.
/// \throws SelectionError for a choice that does not exist in this precision.
template <class Operation, class P>
[[nodiscard]] Context for_able(const typename Operation::Problem& problem, const Context& context) {
  const std::string operation(Operation::name);
  const Choice choice = choices_of(context).of(operation);
  if (choice.implementation == "auto") return context;
  const auto& chosen = dynamic_cast<const Implementation<Operation, P>&>(
      registry().find(operation, P::value, choice.implementation));
  if (!chosen.can_run(problem, context, choice.knobs)) return context;
  Context able = context;
  auto own = std::make_shared<Choices>(choices_of(context));
  own->choose(registry(), operation, "auto", ChoiceSource::user);
  able.choices = std::move(own);
  return able;
}

/// A plan of the implementation that `select` finds.
template <class Operation, class P>
[[nodiscard]] std::unique_ptr<Plan<Operation, P>> make_plan(
    const typename Operation::Problem& problem, const Context& context) {
  return select<Operation, P>(problem, context).make_plan(problem, context);
}

/// One call on the caller's arrays: what the public entries of operations are. Plans, prepares
/// where the operation has a use for it, executes, and waits, because the memory of the plan goes
/// away.
template <class Operation, class P>
void run_once(const typename Operation::Problem& problem, const Context& context,
              const typename Operation::template Args<P>& args) {
  const auto plan = make_plan<Operation, P>(problem, context);
  if constexpr (Operation::prepare != Prepare::none) plan->prepare(args);
  plan->execute(args);
  context.fence();
}

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_CHOICES_HPP
