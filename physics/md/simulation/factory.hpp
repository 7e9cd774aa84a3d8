#ifndef TESSERA_PHYSICS_MD_SIMULATION_FACTORY_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_FACTORY_HPP

#include "core/base/precision.hpp"
#include "physics/md/simulation/state.hpp"

#include <memory>
#include <utility>

/// \file
/// Factories of the parts of a simulation, which are chosen before the precision is.

namespace tessera::md {

template <class P>
class ForceTerm;
template <class P>
class Integrator;
template <class P>
class Observable;

/// Makes a `Base<P>` (a ForceTerm, an Integrator or an Observable) for a state in any precision.
template <template <class> class Base>
class Factory {
 public:
  virtual ~Factory() = default;
  [[nodiscard]] virtual std::unique_ptr<Base<Double>> make(State<Double>&) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Base<Mixed>> make(State<Mixed>&) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Base<Single>> make(State<Single>&) const = 0;
};

using TermFactory = std::shared_ptr<const Factory<ForceTerm>>;
using IntegratorFactory = std::shared_ptr<const Factory<Integrator>>;
using ObservableFactory = std::shared_ptr<const Factory<Observable>>;

/// Factory that constructs `Part<P>` from a state and the options.
template <template <class> class Base, template <class> class Part, class Options>
class FactoryOf final : public Factory<Base> {
 public:
  explicit FactoryOf(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::unique_ptr<Base<Double>> make(State<Double>& state) const override {
    return std::make_unique<Part<Double>>(state, options_);
  }
  [[nodiscard]] std::unique_ptr<Base<Mixed>> make(State<Mixed>& state) const override {
    return std::make_unique<Part<Mixed>>(state, options_);
  }
  [[nodiscard]] std::unique_ptr<Base<Single>> make(State<Single>& state) const override {
    return std::make_unique<Part<Single>>(state, options_);
  }

 private:
  Options options_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_FACTORY_HPP
