#ifndef TESSERA_CORE_OPERATIONS_KNOB_ADVISER_HPP
#define TESSERA_CORE_OPERATIONS_KNOB_ADVISER_HPP

#include "core/memory/device.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/knobs.hpp"
#include "core/parameters/problem_key.hpp"

#include <functional>
#include <memory>
#include <vector>

/// \file
/// Whom choices ask for knob values that nobody has set: a tuner that a user has loaded into the
/// process. The backend that knows of such tuners registers the one adviser that there is.

namespace tessera {

/// What an adviser says of a plan that is about to be made.
struct KnobAdvice {
  KnobValues values = {};            ///< of the knobs that it sets to something else
  std::shared_ptr<void> scope = {};  ///< lives as long as the plan
};

class KnobAdviser {
 public:
  KnobAdviser() = default;
  virtual ~KnobAdviser() = default;
  KnobAdviser(const KnobAdviser&) = delete;
  KnobAdviser& operator=(const KnobAdviser&) = delete;

  /// Whether there is anybody to ask now.
  [[nodiscard]] virtual bool listens() const = 0;

  /// Called from any thread.
  /// \param knobs of the implementation, with the defaults that they have on the device.
  /// \param now the value that each of them has without advice.
  [[nodiscard]] virtual KnobAdvice advise(const ImplementationInfo& implementation,
                                          const std::vector<KnobInfo>& knobs, const KnobValues& now,
                                          const ProblemKey& problem) = 0;
};

/// The adviser of this process from now on; null: none.
void set_knob_adviser(std::shared_ptr<KnobAdviser> adviser);

/// Asks the adviser where one listens, the problem has a key and the implementation has knobs.
/// Values that the implementation does not take are left out, all of them, with one warning for
/// each implementation; the scope stays.
/// \param set the knob values without advice; those absent have their defaults.
/// \param refusal_of why the implementation cannot run with these knob values; may throw
///   SelectionError and InputError for values that no problem allows.
[[nodiscard]] KnobAdvice ask_knob_adviser(
    const ImplementationBase& implementation, const KnobValues& set, const ProblemKey& problem,
    const Context& context, const std::function<Refusal(const KnobValues&)>& refusal_of);

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_KNOB_ADVISER_HPP
