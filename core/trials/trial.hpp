#ifndef TESSERA_CORE_TRIALS_TRIAL_HPP
#define TESSERA_CORE_TRIALS_TRIAL_HPP

#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/trials/shared_answer.hpp"
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
/// A trial: one problem of one operation that can be restored, run, judged and timed. Tests,
/// `tessera verify`, `tessera bench`, `tessera trial` and a tuner use the same one, so that what is
/// timed is what was checked, and know no operation by name.

namespace tessera {

/// What became of one implementation on one input.
struct Verdict {
  enum class Outcome { passed, failed, refused };

  std::string input;  ///< name and size of the input
  Outcome outcome = Outcome::failed;
  double error = 0;  ///< in the measure that the operation documents
  double tolerance = 0;
  std::string detail;  ///< what was compared, what is wrong, or the reason of a refusal

  [[nodiscard]] bool passed() const { return outcome == Outcome::passed; }

  [[nodiscard]] static Verdict measured(double error, double tolerance, std::string detail);
  [[nodiscard]] static Verdict failure(std::string detail);
  [[nodiscard]] static Verdict refusal(std::string reason);
};

[[nodiscard]] std::string_view name(Verdict::Outcome outcome);

/// What one execute amounts to.
struct Counts {
  std::string item = "particles";  ///< what is counted as a unit of work
  double items = 0;                ///< units in one execute
  double bytes = 0;                ///< least device memory traffic of one execute
  double flops = 0;                ///< least floating-point operations of one execute
};

/// One input of an operation. Every implementation is checked at the sizes in `checked`.
struct TrialInput {
  std::string name;
  std::vector<std::int64_t> checked;     ///< cheapest first
  std::vector<std::int64_t> timed = {};  ///< sizes worth timing
  bool any_size = true;                  ///< or only those in `checked`
  /// A smaller input of the same kind, on which candidates for this one are checked first; empty:
  /// this one, at the sizes in `checked`.
  std::string companion = {};
};

/// \throws InputError when the input has no such size.
void require_size(const TrialInput& input, std::int64_t size);

/// The state of a run, from which operations may make problems: columns of numbers by name. A
/// module derives from it what else its operations need (physics/md/atoms_source.hpp).
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

/// What is common to the trials of all operations. A trial declares its arrays; order, poison,
/// guard zones and the search for unwritten elements are done here.
class TrialBase {
 public:
  TrialBase(const TrialBase&) = delete;
  TrialBase& operator=(const TrialBase&) = delete;
  virtual ~TrialBase() = default;

  /// Writes all arrays anew: inputs restored, outputs poisoned (with another pattern each time),
  /// the items in an order that belongs to the seed; 0 is the given order.
  void reset(std::uint64_t order);

  /// Compares what the arrays hold after an execute with the oracle. Writing out of bounds, to an
  /// input or to what was not given, and elements that were not written, fail before that.
  [[nodiscard]] Verdict judge();

  /// The bytes of all outputs after judge(), in the given order of the items: what any_order
  /// promises to be the same.
  [[nodiscard]] virtual std::vector<unsigned char> bits() const;

  [[nodiscard]] virtual Counts counts() const = 0;

  /// Ways to leave optional arguments out, counted from 0, the way of a usual step, which is timed.
  [[nodiscard]] virtual int ways() const { return 1; }
  virtual void choose(int /*way*/) {}
  /// Whether execute() waits for the device in the way that is chosen, as the operation says: it
  /// cannot be captured into a graph.
  [[nodiscard]] virtual bool waits() const { return false; }

  /// Compares no more than so many items, picked at random, where an oracle for these costs much
  /// less than for all; 0: all.
  void sample(std::int64_t most);

  [[nodiscard]] const std::string& label() const { return label_; }
  /// Called once by who makes the trial: `key` is the same for trials of equal input.
  void identify(std::string label, std::string key);

