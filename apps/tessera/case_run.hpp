#ifndef TESSERA_APPS_TESSERA_CASE_RUN_HPP
#define TESSERA_APPS_TESSERA_CASE_RUN_HPP

#include "apps/tessera/run_folder.hpp"
#include "apps/tessera/run_screen.hpp"
#include "apps/tessera/run_streams.hpp"
#include "core/base/error.hpp"
#include "core/case/case.hpp"
#include "core/memory/device.hpp"
#include "core/state/operation_timer.hpp"
#include "core/state/restart_file.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Interface of a kind of cases to `tessera run`. A kind has a folder `runs/<kind>/` with a header
/// `<kind>_run.hpp` that declares
///
///     std::unique_ptr<CaseRun> make_<kind>_run(const cases::Case&);
///
/// in this namespace. The table of these functions, case_runs(), is generated from the folders.

namespace tessera::command_line {

/// Outcome of a run.
struct RunResult {
  std::string status = "completed";  ///< or "stopped"
  std::string error;                 ///< reason of the stop
  int exit_code = 0;
  std::int64_t steps = 0;  ///< steps done in this run
  double seconds = 0;      ///< time of the steps, output included
};

/// A run of one case. The calls are, in this order: construction without a device, start() on a
/// device, open() in the output folder, then record() and advance() in turn.
class CaseRun {
 public:
  CaseRun() = default;
  CaseRun(const CaseRun&) = delete;
  CaseRun& operator=(const CaseRun&) = delete;
  virtual ~CaseRun() = default;

  /// Files that were read, except the case; the first is the restart file that the run continues.
  [[nodiscard]] virtual const std::vector<cases::InputFile>& inputs() const = 0;
  /// Null where the run continues no restart file; not called after start().
  [[nodiscard]] virtual const RestartFile* continued() const = 0;
  /// Files that the run writes, except its summary.
  [[nodiscard]] virtual std::vector<RunFile> outputs() const = 0;

  /// Copies the system to the device. \throws InputError for an error in the case.
  virtual void start(const Context& context, bool exact_timings) = 0;
  /// Opens the streams; without this call steps write nothing and record() must not be called.
  /// \param streams positions of the streams at the end of the run that is continued.
  virtual void open(const RunFolder& folder, RunStreams streams) = 0;

  /// Steps of this run: in total, and done so far.
  [[nodiscard]] virtual std::int64_t steps() const = 0;
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  /// Step number, which continues from run to run.
  [[nodiscard]] virtual std::int64_t step() const = 0;
  /// Number of steps until record() has to write the next output.
  [[nodiscard]] virtual std::int64_t steps_to_output() const = 0;

  /// \param stop called from time to time; where it returns true, advance() may end before `steps`
  /// steps.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop,
                       const RunScreen& screen) = 0;
  /// Writes and shows the output that is due; called before the first step and after each
  /// advance().
  /// \param early the run ends here, before its last step, so that a restart file is due.
  virtual void record(bool early, const RunScreen& screen) = 0;
  /// Reason of the stop, in words; may save remaining data.
  [[nodiscard]] virtual std::string failure(const Error& error);
  /// The option with which another run continues from the restart file.
  [[nodiscard]] virtual std::string restart_option() const = 0;
  virtual void reset_timings() = 0;
  /// Times of the operations and of their parts; the name of a part is that of the operation with a
  /// remark, as in "md/pair_force (prepare)".
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;

  /// Summary of a finished run.
  [[nodiscard]] virtual nlohmann::ordered_json summary(const RunResult& result) const = 0;
  /// Terminal output before the first row and after the last one.
  virtual void print_start() const = 0;
  virtual void print_end(const RunResult& result) const = 0;
};

/// Factory of the runs of a kind of cases.
using MakeCaseRun = std::unique_ptr<CaseRun> (*)(const cases::Case&);
/// Factories by the name of the kind. The definition is generated at configure time.
[[nodiscard]] const std::map<std::string, MakeCaseRun>& case_runs();

/// \throws InputError for an unknown kind, and for every error in the case or in the files that it
///         names.
[[nodiscard]] std::unique_ptr<CaseRun> make_case_run(const cases::Case& c);

/// Converts errors of an action to errors of the case. \throws InputError with the file of the
/// case.
void blame_case(const cases::Case& c, const std::function<void()>& action);

/// Steps from `step` to the next multiple of `every`; `otherwise` when there is no such interval.
[[nodiscard]] std::int64_t steps_to_next(std::int64_t step, std::int64_t every,
                                         std::int64_t otherwise);
[[nodiscard]] bool is_due(std::int64_t step, std::int64_t every);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CASE_RUN_HPP
