#ifndef TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP

#include "core/base/error.hpp"
#include "core/base/precision.hpp"
#include "core/memory/device.hpp"
#include "core/operations/implementation.hpp"
#include "core/state/columns.hpp"
#include "core/state/operation_timer.hpp"
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
/// The time step of molecular dynamics: a list of force terms and an integrator. State and plans
/// stay on one device; a step copies to the host only the largest displacement, on which rebuilds
/// depend, and, for rows of thermo, the totals.

namespace tessera {
class RestartFile;  // core/state/restart_file.hpp
}

namespace tessera::md {

struct SimulationOptions {
  Precision precision = Precision::double_precision;
  double time_step = 0.005;        ///< negative: backwards
  std::int64_t rebuild_every = 0;  ///< steps between rebuilds, which may miss pairs in between; 0:
                                   ///< rebuilds by displacement, which never miss a pair
  /// Whether to wait for the device after each operation, so that the time of each operation is
  /// exact; slower on a GPU.
  bool exact_timings = false;
  /// Whether to compute forces before it is known how far atoms have moved, and again if that was
  /// too far, so that the device does not idle. Without a value: true in steps that do not wait for
  /// the device to take times, which are most steps on a GPU. Results are the same.
  std::optional<bool> speculate_forces{};
  /// Whether the implementation of the forces makes many fused steps at a time where it can
  /// (md/step/fused_steps.hpp), with rebuilds by displacement and no exact timings. Results are the
  /// same. fused_steps_refusal() has the reason where it cannot.
  bool fused_steps = true;
  /// Least determinism that every operation must guarantee; others are refused. With any_order the
  /// results of a run on one device have the same bits, by id, for any initial order of the atoms.
  /// A pair force beyond the range of fixed-point sums then ends the run as a blow-up.
  Determinism determinism = Determinism::none;
  /// Whether by_atom() will be called: each term then has a second plan for it.
  bool by_atom = false;
  /// Whether rows of thermo show the pressure of each term (ThermoRow::term_pressures).
  bool term_pressures = false;
};

/// Parts of a simulation: terms that act on the atoms, the integrator that moves them, and
/// observables.
struct SimulationParts {
  std::vector<TermFactory> terms;                ///< forces are added in this order, those of the
                                                 ///< pairs last
  IntegratorFactory integrator;                  ///< null: velocity Verlet
  std::vector<ObservableFactory> observables{};  ///< in the order of their columns
};

/// The run became unphysical: an atom moved further than the cutoff in one step, or a coordinate is
/// not finite. The simulation has been restored to the last rebuild before that, so that a restart
/// file can be written.
class BlowUpError : public SimulationError {
 public:
  BlowUpError(std::int64_t step, std::int64_t atom_id, const std::string& message)
      : SimulationError(step, message), atom_id_(atom_id) {}
  [[nodiscard]] std::int64_t atom_id() const noexcept { return atom_id_; }

 private:
  std::int64_t atom_id_;
};

/// Rows of thermo that advance() passes to `take` during a run.
struct ThermoRows {
  std::int64_t every = 0;  ///< rows of all steps that are a multiple of this number; 0: none
  std::function<void(const ThermoRow&)> take;

