#ifndef TESSERA_TESTS_UNIT_APPS_TESSERA_CASE_MD_CASE_HPP
#define TESSERA_TESTS_UNIT_APPS_TESSERA_CASE_MD_CASE_HPP

#include "apps/tessera/case/read_case.hpp"
#include "core/case/case_registry.hpp"
#include "physics/md/case/neighbor_section.hpp"
#include "physics/md/case/pair_section.hpp"
#include "physics/md/case/restart_section.hpp"
#include "physics/md/case/run_section.hpp"
#include "physics/md/case/system_section.hpp"
#include "physics/md/case/thermo_section.hpp"
#include "physics/md/case/trajectory_section.hpp"
#include "physics/md/case/units_section.hpp"
#include "physics/md/case/velocities_section.hpp"

#include <string>
#include <utility>

/// \file
/// A case of molecular dynamics with its sections by name.

namespace tessera::app {

struct Case : cases::Case {
  explicit Case(cases::Case c) : cases::Case(std::move(c)) {}

  const std::string& units = get<md::UnitsSection>().units;
  const md::SystemSection& system = get<md::SystemSection>();
  const md::VelocitiesSection* velocities = find<md::VelocitiesSection>();
  const md::PairSection& pair = get<md::PairSection>();
  const md::NeighborSection& neighbor = get<md::NeighborSection>();
  const md::RunSection& run = get<md::RunSection>();
  const md::ThermoSection& thermo = get<md::ThermoSection>();
  const md::TrajectorySection& trajectory = get<md::TrajectorySection>();
  const md::RestartSection& restart = get<md::RestartSection>();
};

inline std::string effective_toml(const cases::Case& c) {
  return cases::case_registry().effective_toml(c);
}

}  // namespace tessera::app

#endif  // TESSERA_TESTS_UNIT_APPS_TESSERA_CASE_MD_CASE_HPP
