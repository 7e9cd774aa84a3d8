#include "apps/tessera/runs/pic/pic_output.hpp"

#include "core/case/continued_case.hpp"
#include "physics/pic/case/losses_section.hpp"
#include "physics/pic/case/open_pmd_section.hpp"
#include "physics/pic/case/restart_section.hpp"
#include "physics/pic/case/snapshot_section.hpp"
#include "physics/pic/case/statistics_section.hpp"
#include "physics/pic/case/tracking_setup.hpp"
#include "physics/pic/simulation/array_files.hpp"
#include "physics/pic/simulation/tracking_csv.hpp"

#include <algorithm>
#include <utility>

namespace tessera::command_line {

namespace {

/// Limit on the number of openPMD files, because the record of a run lists all their names.
constexpr std::size_t most_files = 1000;

std::vector<std::string> openpmd_names(const cases::Case& c, std::int64_t first_step,
                                       std::int64_t last_step) {
  const auto options = openpmd_of(c, last_step);
  if (!options) return {};
  const auto& section = c.get<pic::OpenPmdSection>();
  const auto refuse = [&](const std::string& key, const std::string& value,
                          const std::string& expected) {
    return InputError({section.origin.file, section.origin.line, key, value}, expected);
  };
  if (section.every > 0 &&
      (last_step - first_step) / section.every >= static_cast<std::int64_t>(most_files))
    throw refuse("openpmd.every", std::to_string(section.every),
                 "expected at most " + std::to_string(most_files) + " files of a run, these are " +
                     std::to_string((last_step - first_step) / section.every + 1));
  try {
    return pic::OpenPmdFiles::names(*options, first_step);
  } catch (const ArgumentError& error) {
    throw refuse("openpmd.file", section.file, error.what());
  }
}

}  // namespace

std::optional<pic::OpenPmdFilesOptions> openpmd_of(const cases::Case& c, std::int64_t last_step) {
  const auto* const section = c.find<pic::OpenPmdSection>();
  if (section == nullptr) return std::nullopt;
  return pic::OpenPmdFilesOptions{.pattern = section->file,
                                  .every = section->every,
                                  .last_step = last_step,
                                  .fields = section->fields,
                                  .snapshot = section->snapshot,
                                  .precision = c.precision};
}

std::vector<RunFile> pic_files(const cases::Case& c, std::int64_t first_step,
                               std::int64_t last_step) {
  std::vector<RunFile> files = {{"statistics.file", c.get<pic::StatisticsSection>().file},
                                {"losses.file", c.get<pic::LossesSection>().file},
                                {"restart.file", c.get<pic::RestartSection>().file}};
  if (const auto* const snapshot = c.find<pic::SnapshotSection>()) {
    files.push_back({"snapshot.bunch", snapshot->bunch});
    files.push_back({"snapshot.potential", snapshot->potential});
  }
  for (std::string& name : openpmd_names(c, first_step, last_step))
    files.push_back({"openpmd.file", std::move(name)});
  return files;
}

PicOutput::PicOutput(const cases::Case& c, const RunFolder& folder, RunStreams streams,
                     std::optional<pic::OpenPmdFilesOptions> openpmd)
    : case_(c),
      folder_(folder),
      streams_(folder.goes_on() ? std::move(streams) : RunStreams()),
      statistics_go_on_(streams_.has(c.get<pic::StatisticsSection>().file)),
      statistics_(opened(c.get<pic::StatisticsSection>().file, pic::statistics_header())),
      losses_(opened(c.get<pic::LossesSection>().file, pic::losses_header())) {
  if (const auto* const snapshot = c.find<pic::SnapshotSection>())
    snapshots_.push_back(std::make_unique<pic::ArrayFiles>(
        folder.path() / snapshot->bunch, folder.path() / snapshot->potential, snapshot->every));
  if (openpmd) {
    openpmd->pattern = folder.path() / openpmd->pattern;
    snapshots_.push_back(std::make_unique<pic::OpenPmdFiles>(*std::move(openpmd)));
  }
}

CsvFile PicOutput::opened(const std::string& name, const std::string& header) {
  const std::filesystem::path path = folder_.path() / name;
  const StreamMark mark = streams_.last(name);
  check_stream(path, mark);
  // RunFolder ensures that existing files belong to this run.
  CsvFile csv(OutputFile(path, OutputFile::Mode::append), header);
  const std::int64_t size = std::max(csv.header_size(), mark.size);
  if (csv.file().size() > size) csv.file().cut_back(size);
  streams_.add(name, {mark.step, csv.file().size()});
  return csv;
}

void PicOutput::write_statistics(const pic::StatisticsRow& row) {
  const std::string& name = case_.get<pic::StatisticsSection>().file;
  if (row.place.step <= streams_.last(name).step) return;
  statistics_.append(pic::csv_of(row));
  streams_.add(name, {row.place.step, statistics_.file().size()});
}

void PicOutput::write_losses(const std::vector<pic::Loss>& losses, std::int64_t step) {
  if (losses.empty()) return;
  std::string text;
  for (const pic::Loss& loss : losses)
    text += (text.empty() ? "" : "\n") + pic::csv_of(loss);
  losses_.append(text);
  streams_.add(case_.get<pic::LossesSection>().file, {step, losses_.file().size()});
}

std::int64_t PicOutput::steps_to_snapshot(std::int64_t step, std::int64_t otherwise) const {
  std::int64_t least = otherwise;
  for (const auto& output : snapshots_)
    least = std::min(least, output->steps_to_next(step, otherwise));
  return least;
}

void PicOutput::write_snapshots(const pic::Tracking& tracking, bool last) {
  std::optional<pic::BunchSnapshot> taken;
  for (const auto& output : snapshots_) {
    if (!output->wants(tracking.step(), last)) continue;
    if (!taken) taken = tracking.snapshot(true);
    output->write(*taken);
  }
}

std::filesystem::path PicOutput::restart_path() const {
  return folder_.path() / case_.get<pic::RestartSection>().file;
}

void PicOutput::write_restart(const pic::Tracking& tracking) {
  RestartFile file;
  file.put_text(cases::physics_field, pic::physics_of(case_));
  tracking.save(file);
  file.put_text("run.identity", folder_.identity());
  streams_.save(file, tracking.step());
  // The restart file must not outlive the rows that it refers to, so the streams are synchronized
  // first.
  statistics_.file().synchronize();
  losses_.file().synchronize();
  file.write(restart_path());
}

}  // namespace tessera::command_line
