#ifndef TESSERA_CORE_TRIALS_TYPED_TRIALS_HPP
#define TESSERA_CORE_TRIALS_TYPED_TRIALS_HPP

#include "core/base/random.hpp"
#include "core/trials/trial.hpp"
#include "generated/elements.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>

/// \file
/// Makes trials of an operation's type, in the precision of an implementation, from the inputs that
/// the operation lists.

namespace tessera {

/// An input and its generator: plain numbers on the host, in double.
template <class Data>
struct TrialRow {
  TrialInput input;
  std::function<Data(std::int64_t size)> make;
};

template <class Operation, class P>
class TypedTrialRun final : public TrialRun {
 public:
  TypedTrialRun(std::unique_ptr<Trial<Operation, P>> trial,
                const Implementation<Operation, P>& implementation, Context context,
                ParameterValues parameters)
      : trial_(std::move(trial)), context_(std::move(context)) {
    slots_[0] = {&implementation, std::move(parameters), nullptr, nullptr};
  }

  [[nodiscard]] TrialBase& trial() override { return *trial_; }
  [[nodiscard]] const ImplementationInfo& info() const override {
    return current().implementation->info();
  }
  [[nodiscard]] const Context& context() const override { return context_; }
  [[nodiscard]] bool prepare_is_required() const override {
    return Operation::traits.prepare == Prepare::required;
  }
  void slot(int number) override {
    slots_.try_emplace(number,
                       Slot{current().implementation, current().parameters, nullptr, nullptr});
    current_ = number;
  }
  void use(const ImplementationBase& implementation, ParameterValues parameters) override {
    forget_plan();
    current().implementation = &dynamic_cast<const Implementation<Operation, P>&>(implementation);
    current().parameters = std::move(parameters);
  }
  void drop(int number) override {
    if (number != current_) slots_.erase(number);
  }
  [[nodiscard]] Determinism determinism() override {
    if constexpr (Operation::traits.selects_determinism)
      return std::max(info().determinism, trial_->problem().determinism);
    else
      return info().determinism;
  }
  [[nodiscard]] ProblemKey key() override { return problem_key(trial_->problem()); }
  [[nodiscard]] Refusal can_run() override {
    return current().implementation->can_run(trial_->problem(), context_, current().parameters);
  }
  void plan() override {
    forget_plan();
    current().plan =
        current().implementation->make_plan(trial_->problem(), context_, current().parameters);
  }
  void prepare() override {
    current().steps.reset();
    if constexpr (Operation::traits.prepare != Prepare::none)
      current().plan->prepare(trial_->args());
  }
  void execute() override { current().plan->execute(trial_->args()); }
  double drift(double fraction) override { return trial_->drift(fraction, *current().plan); }
  TrialSteps* start_steps() override {
    current().steps.reset();
    current().steps = trial_->start_steps(*current().plan);
    return steps();
  }
  [[nodiscard]] TrialSteps* steps() override { return current().steps.get(); }

 private:
  struct Slot {
    const Implementation<Operation, P>* implementation = nullptr;
    ParameterValues parameters;
    std::unique_ptr<Plan<Operation, P>> plan;
    std::unique_ptr<TrialSteps> steps;  ///< steps of the plan
  };
  [[nodiscard]] Slot& current() { return slots_.at(current_); }
  [[nodiscard]] const Slot& current() const { return slots_.at(current_); }
  void forget_plan() {
    current().steps.reset();
    current().plan.reset();
  }

  std::unique_ptr<Trial<Operation, P>> trial_;
  Context context_;
  std::map<int, Slot> slots_;  ///< declared after trial_, so that plans are destroyed before arrays
  int current_ = 0;
};

/// `TrialType<P>` derives from Trial<Operation, P> and is constructed from a context and a Data.
template <class Operation, template <class> class TrialType, class Data>
class TypedTrials final : public Trials {
 public:
  using FromSource = std::function<std::optional<Data>(const TrialSource&)>;

  explicit TypedTrials(std::vector<TrialRow<Data>> rows, FromSource from = {})
      : rows_(std::move(rows)), from_(std::move(from)) {}

  [[nodiscard]] std::vector<TrialInput> inputs() const override {
    std::vector<TrialInput> all;
    for (const TrialRow<Data>& row : rows_)
      all.push_back(row.input);
    return all;
  }

  [[nodiscard]] std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                               const Context& context,
                                               const ParameterValues& parameters,
                                               const std::string& input,
                                               std::int64_t size) const override {
    const TrialRow<Data>& row = find(input);
    require_size(row.input, size);
    try {
      return typed(implementation, context, parameters, row.make(size),
                   input + " " + std::to_string(size));
    } catch (const std::bad_alloc&) {
      throw InputError({{}, 0, "size", std::to_string(size)},
                       "out of memory for the arrays of input '" + input + "'");
    } catch (const std::length_error&) {
      throw InputError({{}, 0, "size", std::to_string(size)},
                       "beyond what memory can hold for input '" + input + "'");
    }
  }

  [[nodiscard]] std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                               const Context& context,
                                               const ParameterValues& parameters,
                                               const TrialSource& source) const override {
    std::optional<Data> data = from_ ? from_(source) : std::nullopt;
    if (!data) return nullptr;
    return typed(implementation, context, parameters, *data, source.name);
  }

 private:
  [[nodiscard]] const TrialRow<Data>& find(const std::string& name) const {
    std::vector<std::string> names;
    for (const TrialRow<Data>& row : rows_) {
      if (row.input.name == name) return row;
      names.push_back(row.input.name);
    }
    throw SelectionError("input of " + std::string(Operation::name), name, names);
  }

  static std::unique_ptr<TrialRun> typed(const ImplementationBase& implementation,
                                         const Context& context, const ParameterValues& parameters,
                                         const Data& data, const std::string& label) {
    return with_element(ElementsOf<Operation>{}, implementation.info().precision, [&]<class P>() {
      return bound<P>(implementation, context, parameters, data, label);
    });
  }

  template <class P>
  static std::unique_ptr<TrialRun> bound(const ImplementationBase& implementation,
                                         const Context& context, const ParameterValues& parameters,
                                         const Data& data, const std::string& label) {
    auto trial = std::make_unique<TrialType<P>>(context, data);
    trial->identify(label,
                    std::string(Operation::name) + "|" + std::string(name(P::value)) + "|" + label);
    return std::make_unique<TypedTrialRun<Operation, P>>(
        std::move(trial), dynamic_cast<const Implementation<Operation, P>&>(implementation),
        context, parameters);
  }

  std::vector<TrialRow<Data>> rows_;
  FromSource from_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TYPED_TRIALS_HPP
