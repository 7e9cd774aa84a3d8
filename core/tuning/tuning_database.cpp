#include "core/tuning/tuning_database.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/input_file.hpp"
#include "core/base/locked_file.hpp"
#include "core/base/logging.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>

namespace tessera {
namespace {

using nlohmann::ordered_json;

// A process that writes many records releases the lock only briefly between them, so a waiting
// process polls it often.
constexpr std::chrono::seconds longest_wait{60};
constexpr std::chrono::milliseconds pause{1};

/// Limit on the nesting of JSON; a record needs four levels. Printing a value recurses.
constexpr int deepest_nesting = 64;

/// A file that is no database of this schema.
class Damaged : public InputError {
  using InputError::InputError;
};

/// The records of a file as text. \throws Damaged; InputError for a newer schema.
std::vector<std::string> records_in(const std::string& file, const std::string& text) {
  bool too_deep = false;
  const auto look = [&](int depth, ordered_json::parse_event_t, ordered_json&) {
    too_deep = too_deep || depth > deepest_nesting;
    return !too_deep;
  };
  const ordered_json value = ordered_json::parse(text, look, false);
  if (too_deep || value.is_discarded() || !value.is_object())
    throw Damaged({file, 0, {}, {}}, "the tuning database is damaged, it is not a JSON object");
  if (!value.contains("schema") || !value["schema"].is_number_integer() ||
      value["schema"].get<std::int64_t>() < 1)
    throw Damaged({file, 0, "schema", {}}, "the tuning database is damaged, it has no schema");
  if (value["schema"].get<std::int64_t>() > TuningDatabase::schema)
    throw InputError({file, 0, "schema", value["schema"].dump()},
                     "expected " + std::to_string(TuningDatabase::schema) +
                         ", the tuning database was written by a later program");
  if (!value.contains("records") || !value["records"].is_array())
    throw Damaged({file, 0, "records", {}}, "the tuning database is damaged, it has no records");
  std::vector<std::string> texts;
  for (const ordered_json& record : value["records"])
    texts.push_back(record.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
  return texts;
}

/// One line per record, so that files can be compared by line.
template <class Entries>
std::string text_of(const Entries& entries) {
  std::string text =
      "{\n\"schema\": " + std::to_string(TuningDatabase::schema) + ",\n\"records\": [";
  const char* separator = "\n";
  for (const auto& entry : entries) {
    text += separator + entry.text;
    separator = ",\n";
  }
  return text + "\n]\n}\n";
}

std::filesystem::path beside(const std::filesystem::path& path, const std::string& ending) {
  std::filesystem::path other = path;
  other += ending;
  return other;
}

/// Waits for other writers. \throws FileError
LockedFile locked(const std::filesystem::path& path) {
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  for (;;) {
    LockedFile file(path);
    if (file.lock() == LockedFile::Lock::unsupported) {
      static const bool told = [&] {
        log_warning(path.string() +
                    ": this file system has no locks; only one process at a time may write there");
        return true;
      }();
      static_cast<void>(told);
      return file;
    }
    if (file.lock() == LockedFile::Lock::held) return file;
    if (std::chrono::steady_clock::now() > end)
      throw FileError(path.string(), "locking", "other processes have held it for 60 s");
    std::this_thread::sleep_for(pause);
  }
}

/// The target of symbolic links, because a rename would replace the link.
std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(path, error);
  return error ? path : target;
}

void set_aside(const std::filesystem::path& path, const std::string& reason) {
  std::filesystem::path to;
  for (int n = 1; to.empty() || std::filesystem::exists(std::filesystem::symlink_status(to)); ++n)
    to = beside(path, ".damaged-" + std::to_string(n));
  std::error_code error;
  std::filesystem::rename(path, to, error);
  if (error) throw FileError(path.string(), "renaming", error.message());
  log_warning(reason + "; it is kept as " + to.string());
}

std::optional<TuningRecord> understood(const std::string& text) {
  try {
    return tuning_record(text);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

TuningLocation tuning_location() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string given = variable("TESSERA_TUNING");
  if (given == "off") return {{}, "TESSERA_TUNING is off"};
  if (!given.empty()) return {given, {}};
  const std::filesystem::path below = std::filesystem::path("tessera") / "tuning.json";
  // The XDG specification requires absolute paths and ignores others.
  if (const std::filesystem::path data = variable("XDG_DATA_HOME"); data.is_absolute())
    return {data / below, {}};
  if (const std::filesystem::path home = variable("HOME"); home.is_absolute())
    return {home / ".local" / "share" / below, {}};
  return {{}, "neither TESSERA_TUNING nor HOME names a folder for it"};
}

void TuningDatabase::change(const std::function<bool(std::vector<Entry>&)>& action) const {
  const std::filesystem::path path = resolved(path_);
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) throw FileError(path.parent_path().string(), "making", error.message());
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw FileError(path.string(), "opening for writing", "it is not a regular file");
  const LockedFile lock = locked(beside(path, ".lock"));
  if (lock.lock() == LockedFile::Lock::held) remove_part_files(path);
  std::vector<Entry> entries;
  if (std::filesystem::exists(path, error)) {
    std::string text;
    try {
      text = read_file(path);
    } catch (const InputError& unreadable) {
      throw FileError(path.string(), "reading", unreadable.expected());
    }
    try {
      for (std::string& record : records_in(path.string(), text)) {
        std::optional<TuningRecord> read = understood(record);
        entries.push_back({std::move(record), std::move(read)});
      }
    } catch (const Damaged& damaged) {
      set_aside(path, damaged.what());
    }
  }
  if (action(entries)) write_file_atomically(path, text_of(entries));
}

void TuningDatabase::add(const std::vector<TuningRecord>& records) const {
  change([&](std::vector<Entry>& entries) {
    for (const TuningRecord& record : records) {
      std::erase_if(entries, [&](const Entry& entry) {
        return entry.record && same_subject(*entry.record, record);
      });
      entries.push_back({to_json(record), record});
    }
    return !records.empty();
  });
}

std::size_t TuningDatabase::remove(const std::function<bool(const TuningRecord&)>& which) const {
  std::size_t removed = 0;
  change([&](std::vector<Entry>& entries) {
    removed = std::erase_if(
        entries, [&](const Entry& entry) { return entry.record && which(*entry.record); });
    return removed > 0;
  });
  return removed;
}

TuningContents TuningDatabase::read() const {
  TuningContents contents;
  std::error_code error;
  if (std::filesystem::status(path_, error).type() == std::filesystem::file_type::not_found)
    return contents;
  const std::vector<std::string> texts = records_in(path_.string(), read_file(path_));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      contents.records.push_back(
          tuning_record(texts[i], {path_.string(), 0, "records[" + std::to_string(i) + "]", {}}));
    } catch (const InputError& wrong) {
      contents.complaints.emplace_back(wrong.what());
    }
  }
  return contents;
}

}  // namespace tessera
