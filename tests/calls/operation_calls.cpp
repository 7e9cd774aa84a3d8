#include "core/base/error.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"
#include "generated/elements.hpp"
#include "tests/calls/arguments.hpp"
#include "tests/calls/wrong_call.hpp"
#include "tests/calls/wrong_values.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <tuple>
#include <utility>

namespace tessera::test {
namespace {

/// Address of memory that the kernels of a context cannot read; for an array in host memory that
/// the host cannot.
const void* out_of_reach(const Context& context, ArgumentKind kind) {
  static void* const nowhere =
      mmap(nullptr, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static double host[4096];
  const bool on_host = context.memory() == MemorySpace::host || kind == ArgumentKind::host_array;
  return on_host ? nowhere : static_cast<const void*>(host);
}

/// A plan and its valid arguments. They are created when the first wrong call needs them, so that a
/// process that forks before has neither threads nor devices.
template <class Operation, class P>
class RightCall {
 public:
  using Args = typename Operation::template Args<P>;
  using Problem = typename Operation::Problem;

  RightCall(const ImplementationBase& implementation, std::string input, std::int64_t size, int way)
      : implementation_(dynamic_cast<const Implementation<Operation, P>&>(implementation)),
        input_(std::move(input)),
        size_(size),
        way_(way) {}

  void make() {
    if (run_) return;
    const Context context = open_for(registry(), implementation_);
    run_ = registry()
               .trials(std::string(Operation::name))
               ->make(implementation_, context, {}, input_, size_);
    trial_ = dynamic_cast<Trial<Operation, P>*>(&run_->trial());
    trial_->choose(way_);
    trial_->reset(0);
  }
  [[nodiscard]] Args args() {
    make();
    return trial_->args();
  }
  [[nodiscard]] Problem problem() {
    make();
    return trial_->problem();
  }
  [[nodiscard]] const Context& context() {
    make();
    return run_->context();
  }
  [[nodiscard]] std::unique_ptr<Plan<Operation, P>> plan(const Problem& problem) {
    return implementation_.make_plan(problem, context(), {});
  }

  /// A plan that has been executed with the valid arguments. All wrong calls of execute() share it,
  /// because it has to remain usable after them.
  Plan<Operation, P>& prepared() {
    make();
    if (!plan_) {
      plan_ = plan(problem());
      if constexpr (Operation::traits.prepare != Prepare::none) plan_->prepare(args());
      plan_->execute(args());
      context().fence();
    }
    return *plan_;
  }
  Plan<Operation, P>& unprepared() {
    make();
    fresh_ = plan(problem());
    return *fresh_;
  }

 private:
  const Implementation<Operation, P>& implementation_;
  std::string input_;
  std::int64_t size_;
  int way_;
  std::unique_ptr<TrialRun> run_;
  Trial<Operation, P>* trial_ = nullptr;
  std::unique_ptr<Plan<Operation, P>> plan_;
  std::unique_ptr<Plan<Operation, P>> fresh_;
};

/// Faults of an array argument.
enum class ArrayFault {
  null,
  negative_extent,
  least_extent,
  one_more,
  a_million_more,
  one_fewer,
  none,
  out_of_reach,
  between_two_elements,
  a_column_fewer,
  a_column_more,
  negative_columns
};

struct WrongArray {
  ArrayFault fault;
  const char* what;
  bool for_room = true;     ///< also wrong for an output that may be longer
  bool for_classes = true;  ///< also wrong for an array of any length
  bool for_fewer = true;    ///< also wrong where fewer rows are allowed

  [[nodiscard]] bool applies_to(ArgumentKind kind, std::size_t element_size, int rank) const {
    // An array of bytes has no address between two elements.
    if (fault == ArrayFault::between_two_elements && element_size == 1) return false;
    if (fault >= ArrayFault::a_column_fewer && rank == 1) return false;
    return (kind != ArgumentKind::at_least || for_room) &&
           (kind != ArgumentKind::any_rows || for_classes) &&
           (kind != ArgumentKind::at_most_rows || for_fewer);
  }
};

constexpr WrongArray wrong_arrays[] = {
    {ArrayFault::null, "null"},
    {ArrayFault::negative_extent, "negative extent"},
    {ArrayFault::least_extent, "least extent"},
    {ArrayFault::one_more, "one more", false, false},
    {ArrayFault::a_million_more, "a million more", false, false},
    {ArrayFault::one_fewer, "one fewer", true, false, false},
    {ArrayFault::none, "none", true, false, false},
    {ArrayFault::out_of_reach, "out of reach"},
    {ArrayFault::between_two_elements, "between two elements"},
    {ArrayFault::a_column_fewer, "a column fewer"},
    {ArrayFault::a_column_more, "a column more"},
    {ArrayFault::negative_columns, "negative columns"},
};

template <class T, int Rank>
void spoil(View<T, Rank>& view, ArrayFault fault, const void* out_of_reach) {
  std::int64_t& extent = view.extents[0];
  std::int64_t& columns = view.extents[Rank - 1];
  switch (fault) {
    case ArrayFault::null:
      view.data = nullptr;
      break;
    case ArrayFault::negative_extent:
      extent = -extent;
      break;
    case ArrayFault::least_extent:
      extent = std::numeric_limits<std::int64_t>::min();
      break;
    case ArrayFault::one_more:
      ++extent;
      break;
    case ArrayFault::a_million_more:
      extent += 1000000;
      break;
    case ArrayFault::one_fewer:
      --extent;
      break;
    case ArrayFault::none:
      extent = 0;
      break;
    case ArrayFault::out_of_reach:
      view.data = static_cast<T*>(const_cast<void*>(out_of_reach));
      break;
    case ArrayFault::between_two_elements:
      view.data = reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(view.data) + 1);
      break;
    case ArrayFault::a_column_fewer:
      --columns;
      break;
    case ArrayFault::a_column_more:
      ++columns;
      break;
    case ArrayFault::negative_columns:
      columns = -3;
      break;
  }
}

template <class Operation, class P>
class Generator {
 public:
  using Args = typename Operation::template Args<P>;
  using Problem = typename Operation::Problem;
  using Right = RightCall<Operation, P>;
  using ChangeArgs = std::function<void(Args&, const Context&)>;

