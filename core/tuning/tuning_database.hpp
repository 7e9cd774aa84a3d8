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
/// The file of tuning records: {"schema": 1, "records": [...]}. It is written atomically by rename
/// and under a lock, so that concurrent writers lose no records, and a killed writer leaves the old
/// contents.

namespace tessera {

/// Path of the user's database, or the reason why there is none.
struct TuningLocation {
  std::optional<std::filesystem::path> path;
  std::string reason;  ///< where there is no path
};

/// TESSERA_TUNING (a path, or "off"), otherwise tuning.json in the user's data folder:
/// $XDG_DATA_HOME/tessera, or $HOME/.local/share/tessera.
[[nodiscard]] TuningLocation tuning_location();

/// Contents of a database.
struct TuningContents {
  std::vector<TuningRecord> records;
  std::vector<std::string> complaints;  ///< invalid records, one line each
};

class TuningDatabase {
 public:
  static constexpr int schema = 1;

  explicit TuningDatabase(std::filesystem::path path) : path_(std::move(path)) {}

  /// Adds records to the present contents; a record replaces an earlier one for which
  /// same_subject() holds. A damaged file is renamed to <name>.damaged-<n>, with a warning.
  /// \throws FileError, with the file unchanged; InputError for a file of a newer version.
  void add(const std::vector<TuningRecord>& records) const;

  /// Removes the records for which `which` is true. \returns their number. \throws the same as
  /// add().
  std::size_t remove(const std::function<bool(const TuningRecord&)>& which) const;

  /// Empty where there is no file. Invalid records become complaints.
  /// \throws InputError for a file that cannot be read, is damaged, or was written by a newer
  /// version.
  [[nodiscard]] TuningContents read() const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  /// A record and its original text, so that records of unknown format are preserved.
  struct Entry {
    std::string text;
    std::optional<TuningRecord> record;
  };
  /// Reads, changes and writes under the lock. Writes only where `action` returns true.
  void change(const std::function<bool(std::vector<Entry>&)>& action) const;

  std::filesystem::path path_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_TUNING_TUNING_DATABASE_HPP
