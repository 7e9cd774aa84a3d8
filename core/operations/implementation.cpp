#include "core/operations/implementation.hpp"

namespace tessera {

Refusal ImplementationBase::can_run_on(const Context& context) const {
  if (context.memory() == info_.memory) return {};
  return "works on " + std::string(name(info_.memory)) + " memory, the run keeps its state in " +
         std::string(name(context.memory())) + " memory (backend " +
         context.device->properties().backend + ")";
}

}  // namespace tessera
