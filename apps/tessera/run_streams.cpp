#include "apps/tessera/run_streams.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <sstream>

namespace tessera::command_line {

RunStreams::RunStreams(const RestartFile& file) {
  if (!file.has("run.streams.names")) return;
  const auto sizes = file.get<std::int64_t>("run.streams.sizes");
  const auto steps = file.get<std::int64_t>("run.streams.steps", std::ssize(sizes));
  std::istringstream names(file.text("run.streams.names"));
  std::string name;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!std::getline(names, name) || sizes[i] < 0 || steps[i] < -1)
      throw file.error("run.streams.names", "the restart file is inconsistent");
    add(name, {steps[i], sizes[i]});
  }
}

StreamMark RunStreams::last(const std::string& name) const {
  const auto found = marks_.find(name);
  return found == marks_.end() ? StreamMark{} : found->second.back();
}

void RunStreams::save(RestartFile& file, std::int64_t step) const {
  std::string names;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> steps;
  for (const auto& [name, marks] : marks_) {
    // Goes back to the last mark not after `step`. The first mark is the beginning of the stream.
    auto mark = marks.end() - 1;
    while (mark != marks.begin() && mark->step > step)
      --mark;
    names += name + '\n';
    sizes.push_back(mark->size);
    steps.push_back(mark->step);
  }
  file.put_text("run.streams.names", names);
  file.put<std::int64_t>("run.streams.sizes", std::span<const std::int64_t>(sizes));
  file.put<std::int64_t>("run.streams.steps", std::span<const std::int64_t>(steps));
}

void check_stream(const std::filesystem::path& path, const StreamMark& mark) {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(path, missing);
  if (missing || size >= static_cast<std::uintmax_t>(mark.size)) return;
  throw InputError({path.string(), 0, {}, {}},
                   fmt::format("it has {} bytes and had {} when the restart file was written; "
                               "expected the file as the run left it, or none",
                               size, mark.size));
}

}  // namespace tessera::command_line
