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
/// What a kind of cases gives to `tessera run`. A kind has a folder `runs/<kind>/` with a header
/// `<kind>_run.hpp` that declares
///
///     std::unique_ptr<CaseRun> make_<kind>_run(const cases::Case&);
///
/// in this namespace; the table of them is generated from the folders.

namespace tessera::command_line {

/// How a run ended.
struct RunResult {
  std::string status = "completed";  ///< or "stopped"
  std::string error;                 ///< why it stopped
  int exit_code = 0;
  std::int64_t steps = 0;  ///< done in this run
  double seconds = 0;      ///< for the steps, output included
};

/// A run of one case: made from it without a device, started on one, opened where it writes, and
/// then asked for steps.
class CaseRun {
 public:
  CaseRun() = default;
  CaseRun(const CaseRun&) = delete;
  CaseRun& operator=(const CaseRun&) = delete;
  virtual ~CaseRun() = default;

  /// Files that were read, but for the case: first the restart file that the run goes on from.
  [[nodiscard]] virtual const std::vector<cases::InputFile>& inputs() const = 0;
  /// Null where it goes on from none; not asked for any more once the run was started.
  [[nodiscard]] virtual const RestartFile* continued() const = 0;
  /// Files that the run writes, but for its summary.
  [[nodiscard]] virtual std::vector<RunFile> outputs() const = 0;

  /// Brings what is simulated to the device. \throws InputError for what is wrong in the case.
  virtual void start(const Context& context, bool exact_timings) = 0;
  /// Opens the streams; without them steps write nothing, and nothing may be recorded.
  /// \param streams where those of the run that goes on had come to.
  virtual void open(const RunFolder& folder, RunStreams streams) = 0;

  /// Of this run.
  [[nodiscard]] virtual std::int64_t steps() const = 0;
  [[nodiscard]] virtual std::int64_t steps_done() const = 0;
  /// The number of the step, which goes on from run to run.
  [[nodiscard]] virtual std::int64_t step() const = 0;
  /// Until something has to be written for which the run stands still.
  [[nodiscard]] virtual std::int64_t steps_to_output() const = 0;

  /// \param stop asked now and then; steps may end early where it says true.
  virtual void advance(std::int64_t steps, const std::function<bool()>& stop,
                       const RunScreen& screen) = 0;
  /// Writes and shows what is due now; called before the first step and after each advance().
  /// \param early the run ends here, before its last step: a restart file is due.
  virtual void record(bool early, const RunScreen& screen) = 0;
  /// Why the run stops, in words; may save what there is to save.
  [[nodiscard]] virtual std::string failure(const Error& error);
  /// The option with which another run goes on from the restart file.
  [[nodiscard]] virtual std::string restart_option() const = 0;
  virtual void reset_timings() = 0;
  /// Times of the operations, by their names and by those of their parts.
  [[nodiscard]] virtual std::vector<OperationTime> timings() const = 0;

  /// Everything about a finished run.
  [[nodiscard]] virtual nlohmann::ordered_json summary(const RunResult& result) const = 0;
  /// What the terminal shows before the first row and behind the last.
  virtual void print_start() const = 0;
  virtual void print_end(const RunResult& result) const = 0;
};

/// Who runs the cases of a kind.
using MakeCaseRun = std::unique_ptr<CaseRun> (*)(const cases::Case&);
/// By kind. Declared here, generated at configure time.
[[nodiscard]] const std::map<std::string, MakeCaseRun>& case_runs();

/// \throws InputError where nobody runs cases of this kind, and for everything that is wrong in the
///         case or in the files that it names.
[[nodiscard]] std::unique_ptr<CaseRun> make_case_run(const cases::Case& c);

/// What an action finds wrong is in the case, not in the run. \throws InputError that names it.
void blame_case(const cases::Case& c, const std::function<void()>& action);

/// Steps from `step` to the next multiple of `every`; `otherwise` when there is no such interval.
[[nodiscard]] std::int64_t steps_to_next(std::int64_t step, std::int64_t every,
                                         std::int64_t otherwise);
[[nodiscard]] bool is_due(std::int64_t step, std::int64_t every);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_CASE_RUN_HPP
