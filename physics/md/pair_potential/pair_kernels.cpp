#include "physics/md/pair_potential/pair_kernels.hpp"

#include "core/operations/registry.hpp"

#include <algorithm>
#include <mutex>

namespace tessera::md {

void PairKernels::add(const std::string& implementation, Precision precision,
                      const std::string& potential, PairKernel row) {
  const std::unique_lock lock(mutex_);
  rows_[{implementation, precision, potential}] = std::move(row);
}

void PairKernels::remove(const std::string& implementation, Precision precision,
                         const std::string& potential) {
  const std::unique_lock lock(mutex_);
  rows_.erase({implementation, precision, potential});
}

std::optional<PairKernel> PairKernels::find(const std::string& implementation, Precision precision,
                                            const PairPotential& potential) const {
  const std::shared_lock lock(mutex_);
  if (const auto at = rows_.find({implementation, precision, potential.name_of_row()});
      at != rows_.end())
    return at->second;
  const bool switchable =
      std::all_of(potential.parts().begin(), potential.parts().end(),
                  [](const PairPotentialPart& part) { return part.index >= 0 && part.central; });
  if (!switchable) return {};
  const auto any = rows_.find({implementation, precision, "*"});
  return any == rows_.end() ? std::nullopt : std::optional(any->second);
}

std::vector<std::string> PairKernels::potentials(const std::string& implementation,
                                                 Precision precision) const {
  const std::shared_lock lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [key, row] : rows_)
    if (std::get<0>(key) == implementation && std::get<1>(key) == precision)
      names.push_back(std::get<2>(key));
  return names;
}

std::set<std::string> PairKernels::potentials() const {
  const std::shared_lock lock(mutex_);
  std::set<std::string> names;
  for (const auto& [key, row] : rows_)
    names.insert(std::get<2>(key));
  return names;
}

PairKernels& pair_kernels(Registry& registry) {
  return registry.part<PairKernels>();
}

PairKernels& pair_kernels() {
  return pair_kernels(registry());
}

std::optional<std::string> refuse_potential(const std::string& implementation, Precision precision,
                                            const std::string& potential) {
  const PairPotential wanted = pair_potentials().find(potential);
  if (pair_kernels().find(implementation, precision, wanted)) return {};
  if (!wanted.central() && pair_kernels().potentials().contains(wanted.name_of_row()))
    return "has pair loops for central potentials alone, and '" + potential + "' is not central";
  std::string have;
  for (const std::string& name : pair_kernels().potentials(implementation, precision))
    if (name != "*") have += (have.empty() ? "" : ", ") + name;
  return "has no pair loop for the potential '" + potential + "' in " +
         std::string(name(precision)) +
         (have.empty() ? ", nor for any other" : ", it has pair loops for " + have) +
         "; to add it, build with -DTESSERA_PAIR_FORMS=\"default;" + potential +
         "\", and with -DTESSERA_PAIR_FORM_DIRS if a part is not in physics/md/potentials";
}

}  // namespace tessera::md
