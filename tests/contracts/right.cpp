#include "core/execution/host_space.hpp"
#include "core/execution/space_device.hpp"
#include "core/operations/operation.hpp"
#include "core/operations/plugin.hpp"
#include "physics/md/pair_potential/pair_potential.hpp"

#include <array>
#include <tuple>

/// \file
/// An operation, a plan with tuning parameters, a space and a potential that meet their contracts.
/// misspelt_members_test.py misspells one member after the other.

namespace tessera::contracts {

struct Features {
  bool by_row = false;
};
template <class Storage>
struct Args {
  View<const Storage, 1> values;
};
struct Problem {
  std::int64_t rows = 0;
  Determinism determinism = Determinism::none;
  bool by_row = false;
};
inline ProblemKey problem_key(const Problem& problem) {
  return {problem.rows};
}
struct OperationCheck {
  explicit OperationCheck(const Problem&) {}
  template <class Storage>
  void operator()(ArgumentCheck&, const Args<Storage>&) const {}
  template <class Storage>
  void after(const Context&, const Args<Storage>&) const {}
};

struct Example : PlainOperation<Args, Problem,
                                OperationTraits{.prepare = Prepare::hint,
                                                .selects_determinism = true,
                                                .checks_output = true},
                                Features> {
  static constexpr std::string_view name = "test/example";
  using Check = OperationCheck;
  static Refusal refuse(const Problem& problem, const Features& features) {
    return problem.by_row && !features.by_row ? Refusal("not by row") : Refusal();
  }
};

struct Parameters {
  int block = 64;

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"block", &Parameters::block, std::array{32, 64}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal,
                                   .canonical = &Parameters::canonical,
                                   .defaults = &Parameters::defaults}};
  }
  [[nodiscard]] Refusal refusal() const { return {}; }
  [[nodiscard]] Parameters canonical() const { return *this; }
  static Parameters defaults(const DeviceProperties&) { return {}; }
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

template <class P>
class ExamplePlan : public Plan<Example, P> {
 public:
  using Parameters = contracts::Parameters;
  using Args = typename Plan<Example, P>::Args;
  static constexpr PlanTraits<Example> traits{.determinism = Determinism::run_to_run,
                                              .determinism_on_request = Determinism::any_order,
                                              .description = "an example",
                                              .features = {.by_row = true}};
  static Refusal can_run(const Problem&, const Context&, const Parameters&) { return {}; }
  ExamplePlan(const Problem&, const Context&, const Parameters&) {}
  void execute(const Args&) override {}
};

std::unique_ptr<ImplementationBase> implementation() {
  return plugin_implementation<ExamplePlan<Double>>("serial.example", "serial", MemorySpace::host);
}

bool reaches(int, const void*) {
  return true;
}
class ExampleSpace : public HostSpace {
 public:
  using HostSpace::HostSpace;
  static constexpr SpaceFunctions functions{.reaches = &reaches};
};
static_assert(ExecutionSpace<ExampleSpace>);

}  // namespace tessera::contracts

namespace tessera::md::potentials {

struct Example {
  static constexpr Traits traits{.width = 1, .self_energy = true};
  template <class Declaration>
  static void declare(Declaration& potential) {
    potential.is("an example", "no publication");
    potential.has("cutoff", "cutoff").cutoff();
  }
  template <class Field, class Real>
  static void pack(const Field&, Real* c) {
    c[0] = 0;
  }
  template <class Real>
  static Real self_energy(const Real* c) {
    return c[0];
  }
  template <class Distance, class Numbers, class Atom, class Real>
  static TESSERA_INLINE void at(const Distance&, const Numbers& c, const Atom&, const Atom&,
                                Real& force_over_r, Real& energy) {
    force_over_r = c[0];
    energy = c[0];
  }
};

PairPotentialPart example() {
  return describe_pair_potential<Example>("example", 0);
}

}  // namespace tessera::md::potentials
