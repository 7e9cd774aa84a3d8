#include "core/operations/knob_adviser.hpp"

#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/operations/all_knobs.hpp"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace tessera {
namespace {

struct Registered {
  std::mutex mutex;
  std::shared_ptr<KnobAdviser> adviser;
};

Registered& registered() {
  static Registered one;
  return one;
}

std::shared_ptr<KnobAdviser> current() {
  const std::lock_guard lock(registered().mutex);
  return registered().adviser;
}

void warn_once(const std::string& implementation, const std::string& reason) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (told.insert(implementation).second)
    log_warning("parameters that a tuning tool sets for " + implementation +
                " are passed over: " + reason);
}

}  // namespace

void set_knob_adviser(std::shared_ptr<KnobAdviser> adviser) {
  const std::lock_guard lock(registered().mutex);
  registered().adviser = std::move(adviser);
}

KnobAdvice ask_knob_adviser(const ImplementationBase& implementation, const KnobValues& set,
                            const ProblemKey& problem, const Context& context,
                            const std::function<Refusal(const KnobValues&)>& refusal_of) {
  const std::shared_ptr<KnobAdviser> adviser = current();
  if (!adviser || problem == ProblemKey{} || !adviser->listens()) return {};
  const DeviceProperties& device = context.opened().properties();
  const std::vector<KnobInfo> knobs = implementation.knobs_on(device);
  if (knobs.empty()) return {};
  KnobAdvice advice = adviser->advise(implementation.info(), knobs,
                                      all_knobs(implementation, set, device), problem);
  if (advice.values.empty()) return advice;

  KnobValues together = set;
  for (const auto& [knob, value] : advice.values)
    together[knob] = value;
  std::string reason;
  try {
    reason = refusal_of(together).value_or("");
  } catch (const SelectionError& error) {
    reason = error.what();
  } catch (const InputError& error) {
    reason = error.what();
  } catch (const RefusalError& error) {
    reason = error.what();
  }
  if (!reason.empty()) {
    warn_once(implementation.info().operation + "=" + implementation.info().name, reason);
    advice.values.clear();
  }
  return advice;
}

}  // namespace tessera
