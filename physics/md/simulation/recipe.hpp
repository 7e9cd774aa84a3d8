#ifndef TESSERA_PHYSICS_MD_SIMULATION_RECIPE_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_RECIPE_HPP

#include "core/base/precision.hpp"
#include "physics/md/simulation/state.hpp"

#include <memory>
#include <utility>

/// \file
/// Parts of a simulation, before its precision is known.

namespace tessera::md {

template <class P>
class ForceTerm;
template <class P>
class Integrator;
template <class P>
class Observable;

/// Makes a `Base<P>` (a ForceTerm, an Integrator or an Observable) for a state in any precision.
template <template <class> class Base>
class Recipe {
 public:
  virtual ~Recipe() = default;
  [[nodiscard]] virtual std::unique_ptr<Base<Double>> make(State<Double>&) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Base<Mixed>> make(State<Mixed>&) const = 0;
  [[nodiscard]] virtual std::unique_ptr<Base<Single>> make(State<Single>&) const = 0;
};

using TermRecipe = std::shared_ptr<const Recipe<ForceTerm>>;
using IntegratorRecipe = std::shared_ptr<const Recipe<Integrator>>;
using ObservableRecipe = std::shared_ptr<const Recipe<Observable>>;

/// `Part<P>` is constructed from a state and the options.
template <template <class> class Base, template <class> class Part, class Options>
class RecipeOf final : public Recipe<Base> {
 public:
  explicit RecipeOf(Options options) : options_(std::move(options)) {}
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

#endif  // TESSERA_PHYSICS_MD_SIMULATION_RECIPE_HPP
