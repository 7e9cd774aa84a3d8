#include "physics/md/case/run_setup.hpp"

#include "core/base/error.hpp"
#include "core/base/lost_warnings.hpp"
#include "physics/md/case/build_pair_table.hpp"
#include "physics/md/case/neighbor_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/simulation_parts.hpp"
#include "physics/md/case/thermo_section.hpp"
#include "physics/md/case/trajectory_section.hpp"
#include "physics/md/case/units_section.hpp"

namespace tessera::md {

RunSetup set_up_run(const cases::Case& c) {
  if (c.kind != "md")
    throw InputError({c.path.string(), 0, "kind", c.kind},
                     "no simulation runs cases of this kind, expected md");
  RunSetup setup;
  const LostWarnings lost(setup.initial.warnings);
  setup.units = &units_of(c);
  setup.options.precision = c.precision;
  setup.options.time_step = c.get<RunSection>().time_step;
  setup.options.determinism = c.get<RunSection>().determinism;
  setup.options.rebuild_every = c.get<NeighborSection>().every;
  const auto& frames = c.get<TrajectorySection>();
  setup.options.by_atom = frames.every > 0 && (frames.energies || frames.stresses);
  setup.options.term_pressures = c.get<ThermoSection>().term_pressures;
  setup.initial = build_system(c);
  setup.pair = {build_pair_table(c, setup.initial.system), c.get<NeighborSection>().skin};
  try {
    setup.parts = build_simulation_parts(c, setup.initial.system, setup.initial.groups, setup.pair,
                                         setup.initial.warnings);
  } catch (const ParticleError& error) {
    throw InputError({c.path.string(), 0, "bond", {}}, error.what());
  }
  return setup;
}

}  // namespace tessera::md
