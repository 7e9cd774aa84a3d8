#ifndef TESSERA_CORE_TRIALS_TRIAL_LINE_HPP
#define TESSERA_CORE_TRIALS_TRIAL_LINE_HPP

#include "core/operations/registry.hpp"
#include "core/trials/timing.hpp"
#include "core/trials/trial.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

/// \file
/// A trial named by plain data, and what came of it: one line of JSON each. docs/trials.md
/// describes every field.

namespace tessera {

/// What `tessera trial` is asked for.
struct TrialSpec {
  std::string operation;  ///< full name
  std::string implementation;
  Precision precision = Precision::double_precision;
  std::string backend = "auto";  ///< that holds the arrays; auto: as open_for decides
  std::string input;  ///< of the operation, or a case file (*.toml), which has its own size
  std::int64_t size = 0;
  int device = 0;
  KnobValues knobs;
  bool check = true;
  int samples = 0;  ///< of which the median counts; 0: not timed
};

/// \param where file and line for messages.
/// \throws InputError naming the field, with the nearest name where one is misspelt: an unknown
/// field, a missing one, a wrong type, a name that this build does not know, a size that the input
/// does not have, an unknown knob.
[[nodiscard]] TrialSpec trial_spec(const Registry& registry, const std::string& line,
                                   const InputError::Where& where = {});
[[nodiscard]] std::string to_line(const TrialSpec& spec);

struct TrialReport {
  Verdict verdict;
  std::optional<Timing> timing;  ///< of what was not refused and did not fail
  Counts counts;
};

/// Reads a case file.
using TrialSourceReader = std::function<std::unique_ptr<TrialSource>(const std::string& file)>;

/// A case that poses no problem of an operation.
class NoProblemError : public InputError {
 public:
  using InputError::InputError;
};

/// The trial of an input by its name, or of the case in a file (*.toml).
/// \throws InputError for what is wrong in a case, NoProblemError when it poses no problem of the
/// operation.
[[nodiscard]] std::unique_ptr<TrialRun> make_run(const Trials& trials,
                                                 const ImplementationBase& implementation,
                                                 const Context& context, const KnobValues& knobs,
                                                 const std::string& input, std::int64_t size,
                                                 const TrialSourceReader& read_case);

/// Runs a trial in this process.
/// \throws InputError naming the knob whose value is not allowed, and for what is wrong in a case
/// or when it poses no problem of the operation.
[[nodiscard]] TrialReport run_trial(const Registry& registry, const TrialSpec& spec,
                                    const TrialSourceReader& read_case = {});
[[nodiscard]] std::string to_line(const TrialSpec& spec, const TrialReport& report);

/// The answer for a trial that could not tell its own end: `outcome` is "crashed", "timed out" or
/// "invalid". `line` is repeated as it was given.
[[nodiscard]] std::string to_line(const std::string& line, const std::string& outcome,
                                  const std::string& detail);

/// "passed", "failed", "refused", "crashed", "timed out" or "invalid".
[[nodiscard]] std::string outcome_of(const std::string& answer);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_LINE_HPP