  Generator(WrongCalls& calls, const ImplementationBase& implementation, const char* input,
            std::int64_t size, int way, const Problem& problem)
      : calls_(calls),
        check_(problem),
        right_(std::make_shared<Right>(implementation, input, size, way)),
        label_(std::string(Operation::name) + "=" + implementation.info().name + " (" +
               std::string(name(P::value)) + ", " + input + "): ") {}

  void add_arrays(const Args& shape) {
    Args args = shape;
    int index = 0;
    each_array(
        check_, args,
        [&]<class T, int Rank>(const char* argument, View<T, Rank>& view, ArgumentKind kind) {
          const int mine = index++;
          if (!view.given()) return;
          for (const WrongArray& wrong : wrong_arrays) {
            if (!wrong.applies_to(kind, sizeof(T), Rank)) continue;
            const ChangeArgs change = [check = check_, mine, fault = wrong.fault](
                                          Args& a, const Context& context) {
              int at = 0;
              each_array(check, a,
                         [&]<class U, int R>(const char*, View<U, R>& v, ArgumentKind of) {
                           if (at++ == mine) spoil(v, fault, out_of_reach(context, of));
                         });
            };
            const bool read_by_prepare =
                kind != ArgumentKind::output && kind != ArgumentKind::at_least;
            add(argument, wrong.what, change, read_by_prepare);
          }
        });
  }

