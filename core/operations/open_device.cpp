#include "core/operations/open_device.hpp"

#include "core/base/error.hpp"
#include "core/base/reasons.hpp"
#include "core/operations/choices.hpp"

#include <algorithm>

namespace tessera {

Context open_for(const Registry& registry, const ImplementationBase& implementation,
                 std::optional<int> ordinal) {
  const ImplementationInfo& info = implementation.info();
  const std::vector<BackendInfo> backends = registry.backends();
  const BackendInfo* chosen = nullptr;
  Reasons reasons;
  for (const BackendInfo& backend : backends) {
    const bool own = backend.name == info.backend;
    if (!own && (!backend.not_built.empty() || backend.memory != info.memory)) continue;
    if (const std::string reason = registry.unavailable(backend.name); !reason.empty()) {
      reasons.add(backend.name, reason);
      continue;
    }
    if (chosen == nullptr || own ||
        (chosen->name != info.backend && backend.priority > chosen->priority))
      chosen = &backend;
  }
  if (chosen == nullptr)
    throw RefusalError(info.operation + "=" + info.name,
                       reasons.empty() ? "no backend of this build has " +
                                             std::string(name(info.memory)) + " memory"
                                       : reasons.text());
  Context context = registry.open(chosen->name, ordinal);
  context.choices = untuned_choices();
  return context;
}

}  // namespace tessera
