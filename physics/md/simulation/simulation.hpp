#ifndef TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP

#include "core/base/error.hpp"
#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/operations/implementation.hpp"
#include "core/state/columns.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_file.hpp"
#include "core/state/step_clock.hpp"
#include "physics/md/simulation/factory.hpp"
#include "physics/md/system.hpp"
#include "physics/md/thermo/thermo.hpp"
#include "physics/md/units.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// \file
/// The time step: a list of force terms and an integrator. State and plans stay on one device; a
/// step copies nothing to the host but the displacement that triggers rebuilding, and the totals
/// when they are asked for.

namespace tessera::md {

struct SimulationOptions {
  Precision precision = Precision::double_precision;
  double time_step = 0.005;        ///< negative: backwards
  std::int64_t rebuild_every = 0;  ///< 0: by displacement, so that no pair is ever missed; else a
                                   ///< fixed interval in steps, which may miss pairs in between
  /// Waits for the device after each operation, so that the times by operation are exact; slower
  /// on a GPU.
  bool exact_timings = false;
  /// Whether forces are computed while it is not known yet how far atoms have moved, and once more
  /// where that was too far: the device has work meanwhile. Where it does not say, wherever a step
  /// does not wait to take times: on GPUs. Results are the same.
  std::optional<bool> speculate_forces{};
  /// Whether the implementation of the forces makes fused steps where it can, many at a time:
  /// md/pair_force/verlet_steps.hpp, with velocity Verlet, one term and rebuilds by displacement.
  /// Not with exact timings. Results are the same.
  bool fused_steps = true;
  /// The least that every operation has to give. With any_order a run has the same bits, by id, in
  /// whatever order its atoms were given, on one device; what gives less is refused. A pair force
  /// beyond what sums in fixed point hold ends the run as a blow-up.
  Determinism determinism = Determinism::none;
  /// Whether by_atom() will be asked for: terms have a plan more for it.
  bool by_atom = false;
  /// Whether tables of thermo show the pressure of each term (ThermoRow::term_pressures).
  bool term_pressures = false;
};

/// Parts of a simulation: terms that act on the atoms, the integrator that moves them, and
/// observables.
struct SimulationParts {
  std::vector<TermFactory> terms;                ///< added up in this order
  IntegratorFactory integrator;                  ///< null: velocity Verlet
  std::vector<ObservableFactory> observables{};  ///< in the order of their columns
};

/// The run became unphysical: an atom moved further than the cutoff in one step, or a coordinate is
/// no number. The simulation is back at the last rebuild before that, so that a restart can be
/// written.
class BlowUpError : public SimulationError {
 public:
  BlowUpError(std::int64_t step, std::int64_t atom_id, const std::string& message)
      : SimulationError(step, message), atom_id_(atom_id) {}
  [[nodiscard]] std::int64_t atom_id() const noexcept { return atom_id_; }

 private:
  std::int64_t atom_id_;
};

/// Rows of thermo that advance() hands over on its way.
struct ThermoRows {
  std::int64_t every = 0;  ///< of steps whose number is a multiple of it; 0: of none
  std::function<void(const ThermoRow&)> take;

  [[nodiscard]] bool due(std::int64_t step) const { return every > 0 && step % every == 0; }
};

class Simulation {
 public:
  /// Puts the atoms on the device, plans, and computes the first forces.
  /// \param continued a restart file whose clock, columns and scalars the run goes on from, with
  /// its choices where those of the context do not say otherwise.
  /// Atoms may be outside of the box in directions that are not periodic.
  /// \throws ParticleError for a NaN or two atoms at one place; ArgumentError naming what else is
  /// wrong with the system, the parts, the units or the options; RefusalError, SelectionError;
  /// InputError for a field of `continued`.
  [[nodiscard]] static std::unique_ptr<Simulation> make(const Context& context, System system,
                                                        const SimulationParts& parts,
                                                        const Units& units,
                                                        const SimulationOptions& options,
                                                        const RestartFile* continued = nullptr);

  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs steps. The last one also computes the energy, so that thermo() needs no forces.
  /// \param stop asked before each step; the first step for which it says true is the last one.
  /// Where many steps are made at a time (fused_steps) it is asked before some of them, and those
  /// that are under way are made.
  /// \param rows wanted of the steps before the last one, handed over in order; they may come some
  /// steps late, so that no device is waited for. \throws BlowUpError; ArgumentError for a negative
  /// number of steps; what rows.take throws.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop,
                       const ThermoRows& rows) = 0;
  void advance(std::int64_t steps, const std::function<bool()>& stop) { advance(steps, stop, {}); }
  void advance(std::int64_t steps) { advance(steps, {}, {}); }

  /// Temperature, energies, pressure and momentum now.
  [[nodiscard]] virtual ThermoRow thermo() = 0;
  /// Has thermo() worked out without waiting for it: on a GPU the steps that follow begin at once,
  /// and bring the numbers along.
  virtual void request_thermo() = 0;
  /// The result of thermo() at the last request_thermo(), any number of times; behind an advance()
  /// with rows, the result at one of these.
  /// \throws ArgumentError where there was none.
  [[nodiscard]] virtual ThermoRow requested_thermo() = 0;

  /// Energies and stresses of single atoms now, on the host. Costs a search for neighbors and an
  /// evaluation of each term, by implementations that need not be those of the steps.
  /// \throws ArgumentError where the options do not say that it will be asked for.
  [[nodiscard]] virtual AtomThermo by_atom() = 0;

  /// Folds the atoms into the box and rebuilds the neighbor structure: what a restart does, and
  /// what the run that writes one must do to go on with the same bits.
  virtual void rebuild() = 0;

  /// Replaces the box from the next step on; atoms are not moved. \throws BoxError when it is none
  /// or too small for the cutoff; ArgumentError when a direction becomes or ceases to be periodic;
  /// what a term throws that cannot prepare for the atoms in it. The simulation goes on in the
  /// former box then, as if nothing had been asked.
  virtual void set_box(const Box& box) = 0;

  [[nodiscard]] virtual std::int64_t atoms() const = 0;
  [[nodiscard]] virtual const Box& box() const = 0;
  /// Everything that belongs to no single atom; the columns of this System are empty.
  [[nodiscard]] virtual const System& description() const = 0;
  [[nodiscard]] const std::vector<AtomType>& types() const { return description().types; }
  /// The atoms now, in the order in which they were given.
  [[nodiscard]] virtual System system() const = 0;
  /// Every array of the atoms, those of terms and of the integrator too, for output.
  [[nodiscard]] virtual const Columns& columns() const = 0;
  [[nodiscard]] virtual std::vector<std::array<double, 3>> forces() const = 0;

  /// Adds the state to a restart file: clock, saved columns, scalars, the choices that run.
  virtual void save(RestartFile& file) const = 0;

  [[nodiscard]] virtual const StepClock& clock() const = 0;
  /// Number of steps of this run.
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  [[nodiscard]] virtual std::int64_t rebuilds() const = 0;
  [[nodiscard]] virtual double skin() const = 0;
  [[nodiscard]] virtual double neighbors_per_atom() const = 0;

  /// Implementations that run, with the time spent in them.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
  /// Forgets the times so far, for instance those of a warm-up.
  virtual void reset_timings() = 0;

 protected:
  Simulation() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP
