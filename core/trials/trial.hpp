#ifndef TESSERA_CORE_TRIALS_TRIAL_HPP
#define TESSERA_CORE_TRIALS_TRIAL_HPP

#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/trials/cacheable_reference.hpp"
#include "core/trials/trial_arguments.hpp"
#include "core/trials/trial_array.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// \file
/// A trial: one problem of one operation that can be reset, run, checked and timed. Tests, `tessera
/// verify`, `tessera bench`, `tessera trial` and a tuner use the same class, so that the timed work
/// is the checked work. None of these users depends on a particular operation.

namespace tessera {

/// Result of checking one implementation on one input.
struct Verdict {
  enum class Outcome { passed, failed, refused };

  std::string input;  ///< name and size of the input
  Outcome outcome = Outcome::failed;
  double error = 0;  ///< in the error measure that the operation documents
  double tolerance = 0;
  std::string detail;  ///< comparison that was made, fault that was found, or reason of a refusal

  [[nodiscard]] bool passed() const { return outcome == Outcome::passed; }

  [[nodiscard]] static Verdict measured(double error, double tolerance, std::string detail);
  [[nodiscard]] static Verdict failure(std::string detail);
  [[nodiscard]] static Verdict refusal(std::string reason);
};

[[nodiscard]] std::string_view name(Verdict::Outcome outcome);

/// Amount of work of one execute.
struct Counts {
  std::string item = "particles";  ///< unit of work
  double items = 0;                ///< units of work in one execute
  double bytes = 0;                ///< minimum device memory traffic of one execute
  double flops = 0;                ///< minimum floating-point operations of one execute
};

/// One input of an operation. Every implementation is checked at the sizes in `checked`.
struct TrialInput {
  std::string name;
  std::vector<std::int64_t> checked;     ///< cheapest first
  std::vector<std::int64_t> timed = {};  ///< sizes worth timing
  bool any_size = true;                  ///< false: only the sizes in `checked`
  /// Name of a smaller input of the same kind, on which candidates of a search are checked first.
  /// Empty: this input at the sizes in `checked`.
  std::string companion = {};
};

/// \throws InputError when the input does not have this size.
void require_size(const TrialInput& input, std::int64_t size);

/// The state of a run as plain columns of numbers by name. Operations make trials from it. A module
/// derives a class with the further needs of its operations (physics/md/atoms_source.hpp).
struct TrialSource {
  struct Column {
    int width = 1;
    std::vector<double> values;  ///< items x width
  };

  TrialSource() = default;
  TrialSource(const TrialSource&) = default;
  TrialSource& operator=(const TrialSource&) = default;
  virtual ~TrialSource() = default;

  std::string name;
  std::int64_t items = 0;
  std::map<std::string, Column> columns;

  /// Null where there is no such column.
  [[nodiscard]] const Column* column(const std::string& column_name) const;
};

/// The common part of the trials of all operations. A trial declares its arrays; this class handles
/// the order of items, poisoning, guard zones and the search for unwritten elements.
class TrialBase {
 public:
  TrialBase(const TrialBase&) = delete;
  TrialBase& operator=(const TrialBase&) = delete;
  virtual ~TrialBase() = default;

  /// Writes all arrays anew: restores inputs, poisons outputs (with a different pattern each time),
  /// and permutes the items as the seed `order` determines; 0 is the given order.
  void reset(std::uint64_t order);

  /// Compares the arrays after an execute with the oracle. The trial fails earlier for writes out
  /// of bounds, to an input or to an omitted argument, and for unwritten elements.
  [[nodiscard]] Verdict judge();

  /// The bytes of all outputs after judge(), in the given order of the items: the order of
  /// reset(0). Under Determinism::any_order they are the same for every order.
  [[nodiscard]] virtual std::vector<unsigned char> bits() const;

  [[nodiscard]] virtual Counts counts() const = 0;

  /// Number of combinations ("ways") of optional arguments that may be omitted. Way 0 is the
  /// combination of a common step, and the one that is timed.
  [[nodiscard]] virtual int ways() const { return 1; }
  virtual void choose(int /*way*/) {}
  /// Whether the operation documents that execute() blocks in the chosen way. It then cannot be
  /// captured into a graph.
  [[nodiscard]] virtual bool waits() const { return false; }

