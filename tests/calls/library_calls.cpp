#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/operations/registry.hpp"
#include "core/state/columns.hpp"
#include "core/state/rollback.hpp"
#include "physics/md/pair_potential/coefficient_table.hpp"
#include "tests/calls/arguments.hpp"
#include "tests/calls/wrong_call.hpp"
#include "tests/calls/wrong_values.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace tessera::test {
namespace {

/// Valid arguments, in host memory, of the functions that plan and execute at once.
struct Few {
  std::vector<double> positions = {1, 1, 1, 2.2, 1, 1, 1, 2.2, 1};
  std::vector<double> numbers = std::vector<double>(27);
  std::vector<std::int32_t> types = {0, 0, 0};
  std::vector<std::int64_t> places = std::vector<std::int64_t>(6);
  md::CoefficientTable table{md::pair_potentials().find("lj/cut"), 1};
  double tally[7] = {};

  Few() { table.set_all({{"epsilon", 1}, {"sigma", 1}, {"cutoff", 2.5}}); }

  md::PairForceArgs<double> pair_force() {
    md::PairForceArgs<double> args;
    args.positions = {positions.data(), {3, 3}};
    args.types = {types.data(), {3}};
    args.forces = {numbers.data(), {3, 3}};
    for (double& length : args.box.length)
      length = 10;
    args.coefficients = table.view();
    args.energy = {tally, {1}};
    args.virial = {tally + 1, {6}};
    return args;
  }
  reduction::SumArgs<double> sum() {
    reduction::SumArgs<double> args;
    args.values = {positions.data(), {3, 3}};
    args.terms.term[args.terms.count++] = {0, 1};
    args.terms.term[args.terms.count++] = {2, -1};
    args.result = {tally, {2}};
    return args;
  }
  reduction::ExtremaArgs<double> extrema() {
    reduction::ExtremaArgs<double> args;
    args.values = {positions.data(), {3, 3}};
    args.extremes = {numbers.data(), {3, 2}};
    args.rows = {places.data(), {3, 2}};
    return args;
  }
  pic::ChargeDepositArgs<double> charge_deposit() {
    pic::ChargeDepositArgs<double> args;
    args.positions = {positions.data(), {3, 3}};
    args.grid.nodes[0] = args.grid.nodes[1] = args.grid.nodes[2] = 3;
    args.density = {numbers.data(), {3, 3, 3}};
    args.outside = {places.data(), {1}};
    return args;
  }
};

template <class Operation, class Args, class Entry>
void add_entry(WrongCalls& calls, const std::string& label, Args (Few::*make)(),
               const typename Operation::Problem& problem, Entry entry) {
  const typename Operation::Check check(problem);
  const auto add = [&](const char* argument, const std::string& what, auto change) {
    calls.push_back({label + argument + ": " + what, argument, [make, change, entry] {
                       Few few;
                       Args args = (few.*make)();
                       change(args);
                       entry(args);
                     }});
  };
  int count = 0;
  Few few;
  Args all = (few.*make)();
  each_array(
      check, all, [&]<class T, int Rank>(const char* argument, View<T, Rank>& given, ArgumentKind) {
        const int mine = count++;
        if (!given.given()) return;
        const auto on_mine = [check, mine](Args& args, const auto& change) {
          int at = 0;
          each_array(check, args, [&]<class U, int R>(const char*, View<U, R>& view, ArgumentKind) {
            if (at++ == mine) change(view);
          });
        };
        add(argument, "null",
            [=](Args& args) { on_mine(args, [](auto& v) { v.data = nullptr; }); });
        add(argument, "negative extent",
            [=](Args& args) { on_mine(args, [](auto& v) { v.extents[0] = -v.extents[0]; }); });
        if constexpr (Rank > 1)
          add(argument, "negative columns", [=](Args& args) {
            on_mine(args, []<class U, int R>(View<U, R>& view) {
              if constexpr (R > 1) view.extents[1] = -view.extents[1];
            });
          });
      });
  const auto add_value = [&](const char* argument, const std::string& text, auto change) {
    // Skips mistakes that change the problem, because these functions derive it from the arguments.
    if (text == "not given" && std::string(argument) != "density" &&
        std::string(argument) != "outside" && std::string(argument) != "result" &&
        std::string(argument) != "extremes")
      return;
    if (text == "otherwise periodic" || text == "one node more") return;
    add(argument, text, change);
  };
  WrongValues declared;
  check.for_each_argument(declared, all);
  for (std::size_t k = 0; k < declared.values.size(); ++k)
    add_value(declared.values[k].argument, declared.values[k].what, [check, k](Args& args) {
      WrongValues wrong;
      wrong.made = k;
      check.for_each_argument(wrong, args);
    });
  each_value(static_cast<Args*>(nullptr), add_value);
  if constexpr (requires(Args & a) { a.box; })
    each_wrong_box([&](const char* what, auto change) {
      add("box", what, [change](Args& args) { change(args.box); });
    });
}

void add_entries(WrongCalls& calls, const std::string& backend) {
  const auto context = [backend] { return registry().open(backend); };
  const std::string on = " on " + backend + ": ";
  add_entry<md::PairForce>(calls, "pair_force" + on, &Few::pair_force,
                           md::pair_force_problem(Few().pair_force(), "lj/cut"),
                           [=](const auto& args) { md::pair_force<Double>(context(), args); });
  add_entry<reduction::Sum>(calls, "sum" + on, &Few::sum, reduction::sum_problem(Few().sum()),
                            [=](const auto& args) { reduction::sum<Double>(context(), args); });
  add_entry<reduction::Extrema>(
      calls, "extrema" + on, &Few::extrema, reduction::extrema_problem(Few().extrema()),
      [=](const auto& args) { reduction::extrema<Double>(context(), args); });
  add_entry<pic::ChargeDeposit>(
      calls, "charge_deposit" + on, &Few::charge_deposit,
      pic::charge_deposit_problem(Few().charge_deposit()),
      [=](const auto& args) { pic::charge_deposit<Double>(context(), args); });
  const auto finite = [&](const char* what, auto view) {
    calls.push_back({"require_finite_positions" + on + what, "positions", [=] {
                       Few few;
                       md::require_finite_positions<Double>(context(), view(few));
                     }});
  };
  using V = View<const double, 2>;
  finite("null", [](Few&) { return V{nullptr, {3, 3}}; });
  finite("negative", [](Few& few) { return V{few.positions.data(), {-3, 3}}; });
  finite("columns", [](Few& few) { return V{few.positions.data(), {3, 2}}; });
}

void add_devices(WrongCalls& calls, const std::string& backend) {
  for (const int ordinal : {-1, 64, std::numeric_limits<int>::max()})
    calls.push_back({"open " + backend + " " + std::to_string(ordinal), "device",
                     [=] { (void)registry().open(backend, ordinal); }});
}

void add_without_device(WrongCalls& calls) {
  const auto add = [&](const char* what, const std::function<void()>& call) {
    calls.push_back({std::string("a context that was not opened: ") + what, "device", call});
  };
  add("memory", [] { (void)Context{}.memory(); });
  add("fence", [] { Context{}.fence(); });
  add("Array", [] { (void)Array<double>(Context{}, 3); });
  add("Columns", [] { (void)Columns(Context{}, 3); });
  add("make_plan", [] { (void)make_plan<md::Wrap, Double>({3}, Context{}); });
  add("pair_force", [] {
    Few few;
    md::pair_force<Double>(Context{}, few.pair_force());
  });
  add("sum", [] {
    Few few;
    reduction::sum<Double>(Context{}, few.sum());
  });
  for (const std::string& operation : registry().operations())
    for (const ImplementationBase* i : registry().implementations(operation))
      add((operation + " " + i->info().name).c_str(), [i] { (void)i->can_run_on(Context{}); });
}

void add_arrays(WrongCalls& calls) {
  const auto add = [&](const char* what, const char* argument, const std::function<void()>& call) {
    calls.push_back({std::string("Array: ") + what, argument, call});
  };
  const auto array = [](std::int64_t size) {
    return Array<double>(registry().open("serial"), size);
  };
  add("negative", "size", [=] { (void)array(-1); });
  add("more bytes than there are numbers", "size", [=] { (void)array(std::int64_t{1} << 61); });
  add("rows of none", "columns", [=] { (void)array(6).rows(0); });
  add("rows of -2", "columns", [=] { (void)array(6).rows(-2); });
  add("rows that do not divide", "columns", [=] { (void)array(6).rows(4); });
}

/// Three columns of four rows.
struct Three {
  Columns columns{registry().open("serial"), 4};
  Column<double> x = columns.declare<double>("x", 3, {.saved = true, .rollback = true});
  Column<std::int32_t> type = columns.declare<std::int32_t>("type", 1, {});
  Column<float> y = columns.declare<float>("y", 2, {});
};

void add_columns(WrongCalls& calls) {
  const auto add = [&](const char* what, const char* argument, void (*call)(Three&)) {
    calls.push_back({std::string("Columns: ") + what, argument, [call] {
                       Three three;
                       call(three);
                     }});
  };
  using Wrong = Column<double>;
  static constexpr std::size_t far = 1000000;
  add("rows of one that is not there", "column", [](Three& c) { (void)c.columns.rows(Wrong{3}); });
  add("rows of one far away", "column", [](Three& c) { (void)c.columns.rows(Wrong{far}); });
  add("rows of another type", "column", [](Three& c) { (void)c.columns.rows(Wrong{1}); });
  add("rows of another size", "column", [](Three& c) { (void)c.columns.rows(Wrong{2}); });
  add("const rows of another type", "column",
      [](Three& c) { (void)std::as_const(c.columns).rows(Wrong{1}); });
  add("values of several components", "column", [](Three& c) { (void)c.columns.values(c.x); });
  add("values of another type", "column", [](Three& c) { (void)c.columns.values(Wrong{1}); });
  add("to_host of one that is not there", "column",
      [](Three& c) { (void)c.columns.to_host(Wrong{5}); });
  add("to_host of another type", "column", [](Three& c) { (void)c.columns.to_host(Wrong{1}); });
  add("fill_zero of one that is not there", "column",
      [](Three& c) { c.columns.fill_zero(Wrong{7}); });
  add("host_column of one that is not there", "column",
      [](Three& c) { (void)c.columns.host_column(9); });
  add("info of one that is not there", "column", [](Three& c) { (void)c.columns.info(9).name; });
  add("bytes of one that is not there", "column", [](Three& c) { (void)c.columns.bytes(far); });
  add("data of one that is not there", "column", [](Three& c) { (void)c.columns.data(far); });
  add("copy_to_host of one that is not there", "column", [](Three& c) {
    double target[64];
    c.columns.copy_to_host(far, target);
  });
  add("copy_from_host of one that is not there", "column", [](Three& c) {
    const double source[64] = {};
    c.columns.copy_from_host(far, source);
  });
  add("a name that is taken", "column",
      [](Three& c) { (void)c.columns.declare<double>("x", 1, {}); });
  add("no components", "components", [](Three& c) { (void)c.columns.declare<double>("z", 0, {}); });
  add("negative components", "components",
      [](Three& c) { (void)c.columns.declare<double>("z", -3, {}); });
  add("too few values", "values", [](Three& c) {
    const std::vector<double> two(2);
    (void)c.columns.declare<double>("z", 1, {}, two);
  });
  add("a name that is not there", "column", [](Three& c) { (void)c.columns.find("z"); });
  add("rows of a rollback that are not kept", "column",
      [](Three& c) { (void)Rollback(c.columns).rows(c.columns, c.type); });
  add("rows of a rollback of another type", "column",
      [](Three& c) { (void)Rollback(c.columns).rows(c.columns, Wrong{2}); });
  add("a rollback of other columns", "columns", [](Three& c) {
    Rollback rollback(c.columns);
    Columns other(registry().open("serial"), 4);
    rollback.take(other);
  });
  add("negative rows", "owned", [](Three&) { (void)Columns(registry().open("serial"), -4); });
  add("negative ghosts", "ghosts", [](Three&) { (void)Columns(registry().open("serial"), 4, -1); });
  add("a change to negative rows", "owned", [](Three& c) { c.columns.set_rows(-1, 0); });
  add("a change to negative ghosts", "ghosts", [](Three& c) { c.columns.set_rows(4, -1); });
}

void add_tables(WrongCalls& calls) {
  const auto add = [&](const char* what, const char* argument,
                       void (*call)(md::CoefficientTable&)) {
    calls.push_back({std::string("CoefficientTable: ") + what, argument, [call] {
                       md::CoefficientTable table(md::pair_potentials().find("lj/cut"), 2);
                       call(table);
                     }});
  };
  using Table = md::CoefficientTable;
  add("a negative type", "types", [](Table& t) { t.set(-1, 0, {{"sigma", 1}}); });
  add("a type that is not there", "types", [](Table& t) { t.set(0, 2, {{"sigma", 1}}); });
  add("a type far away", "types", [](Table& t) { t.set(1 << 30, 0, {{"sigma", 1}}); });
  add("reading a type that is not there", "types", [](Table& t) { (void)t.at(2, 0, 0); });
  add("reading a field that is not there", "field", [](Table& t) { (void)t.at(0, 0, 99); });
  add("a name that is not there", "sigmo", [](Table& t) { t.set_all({{"sigmo", 1}}); });
  add("NaN", "sigma", [](Table& t) { t.set_all({{"sigma", NAN}}); });
  add("negative", "epsilon", [](Table& t) { t.set_all({{"epsilon", -1}}); });
  add("negative types", "types",
      [](Table&) { (void)Table(md::pair_potentials().find("lj/cut"), -2); });
}

void add_registry(WrongCalls& calls) {
  calls.push_back({"Registry: add a null pointer", "implementation",
                   [] { registry().add(std::unique_ptr<ImplementationBase>()); }});
  calls.push_back(
      {"Registry: an unknown backend", "backend", [] { (void)registry().open("abacus"); }});
}

}  // namespace

void add_library_calls(WrongCalls& calls) {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    add_devices(calls, backend.name);
    if (backend.memory == MemorySpace::host) add_entries(calls, backend.name);
  }
  add_without_device(calls);
  add_arrays(calls);
  add_columns(calls);
  add_tables(calls);
  add_registry(calls);
}

}  // namespace tessera::test
