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
/// A trial described by plain data, and its result, as one line of JSON each. docs/trials.md
/// describes every field.

namespace tessera {

/// The request of `tessera trial`.
struct TrialSpec {
  std::string operation;  ///< full name
  std::string implementation;
  Precision precision = Precision::double_precision;
  std::string backend = "auto";  ///< backend that holds the arrays; auto: see open_for
  std::string input;  ///< of the operation, or a case file (*.toml), which determines the size
  std::int64_t size = 0;
  int device = 0;
  ParameterValues parameters;
  bool check = true;
  int samples = 0;  ///< number of samples for the median; 0: not timed
};

/// \param where file and line for messages.
/// \throws InputError with the field, and the closest name for a misspelled one: an unknown field,
/// a missing field, a wrong type, a name that this build lacks, a size that the input does not
/// have, an unknown tuning parameter.
[[nodiscard]] TrialSpec trial_spec(const Registry& registry, const std::string& line,
                                   const InputError::Where& where = {});
[[nodiscard]] std::string to_line(const TrialSpec& spec);

struct TrialReport {
  Verdict verdict;
  std::optional<Timing> timing;  ///< absent where refused, failed or not requested
  Counts counts;
};

/// Reads a case file.
using TrialSourceReader = std::function<std::unique_ptr<TrialSource>(const std::string& file)>;

/// A case that poses no problem of an operation.
class NoProblemError : public InputError {
 public:
  using InputError::InputError;
};

/// The trial of an input, given by its name, or of the case in a file (*.toml).
/// \throws InputError for errors in a case, NoProblemError when the case poses no problem of the
/// operation.
[[nodiscard]] std::unique_ptr<TrialRun> make_run(const Trials& trials,
                                                 const ImplementationBase& implementation,
                                                 const Context& context,
                                                 const ParameterValues& parameters,
                                                 const std::string& input, std::int64_t size,
                                                 const TrialSourceReader& read_case);

/// Runs a trial in this process.
/// \throws InputError with the parameter whose value is not allowed, for errors in a case, or when
/// the case poses no problem of the operation.
[[nodiscard]] TrialReport run_trial(const Registry& registry, const TrialSpec& spec,
                                    const TrialSourceReader& read_case = {});
[[nodiscard]] std::string to_line(const TrialSpec& spec, const TrialReport& report);

/// The answer for a trial that could not report its own end: `outcome` is "crashed", "timed out" or
/// "invalid". The answer has the trial as `line` has it, without the defaults, or as a string if
/// `line` is not JSON.
[[nodiscard]] std::string to_line(const std::string& line, const std::string& outcome,
                                  const std::string& detail);

/// "passed", "failed", "refused", "crashed", "timed out" or "invalid".
[[nodiscard]] std::string outcome_of(const std::string& answer);

}  // namespace tessera

#endif  // TESSERA_CORE_TRIALS_TRIAL_LINE_HPP