  /// Compares at most `most` targets, picked at random, where an oracle for a subset costs much
  /// less than for all; 0: all.
  void sample(std::int64_t most);

  [[nodiscard]] const std::string& label() const { return label_; }
  /// Called once by the factory of the trial. `label` names the input and its size. `key` is the
  /// same for all trials of equal input.
  void identify(std::string label, std::string key);

 protected:
  TrialBase(Context context, std::int64_t items) : context_(std::move(context)), items_(items) {}

  /// Compares the arrays, which have been copied to the host, with the oracle.
  [[nodiscard]] virtual Verdict compare() = 0;
  /// Number of items that have results: the first ones, which stay before the others in every
  /// order.
  [[nodiscard]] virtual std::int64_t targets() const { return items_; }
  /// Called after the order of items has changed, for arrays that refer to items by position.
  virtual void reordered() {}

  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] std::int64_t items() const { return items_; }
  /// The items to compare, ascending; empty: all.
  [[nodiscard]] const std::vector<std::int64_t>& sampled() const { return sampled_; }
  /// The item at position p of the present order, by its number in the given order.
  [[nodiscard]] std::int64_t item_at(std::int64_t p) const {
    return order_[static_cast<std::size_t>(p)];
  }
  /// The position of each item in the present order, by its number in the given order.
  [[nodiscard]] std::vector<std::int32_t> positions_of_items() const {
    std::vector<std::int32_t> places(static_cast<std::size_t>(items_));
    for (std::int64_t p = 0; p < items_; ++p)
      places[static_cast<std::size_t>(item_at(p))] = static_cast<std::int32_t>(p);
    return places;
  }

  /// Declares an array; converts numbers of any type to T.
  template <class T, class U>
  [[nodiscard]] TrialArray<T>& add(std::string name, TrialRole role, const TrialShape& shape,
                                   const std::vector<U>& values) {
    return add_array<T>(std::move(name), role, shape, std::vector<T>(values.begin(), values.end()));
  }
  template <class T>
  [[nodiscard]] TrialArray<T>& add_output(std::string name, const TrialShape& shape) {
    return add_array<T>(std::move(name), TrialRole::output, shape, {});
  }

  /// The answer of the oracle. All trials of equal input in this process share it, and so do
  /// processes that share a folder where Answer is a CacheableReference. `state` distinguishes
  /// conditions that are not part of the key (drift of the input, sampled items).
  template <class Answer, class Make>
  [[nodiscard]] std::shared_ptr<const Answer> answer(const std::string& state, const Make& make) {
    const std::string key = key_ + "|" + state;
    if (key_.empty()) return std::make_shared<const Answer>(make());
    std::shared_ptr<const void> found = known_reference(key);
    if (found == nullptr) {
      auto made = std::make_shared<Answer>();
      if (!read_reference(key, *made)) {
        *made = make();
        write_reference(key, *made);
      }
      found = std::move(made);
      remember_reference(key, found);
    }
    return std::static_pointer_cast<const Answer>(found);
  }

  [[nodiscard]] std::span<const std::unique_ptr<TrialArrayBase>> arrays() const { return arrays_; }

 private:
  template <class T>
  TrialArray<T>& add_array(std::string name, TrialRole role, const TrialShape& shape,
                           std::vector<T> values) {
    auto array =
        std::make_unique<TrialArray<T>>(context_, std::move(name), role, shape, std::move(values));
    TrialArray<T>& reference = *array;
    arrays_.push_back(std::move(array));
    return reference;
  }
  [[nodiscard]] static std::shared_ptr<const void> known_reference(const std::string& key);
  static void remember_reference(const std::string& key, std::shared_ptr<const void> answer);

  Context context_;
  std::int64_t items_;
  std::vector<std::unique_ptr<TrialArrayBase>> arrays_;
  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> sampled_;
  bool other_poison_ = false;
  std::string label_;
  std::string key_;
};