  void add_values(const Args& shape) {
    WrongValues declared;
    Args args = shape;
    check_.for_each_argument(declared, args);
    for (std::size_t k = 0; k < declared.values.size(); ++k) {
      const ChangeArgs change = [check = check_, k](Args& a, const Context&) {
        WrongValues wrong;
        wrong.made = k;
        check.for_each_argument(wrong, a);
      };
      const WrongValues::Value& value = declared.values[k];
      add(value.argument, value.what, change, value.read_by_prepare);
    }
    each_value(static_cast<Args*>(nullptr),
               [&](const char* argument, const char* what, std::function<void(Args&)> change) {
                 add(
                     argument, what,
                     [change = std::move(change)](Args& a, const Context&) { change(a); }, true);
               });
    if constexpr (requires(Args & a) { a.owned; })
      add(
          "owned", "another in prepare than in execute",
          [](Args& a, const Context&) {
            a.owned = a.targets() - 1;
            --a.forces.extents[0];
            for (std::int64_t* const rows : {&a.energies.extents[0], &a.virials.extents[0]})
              *rows = std::max<std::int64_t>(0, *rows - 1);
          },
          true);
    if constexpr (requires(Args & a) { a.box; })
      each_wrong_box([&](const char* what, std::function<void(md::Box&)> change) {
        add(
            "box", what, [change = std::move(change)](Args& a, const Context&) { change(a.box); },
            true);
      });
  }

  /// Adds calls with indices out of range, which prepare() or the first execute() has to detect.
  void add_indices(const Args& shape) {
    Args args = shape;
    each_index(
        check_, args,
        [&](const char* argument, const View<const std::int32_t, 1>& view, std::int64_t largest) {
          if (!view.given() || view.extent(0) == 0) return;
          const std::int64_t last = view.extent(0) - 1;
          const std::int32_t beyond = static_cast<std::int32_t>(largest) + 1;
          for (const std::int64_t place : {std::int64_t{0}, last / 2, last})
            for (const std::int32_t value :
                 {std::int32_t{-1}, beyond, beyond + 1000, std::int32_t{1} << 30,
                  std::numeric_limits<std::int32_t>::min()})
              add_element<std::int32_t>(argument, place, value);
        });
    each_number(check_, args, [&](const char* argument, const View<const double, 1>& view) {
      for (const double value : {std::nan(""), HUGE_VAL, -1.0})
        add_element<double>(argument, view.extent(0) - 1, value);
    });
  }

  /// Adds calls with non-finite or huge coordinates.
  void add_wild(const Args& shape) {
    if constexpr (requires(Args & a) { a.positions.data; }) {
      using T = std::remove_const_t<std::remove_pointer_t<decltype(shape.positions.data)>>;
      const std::int64_t last = shape.positions.extent(0) - 1;
      constexpr double largest = std::numeric_limits<T>::max();
      for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL, largest, -largest, 1e19, -1e19,
                                 3e9, double{std::numeric_limits<T>::denorm_min()}})
        for (std::int64_t d = 0; d < shape.positions.extent(1); ++d)
          for (const std::int64_t row : {std::int64_t{0}, last})
            calls_.push_back({label_ + "positions: row " + std::to_string(row) + ", column " +
                                  std::to_string(d) + " is " + std::to_string(value),
                              "positions",
                              [right = right_, row, d, value] {
                                const Args args = right->args();
                                T* const at = const_cast<T*>(&args.positions(row, d));
                                with_element_changed(*right, at, static_cast<T>(value),
                                                     [&](auto& plan) { run(plan, args); });
                              },
                              true});
    }
  }

  void add_problems() {
    const Wrong<Problem> wrong = [&](const char* argument, const char* what,
                                     std::function<void(Problem&)> change) {
      calls_.push_back({label_ + "problem: " + argument + ": " + what, argument,
                        [right = right_, change = std::move(change)] {
                          Problem problem = right->problem();
                          change(problem);
                          (void)right->plan(problem);
                        }});
    };
    each_problem(static_cast<Problem*>(nullptr), wrong);
    if constexpr (requires(Problem & p) { p.box; })
      each_wrong_box([&](const char* what, std::function<void(md::Box&)> change) {
        wrong("box", what, [change = std::move(change)](Problem& p) { change(p.box); });
      });
  }