  [[nodiscard]] bool due(std::int64_t step) const { return every > 0 && step % every == 0; }
};

class Simulation {
 public:
  /// Copies the atoms to the device, makes the plans and computes the first forces. Atoms may be
  /// outside of the box in directions that are not periodic.
  /// \param continued a restart file from whose clock, columns and scalars the run continues, with
  /// its choices of implementations unless the context specifies others.
  /// \throws ParticleError for a NaN or two atoms at one position; ArgumentError for other faults
  /// of the system, the parts, the units or the options; RefusalError, SelectionError; InputError
  /// for a field of `continued`.
  [[nodiscard]] static std::unique_ptr<Simulation> make(const Context& context, System system,
                                                        const SimulationParts& parts,
                                                        const Units& units,
                                                        const SimulationOptions& options,
                                                        const RestartFile* continued = nullptr);

  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Runs steps. The last one also computes the energy, so that thermo() needs no further forces.
  /// \param stop called before each step; the first step for which it returns true is the last one.
  /// Fused steps (fused_steps) call it before some of the steps only, and complete the steps that
  /// the device has begun.
  /// \param rows thermo rows of steps before the last one. They are passed in order of the steps,
  /// possibly some steps late, so that the host need not wait for the device.
  /// \throws BlowUpError; ArgumentError for a negative number of steps; exceptions of rows.take.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop,
                       const ThermoRows& rows) = 0;
  void advance(std::int64_t steps, const std::function<bool()>& stop) { advance(steps, stop, {}); }
  void advance(std::int64_t steps) { advance(steps, {}, {}); }

  /// Temperature, energies, pressure and momentum of the present state.
  [[nodiscard]] virtual ThermoRow thermo() = 0;
  /// Starts the computation of thermo() without waiting for it: on a GPU the next steps can begin
  /// at once, and the numbers are copied to the host together with theirs.
  virtual void request_thermo() = 0;
  /// The result of thermo() at the last request_thermo(), as often as it is called; after an
  /// advance() with rows, the result at one of the rows.
  /// \throws ArgumentError without an earlier request.
  [[nodiscard]] virtual ThermoRow requested_thermo() = 0;

  /// Energies and stresses of single atoms in the present state, on the host. Costs a neighbor
  /// search and an evaluation of each term, by implementations that may differ from those of the
  /// steps.
  /// \throws ArgumentError unless SimulationOptions::by_atom is set.
  [[nodiscard]] virtual AtomThermo by_atom() = 0;

  /// Wraps the atoms into the box and rebuilds the neighbor lists. A restart does this, and so must
  /// the run that writes the restart file, in order to continue with the same bits.
  virtual void rebuild() = 0;

  /// Replaces the box from the next step on; atoms are not moved. If it throws, the simulation goes
  /// on in the former box, unchanged.
  /// \throws BoxError for an invalid box or one too small for the cutoff; ArgumentError if a
  /// direction becomes or ceases to be periodic; exceptions of a term that cannot prepare in the
  /// new box.
  virtual void set_box(const Box& box) = 0;

  [[nodiscard]] virtual std::int64_t atoms() const = 0;
  [[nodiscard]] virtual const Box& box() const = 0;
  /// Box, types and all else that belongs to no single atom; the columns of this System are empty.
  [[nodiscard]] virtual const System& description() const = 0;
  [[nodiscard]] const std::vector<AtomType>& types() const { return description().types; }
  /// The atoms in the present state, in the order in which they were given.
  [[nodiscard]] virtual System system() const = 0;
  /// All arrays by atom, those of terms and of the integrator included, for output.
  [[nodiscard]] virtual const Columns& columns() const = 0;
  [[nodiscard]] virtual std::vector<std::array<double, 3>> forces() const = 0;

  /// Adds clock, saved columns, scalars and the choices of implementations to a restart file.
  virtual void save(RestartFile& file) const = 0;

  [[nodiscard]] virtual const StepClock& clock() const = 0;
  /// Number of steps made by this object, without those before a restart.
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  [[nodiscard]] virtual std::int64_t rebuilds() const = 0;
  [[nodiscard]] virtual double skin() const = 0;
  [[nodiscard]] virtual double neighbors_per_atom() const = 0;

  /// Reason why the last advance() made no fused steps (SimulationOptions::fused_steps); absent if
  /// it made some, or if it made few steps.
  [[nodiscard]] virtual Refusal fused_steps_refusal() const = 0;

  /// Implementations of the operations, with the time spent in each.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;
  /// Sets the times so far to zero, for instance after a warm-up.
  virtual void reset_timings() = 0;

 protected:
  Simulation() = default;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_SIMULATION_HPP
