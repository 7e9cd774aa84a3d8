#ifndef TESSERA_APPS_TESSERA_RUN_STREAMS_HPP
#define TESSERA_APPS_TESSERA_RUN_STREAMS_HPP

#include "core/state/restart_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// \file
/// How far the streams of a run had come at which step, so that a run that goes on finds its place.

namespace tessera::command_line {

/// A place in a stream.
struct StreamMark {
  std::int64_t step = -1;  ///< of the last row or frame; -1: none
  std::int64_t size = 0;   ///< bytes up to its end
};

/// Marks of the streams of one run, by the name of the file. What is put into a restart file are
/// those of its step, which after a blow-up is not the last one.
class RunStreams {
 public:
  RunStreams() = default;
  /// Of the run that goes on. \throws InputError when the file is inconsistent.
  explicit RunStreams(const RestartFile& file);

  [[nodiscard]] bool has(const std::string& name) const { return marks_.contains(name); }
  /// The last one; the beginning for a stream without any.
  [[nodiscard]] StreamMark last(const std::string& name) const;
  /// Marks must be added in the order of their steps.
  void add(const std::string& name, StreamMark mark) { marks_[name].push_back(mark); }

  void save(RestartFile& file, std::int64_t step) const;

 private:
  std::map<std::string, std::vector<StreamMark>> marks_;
};

/// Whether a stream can be cut back to `mark`: it is as long, or was moved away.
/// \throws InputError
void check_stream(const std::filesystem::path& path, const StreamMark& mark);

}  // namespace tessera::command_line

#endif  // TESSERA_APPS_TESSERA_RUN_STREAMS_HPP