/// Complete time steps of a simulation, which a plan runs.
class TrialSteps {
 public:
  TrialSteps() = default;
  TrialSteps(const TrialSteps&) = delete;
  TrialSteps& operator=(const TrialSteps&) = delete;
  virtual ~TrialSteps() = default;

  /// Runs `steps` more steps and waits for them. \returns false where a step failed.
  [[nodiscard]] virtual bool make(std::int64_t steps) = 0;
};

/// One problem of an operation: base class of the trials in
/// physics/<module>/<operation>/<operation>_trial.cpp.
template <class Operation, class P>
class Trial : public TrialBase {
 public:
  using Problem = typename Operation::Problem;
  using Args = typename Operation::template Args<P>;
  using Plan = tessera::Plan<Operation, P>;

  [[nodiscard]] virtual Problem problem() = 0;
  [[nodiscard]] virtual Args args() = 0;

  /// Changes the inputs as they change between two calls of prepare: 0 changes nothing, 1 reaches
  /// the limit up to which prepare is valid. \returns the number of steps until 1, infinity where
  /// prepare has no limit.
  virtual double drift(double /*fraction*/, const Plan&) {
    return std::numeric_limits<double>::infinity();
  }

  /// For a plan that runs complete time steps of a simulation, which then are the unit of its time:
  /// prepares the first step. The steps end when the plan is used in another way or destroyed. Null
  /// where the plan does not run complete steps.
  [[nodiscard]] virtual std::unique_ptr<TrialSteps> start_steps(Plan&) { return nullptr; }

 protected:
  using TrialBase::TrialBase;

  /// The declared arguments for which the trial has arrays, by their names.
  [[nodiscard]] Args arguments(const Problem& problem) {
    Args args{};
    const auto set = trial_arguments(this->arrays());
    EachArray each(set);
    typename Operation::Check(problem).for_each_argument(each, args);
    return args;
  }

  /// Compares every element that an execute writes with what `oracle(problem, args)` writes, which
  /// has to be equal.
  template <class Oracle>
  [[nodiscard]] Verdict compare_exactly(const Oracle& oracle) {
    const Problem problem = this->problem();
    const typename Operation::Check check(problem);
    HostCall<Args> call(this->arrays(), check, args());
    oracle(problem, call.args);
    const std::string difference = call.difference();
    return difference.empty() ? Verdict::measured(0, 0, "every element against the oracle")
                              : Verdict::failure(difference);
  }

  /// Declares the array of an argument, with its declared shape. It is an input if its elements are
  /// const, else an output; with values, an array that is read and written. Without values, an
  /// optional input is not given. problem() must not depend on the array.
  template <class T, class U = T>
  [[nodiscard]] TrialArray<T>& array(const char* name, const std::vector<U>& values = {}) {
    return declared<T>(name, values, true, nullptr);
  }
  /// The same with another layout of the elements.
  template <class T, class U>
  [[nodiscard]] TrialArray<T>& array(const char* name, const std::vector<U>& values,
                                     const TrialShape& shape) {
    return declared<T>(name, values, shape.by_item, &shape);
  }
  /// The same for an array that has no row for each item.
  template <class T, class U = T>
  [[nodiscard]] TrialArray<T>& plain_array(const char* name, const std::vector<U>& values = {}) {
    return declared<T>(name, values, false, nullptr);
  }

 private:
  template <class T, class U>
  [[nodiscard]] TrialArray<T>& declared(const char* name, const std::vector<U>& values,
                                        bool by_item, const TrialShape* shape) {
    DeclaredArray found{name};
    Args args{};
    typename Operation::Check(problem()).for_each_argument(found, args);
    if (!found.found)
      throw ArgumentError(std::string(Operation::name), name, "is no declared argument");
    const bool left_out = found.constant && found.optional_argument && values.empty();
    if (shape != nullptr) found.shape = *shape;
    found.shape.by_item = by_item;
    if (left_out) found.shape.extents[0] = 0;
    TrialArray<T>& made =
        !found.constant && values.empty()
            ? this->template add_output<T>(name, found.shape)
            : this->template add<T>(name, found.constant ? TrialRole::input : TrialRole::updated,
                                    found.shape, values);
    made.give(!left_out);
    return made;
  }
};

