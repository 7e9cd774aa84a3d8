#ifndef TESSERA_PHYSICS_MD_INTEGRATE_MOVING_ATOMS_TRIAL_HPP
#define TESSERA_PHYSICS_MD_INTEGRATE_MOVING_ATOMS_TRIAL_HPP

#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/trial.hpp"
#include "physics/md/integrate/integrate.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// \file
/// Common parts of the trials of integrators: atoms with velocities and forces, and the comparison
/// of the resulting positions and velocities.

namespace tessera::md {

struct MovingAtoms {
  std::vector<double> positions, velocities, forces;  ///< atoms x 3
  std::vector<std::int32_t> types;
};

/// Random positions, velocities and forces of magnitudes as in a liquid.
inline MovingAtoms random_moving_atoms(std::int64_t atoms, std::size_t types,
                                       RandomSequence& random) {
  MovingAtoms all;
  for (std::int64_t i = 0; i < 3 * atoms; ++i) {
    all.positions.push_back(random.uniform(-25, 25));
    all.velocities.push_back(random.uniform(-2, 2));
    all.forces.push_back(random.uniform(-100, 100));
  }
  for (std::int64_t i = 0; i < atoms; ++i)
    all.types.push_back(static_cast<std::int32_t>(random() % types));
  return all;
}

/// The atoms in other units: numbers are multiplied by these factors according to their dimension.
inline MovingAtoms in_units(MovingAtoms all, double length, double time, double force) {
  for (double& x : all.positions)
    x *= length;
  for (double& v : all.velocities)
    v *= length / time;
  for (double& f : all.forces)
    f *= force;
  return all;
}

/// Declares the arrays of the atoms; further arrays of an integrator are declared by its trial.
template <class Operation, class P>
class MovingAtomsTrial : public Trial<Operation, P> {
 public:
  using Storage = typename P::Storage;

  [[nodiscard]] IntegrateProblem problem() override {
    return {this->items(), static_cast<int>(force_to_accel_.source().size())};
  }

 protected:
  /// Expected positions and velocities, with the summed magnitudes of their terms.
  struct Moved {
    std::vector<double> positions, velocities, position_magnitudes, velocity_magnitudes;
  };

  MovingAtomsTrial(const Context& context, const MovingAtoms& atoms,
                   const std::vector<double>& force_to_accel)
      : Trial<Operation, P>(context, std::ssize(atoms.types)),
        positions_(this->template add<Storage>("positions", TrialRole::updated, shape(3),
                                               atoms.positions)),
        velocities_(this->template add<Storage>("velocities", TrialRole::updated, shape(3),
                                                atoms.velocities)),
        forces_(this->template add<Storage>("forces", TrialRole::input, shape(3), atoms.forces)),
        types_(this->template add<std::int32_t>("types", TrialRole::input, shape(1), atoms.types)),
        force_to_accel_(by_type("force_to_accel", force_to_accel)) {}

  [[nodiscard]] TrialShape shape(std::int64_t columns) const {
    return TrialShape::items(this->items(), columns);
  }
  [[nodiscard]] TrialArray<double>& by_type(std::string name, const std::vector<double>& values) {
    return this->template add<double>(std::move(name), TrialRole::input,
                                      TrialShape::plain(std::ssize(values)), values);
  }

  /// The largest difference of a component over the summed magnitudes of its terms.
  [[nodiscard]] double error_of(const Moved& expected) const {
    return std::fmax(summed_error<Storage>(positions_.values(), expected.positions,
                                           expected.position_magnitudes),
                     summed_error<Storage>(velocities_.values(), expected.velocities,
                                           expected.velocity_magnitudes));
  }

  TrialArray<Storage>& positions_;
  TrialArray<Storage>& velocities_;
  TrialArray<Storage>& forces_;
  TrialArray<std::int32_t>& types_;
  TrialArray<double>& force_to_accel_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_INTEGRATE_MOVING_ATOMS_TRIAL_HPP
