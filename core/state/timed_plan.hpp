#ifndef TESSERA_CORE_STATE_TIMED_PLAN_HPP
#define TESSERA_CORE_STATE_TIMED_PLAN_HPP

#include "core/operations/choices.hpp"
#include "core/state/operation_timer.hpp"

#include <memory>
#include <string>
#include <utility>

/// \file
/// One operation of a time step.

namespace tessera {

/// The plan of the selected implementation, with timers.
template <class Operation, class P>
class TimedPlan {
 public:
  using Problem = typename Operation::Problem;
  using Args = typename Plan<Operation, P>::Args;

  /// \param least minimum determinism, for operations whose problem does not specify it.
  /// \throws RefusalError, SelectionError
  TimedPlan(const Problem& problem, const Context& context, Determinism least = Determinism::none)
      : TimedPlan(giving(least, select<Operation, P>(problem, context)), problem, context) {}

  /// \param timed whether to synchronize before and after, in order to measure the time.
  void execute(const Args& args, bool timed) {
    execution_.time(context_, timed, [&] { plan_->execute(args); });
  }
  /// Always timed, because prepare is rare and blocks anyway.
  void prepare(const Args& args) {
    preparation_.time(context_, true, [&] { plan_->prepare(args); });
  }

  [[nodiscard]] const Plan<Operation, P>& plan() const { return *plan_; }
  [[nodiscard]] Plan<Operation, P>& plan() { return *plan_; }
  /// See Plan::assume_indices_valid().
  void assume_indices_valid() { plan_->assume_indices_valid(); }
  [[nodiscard]] OperationTime execution() const { return execution_.total(); }
  [[nodiscard]] OperationTime preparation() const { return preparation_.total(); }
  void reset_timings() {
    execution_.reset();
    preparation_.reset();
  }

 private:
  TimedPlan(const Selected<Operation, P>& selected, const Problem& problem, const Context& context)
      : context_(context),
        plan_(selected.make_plan(problem, context)),
        execution_(std::string(Operation::name), P::value, selected.choice),
        preparation_(std::string(Operation::name) + " (prepare)", P::value, selected.choice) {}

  static Selected<Operation, P> giving(Determinism least, Selected<Operation, P> selected) {
    const ImplementationInfo& info = selected.implementation->info();
    if (least > most_determinism(info))
      throw RefusalError(info.operation + "=" + info.name,
                         "the required determinism is " + std::string(name(least)) +
                             ", it provides at most " + std::string(name(most_determinism(info))));
    return selected;
  }

  Context context_;
  std::unique_ptr<Plan<Operation, P>> plan_;
  OperationTimer execution_;
  OperationTimer preparation_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_STATE_TIMED_PLAN_HPP
