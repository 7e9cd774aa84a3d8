#ifndef TESSERA_TESTS_SUPPORT_CARELESS_HPP
#define TESSERA_TESTS_SUPPORT_CARELESS_HPP

#include "core/operations/choices.hpp"
#include "core/operations/plugin.hpp"
#include "core/operations/registry.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tessera::test {

/// An implementation that does nothing, and declares Determinism::none.
template <class Operation>
struct Careless : Plan<Operation, Double> {
  using Parameters = NoParameters;
  using Args = typename Plan<Operation, Double>::Args;
  static constexpr PlanTraits<Operation> traits{.description = "promises nothing"};
  static Refusal can_run(const typename Operation::Problem&, const Context&, const Parameters&) {
    return {};
  }
  Careless(const typename Operation::Problem&, const Context&, const Parameters&) {}
  void execute(const Args&) override {}
};

inline constexpr const char* careless = "serial.careless";

/// A context of the backend serial whose choices select Careless for the operation.
template <class Operation>
[[nodiscard]] Context careless_context() {
  const std::string operation(Operation::name);
  bool known = false;
  for (const ImplementationBase* i : registry().implementations(operation))
    known = known || i->info().name == careless;
  if (!known)
    registry().add(plugin_implementation<Careless<Operation>>(careless, "serial", MemorySpace::host,
                                                              priority::outside));
  Context context = registry().open("serial");
  auto choices = std::make_shared<Choices>(choices_of(context));
  choices->choose(registry(), operation, careless);
  context.choices = std::move(choices);
  return context;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_SUPPORT_CARELESS_HPP
