#ifndef TESSERA_APPS_TESSERA_RUN_STREAMS_HPP
#define TESSERA_APPS_TESSERA_RUN_STREAMS_HPP

#include "core/state/restart_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// \file
/// Sizes of the streams (files to which a run appends) by step, so that a continued run knows the
/// position at which to continue them.

namespace tessera::command_line {

/// A position in a stream.
struct StreamMark {
  std::int64_t step = -1;  ///< step of the last row or frame; -1: none
  std::int64_t size = 0;   ///< bytes up to its end
};

/// Marks of the streams of one run, by file name. A restart file gets the marks of its step, which
/// after a blow-up is not the last one.
class RunStreams {
 public:
  RunStreams() = default;
  /// Marks of the run that is continued. \throws InputError when the file is inconsistent.
  explicit RunStreams(const RestartFile& file);

  [[nodiscard]] bool has(const std::string& name) const { return marks_.contains(name); }
  /// Last mark; the beginning for a stream without marks.
  [[nodiscard]] StreamMark last(const std::string& name) const;
  /// Marks must be added in the order of their steps.
  void add(const std::string& name, StreamMark mark) { marks_[name].push_back(mark); }

  void save(RestartFile& file, std::int64_t step) const;

 private:
  std::map<std::string, std::vector<StreamMark>> marks_;
};

/// Checks that a stream can be truncated at `mark`: it is at least as long, or does not exist.
/// \throws InputError
void check_stream(const std::filesystem::path& path, const StreamMark& mark);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_STREAMS_HPP
