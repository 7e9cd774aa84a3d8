#ifndef TESSERA_APPS_TESSERA_RUNS_PIC_PIC_OUTPUT_HPP
#define TESSERA_APPS_TESSERA_RUNS_PIC_PIC_OUTPUT_HPP

#include "apps/tessera/case_run.hpp"
#include "core/base/csv_file.hpp"
#include "core/case/case.hpp"
#include "physics/pic/simulation/openpmd_files.hpp"
#include "physics/pic/simulation/tracking.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Output of a run of a beam: statistics, losses, snapshots of the bunch, restart files.

namespace tessera::command_line {

/// The output files of one run. They are opened after the bunch was copied to the device, so that
/// bad input leaves no files.
class PicOutput {
 public:
  /// A run that continues in its folder truncates the streams at the positions in its restart file.
  /// \throws FileError; InputError when the streams are shorter than the restart file says.
  /// \param openpmd options of openPMD files, where the case has them.
  PicOutput(const cases::Case& c, const RunFolder& folder, RunStreams streams,
            std::optional<pic::OpenPmdFilesOptions> openpmd);

  /// Writes a row. Rows up to the last mark of their stream exist already and are skipped.
  void write_statistics(const pic::StatisticsRow& row);
  [[nodiscard]] bool statistics_go_on() const { return statistics_go_on_; }
  void write_losses(const std::vector<pic::Loss>& losses, std::int64_t step);

  /// Steps to the next snapshot; `otherwise` where no output has snapshots at intervals.
  [[nodiscard]] std::int64_t steps_to_snapshot(std::int64_t step, std::int64_t otherwise) const;
  /// Writes the bunch to every kind of snapshot that is due.
  void write_snapshots(const pic::Tracking& tracking, bool last);

  /// The file appears atomically.
  void write_restart(const pic::Tracking& tracking);
  [[nodiscard]] std::filesystem::path restart_path() const;

 private:
  [[nodiscard]] CsvFile opened(const std::string& name, const std::string& header);

  const cases::Case& case_;
  const RunFolder& folder_;
  RunStreams streams_;
  bool statistics_go_on_;
  CsvFile statistics_;
  CsvFile losses_;
  std::vector<std::unique_ptr<pic::BunchOutput>> snapshots_;
};

/// Options of the openPMD files of a run that ends after `last_step`, relative to its folder;
/// nullopt where the case has no such table.
[[nodiscard]] std::optional<pic::OpenPmdFilesOptions> openpmd_of(const cases::Case& c,
                                                                 std::int64_t last_step);

/// Files that a run of this case writes, except its summary.
/// \throws InputError for invalid names of openPMD files, or too many of them.
[[nodiscard]] std::vector<RunFile> pic_files(const cases::Case& c, std::int64_t first_step,
                                             std::int64_t last_step);

struct PicResult : RunResult {
  pic::StatisticsRow first;
  pic::StatisticsRow last;
};

[[nodiscard]] nlohmann::ordered_json pic_summary(const cases::Case& c, const Context& context,
                                                 const pic::Tracking& tracking,
                                                 const PicResult& result);

/// Prints the tables of the terminal.
void print_pic_start(const cases::Case& c, const Context& context, const pic::Tracking& tracking);
void print_statistics_titles();
void print_statistics(const pic::StatisticsRow& row);
void print_pic_end(const pic::Tracking& tracking, const RunResult& result);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUNS_PIC_PIC_OUTPUT_HPP
