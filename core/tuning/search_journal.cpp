#include "core/tuning/search_journal.hpp"

#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/tuning/problem_key_json.hpp"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view journal_ending = ".json";
constexpr std::size_t digits = 8;

/// Name of a journal. It includes the build, because the candidates of another build differ.
std::string name_of(const Landscape& l) {
  // Includes the problem, because an edited case keeps its name.
  std::string identity = l.operation + "|" + l.precision + "|" + l.input + "|" + l.device + "|" +
                         l.backend + "|" + l.build + "|" + problem_key_as_json(l.key).dump();
  for (const Candidate& c : l.candidates)
    identity += "|" + to_string(c);
  char text[digits + 1];
  std::snprintf(text, sizeof text, "%08x", crc32(identity));
  return std::string(text) + std::string(journal_ending);
}

/// Whether it is the name of a journal, or of its part file from an interrupted write.
bool is_name(std::string_view name) {
  return name.size() >= digits + journal_ending.size() &&
         name.substr(0, digits).find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         name.substr(digits, journal_ending.size()) == journal_ending;
}

/// A file of this user that is too old for its search to be continued.
bool is_old(const fs::path& path) {
  constexpr std::time_t days = 30;
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_uid == ::geteuid() && status.st_mtime < std::time(nullptr) - days * 24 * 3600;
}

/// Whether this build can continue from the journal.
bool is_of(const fs::path& path, const std::string& build) {
  if (path.extension() != journal_ending) return false;
  try {
    return read_landscape(path).build == build;
  } catch (const InputError&) {
    return false;
  }
}

void remove_old(const fs::path& folder, const std::string& build) {
  std::error_code ignored;
  std::vector<fs::path> old;
  for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
    if (is_name(entry->path().filename().string()) && is_old(entry->path()) &&
        !is_of(entry->path(), build))
      old.push_back(entry->path());
  for (const fs::path& path : old)
    fs::remove(path, ignored);
}

}  // namespace

SearchJournal::SearchJournal(const std::optional<fs::path>& database, const Landscape& search)
    : candidates_(search.candidates) {
  if (!database) return;
  const fs::path folder = database->string() + ".searches";
  std::error_code error;
  fs::create_directories(folder, error);
  path_ = folder / name_of(search);
  lock_.emplace(folder / "lock");
  if (lock_->lock() == LockedFile::Lock::held) remove_old(folder, search.build);
  // A search that removes old files holds the lock exclusively for a short time.
  for (int tries = 0; tries < 100 && !lock_->share(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

Measured SearchJournal::former() const {
  std::error_code error;
  if (path_.empty() || !fs::exists(path_, error)) return {};
  try {
    const Landscape before = read_landscape(path_);
    if (before.candidates == candidates_) return before.measured();
  } catch (const InputError& unreadable) {
    log_warning(std::string("the search starts anew: ") + unreadable.what());
  }
  return {};
}

void SearchJournal::keep(const Landscape& search) const {
  if (!path_.empty()) write_landscape(search, path_);
}

void SearchJournal::remove() const {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
}

}  // namespace tessera
