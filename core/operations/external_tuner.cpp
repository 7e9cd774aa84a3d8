#include "core/operations/external_tuner.hpp"

#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/operations/all_parameters.hpp"

#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace tessera {
namespace {

struct Registered {
  std::mutex mutex;
  std::shared_ptr<ExternalTuner> external_tuner;
};

Registered& registered() {
  static Registered one;
  return one;
}

std::shared_ptr<ExternalTuner> current() {
  const std::lock_guard lock(registered().mutex);
  return registered().external_tuner;
}

void warn_once(const std::string& implementation, const std::string& reason) {
  static std::mutex mutex;
  static std::set<std::string> told;
  const std::lock_guard lock(mutex);
  if (told.insert(implementation).second)
    log_warning("parameters that a tuning tool sets for " + implementation +
                " are ignored: " + reason);
}

}  // namespace

void set_external_tuner(std::shared_ptr<ExternalTuner> external_tuner) {
  const std::lock_guard lock(registered().mutex);
  registered().external_tuner = std::move(external_tuner);
}

TunerAdvice ask_external_tuner(const ImplementationBase& implementation, const ParameterValues& set,
                               const ProblemKey& problem, const Context& context,
                               const std::function<Refusal(const ParameterValues&)>& refusal_of) {
  const std::shared_ptr<ExternalTuner> external_tuner = current();
  if (!external_tuner || problem == ProblemKey{} || !external_tuner->is_active()) return {};
  const DeviceProperties& device = context.opened().properties();
  const std::vector<ParameterInfo> parameters = implementation.parameters_on(device);
  if (parameters.empty()) return {};
  TunerAdvice advice = external_tuner->request_values(
      implementation.info(), parameters, all_parameters(implementation, set, device), problem);
  if (advice.values.empty()) return advice;

  ParameterValues together = set;
  for (const auto& [parameter, value] : advice.values)
    together[parameter] = value;
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