 protected:
  TrialBase(Context context, std::int64_t items) : context_(std::move(context)), items_(items) {}

  /// The arrays are on the host now.
  [[nodiscard]] virtual Verdict compare() = 0;
  /// The arrays were written in another order: for those that name items by their place.
  virtual void reordered() {}

  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] std::int64_t items() const { return items_; }
  /// The items to compare, ascending; empty: all of them.
  [[nodiscard]] const std::vector<std::int64_t>& sampled() const { return sampled_; }
  /// The item, in the given order, that lies at place p.
  [[nodiscard]] std::int64_t item_at(std::int64_t p) const {
    return order_[static_cast<std::size_t>(p)];
  }

  /// Declares an array; numbers of any type become T.
  template <class T, class U>
  [[nodiscard]] TrialArray<T>& add(std::string name, TrialRole role, const TrialShape& shape,
                                   const std::vector<U>& values) {
    return add_array<T>(std::move(name), role, shape, std::vector<T>(values.begin(), values.end()));
  }
  template <class T>
  [[nodiscard]] TrialArray<T>& add_output(std::string name, const TrialShape& shape) {
    return add_array<T>(std::move(name), TrialRole::output, shape, {});
  }

  /// The oracle's answer, shared by all trials of equal input in this process, and by processes
  /// that share a folder where it is a SharedAnswer. `state` tells apart what the key does not know
  /// (how far the input has drifted, what is sampled).
  template <class Answer, class Make>
  [[nodiscard]] std::shared_ptr<const Answer> answer(const std::string& state, const Make& make) {
    const std::string key = key_ + "|" + state;
    if (key_.empty()) return std::make_shared<const Answer>(make());
    std::shared_ptr<const void> found = known_answer(key);
    if (found == nullptr) {
      auto made = std::make_shared<Answer>();
      if (!read_answer(key, *made)) {
        *made = make();
        write_answer(key, *made);
      }
      found = std::move(made);
      remember_answer(key, found);
    }
    return std::static_pointer_cast<const Answer>(found);
  }

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
  [[nodiscard]] static std::shared_ptr<const void> known_answer(const std::string& key);
  static void remember_answer(const std::string& key, std::shared_ptr<const void> answer);

  Context context_;
  std::int64_t items_;
  std::vector<std::unique_ptr<TrialArrayBase>> arrays_;
  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> sampled_;
  bool other_poison_ = false;
  std::string label_;
  std::string key_;
};

/// Whole steps of a simulation, made by a plan, one after the other.
class TrialSteps {
 public:
  TrialSteps() = default;
  TrialSteps(const TrialSteps&) = delete;
  TrialSteps& operator=(const TrialSteps&) = delete;
  virtual ~TrialSteps() = default;

  /// Makes and waits for so many more. \returns whether it could.
  [[nodiscard]] virtual bool make(std::int64_t steps) = 0;
};

/// One problem of an operation: what physics/<module>/<operation>/<operation>_trial.cpp derives
/// from.
template <class Operation, class P>
class Trial : public TrialBase {
 public:
  using Problem = typename Operation::Problem;
  using Args = typename Operation::template Args<P>;
  using Plan = tessera::Plan<Operation, P>;

  [[nodiscard]] virtual Problem problem() = 0;
  [[nodiscard]] virtual Args args() = 0;

  /// Changes the inputs as they change between two calls of prepare: at 1 to the end of what
  /// prepare is good for, at 0 not at all. \returns the number of steps until 1, infinity where
  /// prepare has no end.
  virtual double drift(double /*fraction*/, const Plan&) {
    return std::numeric_limits<double>::infinity();
  }

  /// Where the plan makes steps of a simulation as a whole, which then are what its time counts
  /// in: prepares it for the first of them. They end before the plan is used otherwise or goes.
  /// Null where it makes none.
  [[nodiscard]] virtual std::unique_ptr<TrialSteps> start_steps(Plan&) { return nullptr; }

