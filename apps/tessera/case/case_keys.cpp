#include "apps/tessera/case/case_keys.hpp"

#include <algorithm>

namespace tessera::app {

const std::vector<std::pair<std::string, std::vector<std::string>>>& all_case_keys() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> tables = {
      {"",
       {"title", "units", "precision", "backend", "system", "velocities", "pair", "neighbor", "run",
        "thermo", "trajectory", "restart", "selection", "parameters"}},
      {"system",
       {"file", "format", "atom_style", "frame", "restart", "lattice", "density",
        "lattice_constant", "cells", "site_types", "jitter", "jitter_seed", "periodic", "type"}},
      {"system.type", {"name", "mass"}},
      {"velocities", {"temperature", "seed"}},
      {"pair", {"style", "cutoff", "shift", "mixing", "coefficients"}},
      {"pair.coefficients", {"types", "epsilon", "sigma", "cutoff"}},
      {"neighbor", {"skin", "rebuild", "every"}},
      {"run", {"steps", "time_step"}},
      {"thermo", {"every", "file"}},
      {"trajectory", {"every", "file", "velocities", "forces"}},
      {"restart", {"every", "file"}}};
  return tables;
}

const std::vector<std::string>& keys_of(std::string_view table) {
  static const std::vector<std::string> none;
  const auto& tables = all_case_keys();
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [&](const auto& entry) { return entry.first == table; });
  return found == tables.end() ? none : found->second;
}

}  // namespace tessera::app