/// A trial made from plain numbers, whose `items()` is the number of items. Derived trials inherit
/// the constructor. Their arrays are members with initializers that use data_. args() may set
/// arguments that are no arrays.
template <class Operation, class P, class Data>
class DataTrial : public Trial<Operation, P> {
 public:
  DataTrial(const Context& context, const Data& data)
      : Trial<Operation, P>(context, data.items()), data_(data) {}

  [[nodiscard]] typename Operation::template Args<P> args() override {
    return this->arguments(this->problem());
  }

 protected:
  Data data_;
};

/// A trial together with an implementation and a plan. Slots hold further implementations and plans
/// on the same arrays. All calls refer to the current slot, which is 0 at first.
class TrialRun {
 public:
  virtual ~TrialRun() = default;

  /// Selects the current slot. A new slot gets the implementation of the previous slot, without a
  /// plan.
  virtual void slot(int number) = 0;
  /// Sets the implementation and parameter values of the current slot and destroys its plan.
  virtual void use(const ImplementationBase& implementation, ParameterValues parameters) = 0;
  /// Empties a slot other than the current one.
  virtual void drop(int number) = 0;

  [[nodiscard]] virtual TrialBase& trial() = 0;
  [[nodiscard]] virtual const ImplementationInfo& info() const = 0;
  [[nodiscard]] virtual const Context& context() const = 0;
  /// False where the operation declares prepare() a hint or none; a call is then optional.
  [[nodiscard]] virtual bool prepare_is_required() const = 0;

  /// The determinism that the results have to show: that of the implementation, or a stronger one
  /// that the problem requests.
  [[nodiscard]] virtual Determinism determinism() = 0;

  /// Key of the problem, for a tuning record.
  [[nodiscard]] virtual ProblemKey key() = 0;
  [[nodiscard]] virtual Refusal can_run() = 0;
  /// Replaces the plan by a new one. \throws the same as Implementation::make_plan.
  virtual void plan() = 0;
  virtual void prepare() = 0;
  virtual void execute() = 0;
  /// See Trial::drift.
  virtual double drift(double fraction) = 0;
  /// See Trial::start_steps, for the plan of the current slot. Null where the plan does not run
  /// complete steps. The steps end with the plan, or when it is prepared again.
  virtual TrialSteps* start_steps() = 0;
  /// The running steps of the current slot; null where there are none.
  [[nodiscard]] virtual TrialSteps* steps() = 0;
};

/// The trials that an operation offers.
class Trials {
 public:
  virtual ~Trials() = default;

  [[nodiscard]] virtual std::vector<TrialInput> inputs() const = 0;

  /// \throws SelectionError for an unknown input, InputError for a size that the input does not
  /// have.
  [[nodiscard]] virtual std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                                       const Context& context,
                                                       const ParameterValues& parameters,
                                                       const std::string& input,
                                                       std::int64_t size) const = 0;

  /// Null when the source poses no problem of this operation.
  [[nodiscard]] virtual std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                                       const Context& context,
                                                       const ParameterValues& parameters,
                                                       const TrialSource& source) const = 0;
};

/// All checks of an implementation on one input that do not depend on the operation, in addition to
/// the comparison with the oracle: a second execute of the same plan (same bits where promised),
/// each way to omit arguments, the items in another order (same bits where promised), without
/// prepare where that is a hint or none, and at the limit up to which prepare is valid. The verdict
/// is the first failure, or else the result closest to its tolerance. An exception of the
/// implementation is a failure.
/// \throws InputError, SelectionError for bad parameters.
[[nodiscard]] Verdict check(TrialRun& run);

/// The checks that take little more than the time of two calls, for inputs with an expensive
/// oracle: outputs for the given inputs and at the limit up to which prepare is valid, with two
/// poison patterns, compared for `sampled` items.
/// \throws the same as check.
[[nodiscard]] Verdict check_sample(TrialRun& run, std::int64_t sampled);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_HPP