 protected:
  using TrialBase::TrialBase;
};

/// A trial made of plain numbers, which say how many items they are (`data.items()`). Derived
/// trials inherit the constructor; their arrays are members with initializers that use data_.
template <class Operation, class P, class Data>
class DataTrial : public Trial<Operation, P> {
 public:
  DataTrial(const Context& context, const Data& data)
      : Trial<Operation, P>(context, data.items()), data_(data) {}

 protected:
  Data data_;
};

/// A trial together with an implementation and a plan. More of them can stand side by side on the
/// same arrays, each in a slot of its own; all calls concern the one of the current slot, 0 at
/// first.
class TrialRun {
 public:
  virtual ~TrialRun() = default;

  /// Makes a slot the current one. A new slot holds what the former one did, without a plan.
  virtual void slot(int number) = 0;
  /// Puts an implementation with knob values into the current slot; its plan goes.
  virtual void use(const ImplementationBase& implementation, KnobValues knobs) = 0;
  /// Empties a slot that is not the current one.
  virtual void drop(int number) = 0;

  [[nodiscard]] virtual TrialBase& trial() = 0;
  [[nodiscard]] virtual const ImplementationInfo& info() const = 0;
  [[nodiscard]] virtual const Context& context() const = 0;
  /// False where the operation declares prepare() a hint or none: then it may be left out.
  [[nodiscard]] virtual bool prepare_is_required() const = 0;

  /// What the bits of the results have to be: what the implementation says, or more where the
  /// problem asks for it.
  [[nodiscard]] virtual Determinism determinism() = 0;

  /// Of the problem, for a record of what was measured.
  [[nodiscard]] virtual ProblemKey key() = 0;
  [[nodiscard]] virtual Refusal can_run() = 0;
  /// A new plan in place of the former. \throws as Implementation::make_plan.
  virtual void plan() = 0;
  virtual void prepare() = 0;
  virtual void execute() = 0;
  /// As Trial::drift.
  virtual double drift(double fraction) = 0;
  /// As Trial::start_steps, by the plan of the current slot. Null where it makes none. They go with
  /// the plan, or when it is prepared for something else.
  virtual TrialSteps* start_steps() = 0;
  /// Those that were started and have not gone; null where there are none.
  [[nodiscard]] virtual TrialSteps* steps() = 0;
};

/// The trials that an operation offers.
class Trials {
 public:
  virtual ~Trials() = default;

  [[nodiscard]] virtual std::vector<TrialInput> inputs() const = 0;

  /// \throws SelectionError for an unknown input, InputError for a size that it does not have.
  [[nodiscard]] virtual std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                                       const Context& context,
                                                       const KnobValues& knobs,
                                                       const std::string& input,
                                                       std::int64_t size) const = 0;

  /// Null when the source does not pose a problem of this operation.
  [[nodiscard]] virtual std::unique_ptr<TrialRun> make(const ImplementationBase& implementation,
                                                       const Context& context,
                                                       const KnobValues& knobs,
                                                       const TrialSource& source) const = 0;
};

/// Everything that can be checked about an implementation on one input without knowing the
/// operation, on top of the comparison with the oracle: again on the same plan (same bits where
/// promised), each way to leave arguments out, the items in another order (same bits where
/// promised), without prepare where it is a hint or none, and at the end of what prepare is good
/// for. The verdict is the first failure, else the one nearest to its tolerance. What the
/// implementation throws is a failure.
/// \throws InputError, SelectionError for bad knobs.
[[nodiscard]] Verdict check(TrialRun& run);

/// What can be checked in little more than the time of two calls, for inputs whose oracle is
/// costly: outputs as given and at the end of what prepare is good for, over two poisons, comparing
/// `sampled` items.
/// \throws as check.
[[nodiscard]] Verdict check_sample(TrialRun& run, std::int64_t sampled);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_HPP
