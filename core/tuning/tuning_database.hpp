#ifndef TESSERA_CORE_TUNING_TUNING_DATABASE_HPP
#define TESSERA_CORE_TUNING_TUNING_DATABASE_HPP

#include "core/tuning/tuning_record.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// \file
/// The file in which tuning records live: {"schema": 1, "records": [...]}. Written whole by rename
/// under a lock, so that several writers lose nothing and one that is killed leaves what was there.

namespace tessera {

/// Where the user's database is, or why there is none.
struct TuningLocation {
  std::optional<std::filesystem::path> path;
  std::string reason;  ///< where there is no path
};

/// TESSERA_TUNING (a path, or "off"), else tuning.json in the folder of the user's data:
/// $XDG_DATA_HOME/tessera, or $HOME/.local/share/tessera.
[[nodiscard]] TuningLocation tuning_location();

/// What a database holds.
struct TuningContents {
  std::vector<TuningRecord> records;
  std::vector<std::string> complaints;  ///< records that are none, each in one line
};

class TuningDatabase {
 public:
  static constexpr int schema = 1;

  explicit TuningDatabase(std::filesystem::path path) : path_(std::move(path)) {}

  /// Adds records to what is there at that moment; one of the same subject replaces the former. A
  /// damaged file is set aside as <name>.damaged-<n>, with a warning.
  /// \throws FileError, after which the file is as it was; InputError for a file that a later
  /// program wrote.
  void add(const std::vector<TuningRecord>& records) const;

  /// Takes out the records of which `which` says so. \returns how many. \throws as add().
  std::size_t remove(const std::function<bool(const TuningRecord&)>& which) const;

  /// Empty where there is no file.
  /// \throws InputError for a file that cannot be read, is damaged, or was written by a later
  /// program. What is wrong with a record is a complaint.
  [[nodiscard]] TuningContents read() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  /// A record and the text that it came as: one that this program does not understand stays.
  struct Entry {
    std::string text;
    std::optional<TuningRecord> record;
  };
  /// Reads, changes and writes under the lock; `action` says whether there is anything to write.
  void change(const std::function<bool(std::vector<Entry>&)>& action) const;

  std::filesystem::path path_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_DATABASE_HPP