  void add_unprepared() {
    if constexpr (Operation::traits.prepare == Prepare::required)
      calls_.push_back({label_ + "execute before prepare", "prepare",
                        [right = right_] { right->unprepared().execute(right->args()); }});
  }

 private:
  static void run(Plan<Operation, P>& plan, const Args& args) {
    if constexpr (Operation::traits.prepare != Prepare::none) plan.prepare(args);
    plan.execute(args);
  }

  /// Calls a new plan with one element of an array changed, and restores the element.
  template <class T, class Call>
  static void with_element_changed(Right& right, T* at, T value, const Call& call) {
    const Context& context = right.context();
    T former{};
    context.device->copy_to_host(&former, at, sizeof former, context.stream);
    const auto write = [&](T number) {
      context.device->copy_to_device(at, &number, sizeof number, context.stream);
      context.fence();
    };
    write(value);
    try {
      call(right.unprepared());
      context.fence();
    } catch (...) {
      write(former);
      throw;
    }
    write(former);
  }

  void add(const std::string& argument, const std::string& what, const ChangeArgs& change,
           bool read_by_prepare) {
    const auto changed = [right = right_, change] {
      Args args = right->args();
      change(args, right->context());
      return args;
    };
    calls_.push_back({label_ + argument + ": " + what, argument,
                      [right = right_, changed] { right->prepared().execute(changed()); }});
    if (Operation::traits.prepare != Prepare::none && read_by_prepare)
      calls_.push_back(
          {label_ + argument + ": " + what + " (prepare)", argument, [right = right_, changed] {
             auto& plan = right->unprepared();
             plan.prepare(changed());
             plan.execute(right->args());
           }});
  }

  template <class T>
  void add_element(const std::string& argument, std::int64_t place, T value) {
    calls_.push_back(
        {label_ + argument + ": element " + std::to_string(place) + " is " + std::to_string(value),
         argument.substr(0, argument.find('.')),
         [check = check_, right = right_, argument, place, value] {
           Args args = right->args();
           const T* at = nullptr;
           const auto find = [&](const char* name, const View<const T, 1>& view) {
             if (name == argument && view.given() && place < view.extent(0) && at == nullptr)
               at = &view(place);
           };
           if constexpr (std::is_same_v<T, double>)
             each_number(check, args, find);
           else
             each_index(check, args,
                        [&](const char* name, const View<const T, 1>& view, std::int64_t) {
                          find(name, view);
                        });
           with_element_changed(*right, const_cast<T*>(at), value,
                                [&](auto& plan) { run(plan, args); });
         }});
  }

  WrongCalls& calls_;
  typename Operation::Check check_;
  std::shared_ptr<Right> right_;
  std::string label_;
};

enum class Calls {
  all,
  wild,
  portable  ///< for portable bodies and the oracle, which support all problems
};

template <class Operation>
void add_calls(WrongCalls& calls, const char* input, std::int64_t size, int way = 0,
               Calls which = Calls::all) {
  // The optional arguments depend on the input alone, so one call of the oracle determines them.
  const std::string operation(Operation::name);
  for (const ImplementationBase* i : registry().implementations(operation)) {
    if (i->info().memory != MemorySpace::host && !registry().unavailable(i->info().backend).empty())
      continue;
    const std::string& name = i->info().name;
    if (which == Calls::portable && name != "reference" && !name.ends_with(".portable")) continue;
    with_element(ElementsOf<Operation>{}, i->info().precision, [&]<class P>() {
      const ImplementationBase& oracle =
          registry().find(operation, i->info().precision, "reference");
      RightCall<Operation, P> example(oracle, input, size, way);
      Generator<Operation, P> generator(calls, *i, input, size, way, example.problem());
      generator.add_wild(example.args());
      if (which == Calls::wild) return;
      generator.add_arrays(example.args());
      generator.add_values(example.args());
      generator.add_indices(example.args());
      generator.add_problems();
      generator.add_unprepared();
    });
  }
}

