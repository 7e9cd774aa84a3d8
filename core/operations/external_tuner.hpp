#ifndef TESSERA_CORE_OPERATIONS_EXTERNAL_TUNER_HPP
#define TESSERA_CORE_OPERATIONS_EXTERNAL_TUNER_HPP

#include "core/memory/device.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "core/parameters/tuning_parameter.hpp"

#include <functional>
#include <memory>
#include <vector>

/// \file
/// Interface to a tuning tool that a user has loaded into the process. It is asked for the values
/// of parameters that the choices do not set. A process has one external tuner at most, which the
/// backend that supports such tools registers.

namespace tessera {

/// Advice for a plan that is about to be made.
struct TunerAdvice {
  ParameterValues values = {};       ///< only the parameters that the tool changes
  std::shared_ptr<void> scope = {};  ///< kept alive by the plan
};

class ExternalTuner {
 public:
  ExternalTuner() = default;
  virtual ~ExternalTuner() = default;
  ExternalTuner(const ExternalTuner&) = delete;
  ExternalTuner& operator=(const ExternalTuner&) = delete;

  /// Whether a tool is ready to give advice.
  [[nodiscard]] virtual bool is_active() const = 0;

  /// May be called from any thread.
  /// \param parameters tuning parameters of the implementation, with their defaults on the device.
  /// \param now values of all of them without advice.
  [[nodiscard]] virtual TunerAdvice request_values(const ImplementationInfo& implementation,
                                                   const std::vector<ParameterInfo>& parameters,
                                                   const ParameterValues& now,
                                                   const ProblemKey& problem) = 0;
};

/// Sets the external tuner of this process; null removes it.
void set_external_tuner(std::shared_ptr<ExternalTuner> external_tuner);

/// Asks the external tuner where it is active, the problem has a key and the implementation has
/// tuning parameters. If the implementation refuses the advised values, all of them are dropped,
/// with one warning per implementation; the scope stays.
/// \param set values without advice; absent ones have their defaults.
/// \param refusal_of reason why the implementation cannot run with the given values; may throw
/// SelectionError and InputError for values that no problem allows.
[[nodiscard]] TunerAdvice ask_external_tuner(
    const ImplementationBase& implementation, const ParameterValues& set, const ProblemKey& problem,
    const Context& context, const std::function<Refusal(const ParameterValues&)>& refusal_of);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_EXTERNAL_TUNER_HPP