/// Adds calls for the first input of an operation that has none, at a size of more than one item.
template <class Operation>
void add_first_calls(WrongCalls& calls) {
  const std::string name = std::string(Operation::name) + "=";
  if (std::any_of(calls.begin(), calls.end(),
                  [&](const WrongCall& call) { return call.name.starts_with(name); }))
    return;
  const TrialInput input = registry().trials(std::string(Operation::name))->inputs().front();
  const auto size = std::find_if(input.checked.begin(), input.checked.end(),
                                 [](std::int64_t n) { return n > 1; });
  if (size != input.checked.end()) add_calls<Operation>(calls, input.name.c_str(), *size);
}

template <class... Operations>
void add_first_calls(WrongCalls& calls, std::tuple<Operations...>*) {
  (add_first_calls<Operations>(calls), ...);
}

}  // namespace

void add_operation_calls(WrongCalls& calls) {
  add_calls<md::PairForce>(calls, "water lj/cut+coul/rf", 375, 1);
  add_calls<md::PairForce>(calls, "half of water lj/cut+coul/rf", 375, 1);
  for (const char* input : {"three cutoffs, sparse", "sparse, tilted", "sparse, open", "sparse",
                            "half of sparse, tilted"})
    add_calls<md::PairForce>(calls, input, 501, 0, Calls::wild);
  add_calls<md::PairForce>(calls, "melt", 500, 0, Calls::wild);
  add_calls<md::SpecialForce>(calls, "lj/cut+coul/rf", 30, 1);
  add_calls<md::ListedForce>(calls, "proteins", 30, 1);
  add_calls<md::SpecialForce>(calls, "threes and ghosts", 1000, 1);
  add_calls<md::ListedForce>(calls, "proteins and ghosts", 1000, 1);
  add_calls<md::PairForce>(calls, "chains, by atom", 600, 1, Calls::portable);
  add_calls<md::SpecialForce>(calls, "threes, by atom", 999, 1, Calls::portable);
  add_calls<md::ListedForce>(calls, "proteins, by atom", 1000, 1, Calls::portable);
  add_calls<md::Integrate>(calls, "close and open", 33);
  add_calls<md::Langevin>(calls, "close and open", 33);
  add_calls<md::Displacement>(calls, "random", 33);
  add_calls<md::Wrap>(calls, "random", 33);
  add_calls<pic::BunchStatistics>(calls, "bunch", 33, 3);
  add_calls<pic::ChargeDeposit>(calls, "weights", 40);
  add_calls<pic::ChargeDeposit>(calls, "weights, order 3", 40, 0, Calls::portable);
  add_calls<pic::ChargeDeposit>(calls, "some are lost", 33, 0, Calls::portable);
  add_calls<pic::ElectricField>(calls, "periodic z", 7 * 5 * 33);
  add_calls<pic::FrameChange>(calls, "to the beam", 33, 1);
  add_calls<pic::GatherKick>(calls, "few nodes", 33, 1);
  add_calls<pic::GreenFunction>(calls, "points", 5 * 4 * 7);
  add_calls<pic::PoissonSolve>(calls, "odd", 5 * 7 * 9);
  add_calls<pic::PoissonSolve>(calls, "even, periodic z", 6 * 4 * 10);
  add_calls<pic::GatherKick>(calls, "few nodes, order 2", 33, 1, Calls::portable);
  add_calls<pic::Reorder>(calls, "few nodes", 33, 1);
  add_calls<pic::Transport>(calls, "drift", 33, 2);
  add_calls<reduction::Extrema>(calls, "columns", 33);
  add_calls<reduction::Sum>(calls, "weighted by row", 33);
  add_calls<reduction::Sum>(calls, "moments", 33);
  add_first_calls(calls, static_cast<AllOperations*>(nullptr));
}

}  // namespace tessera::test
