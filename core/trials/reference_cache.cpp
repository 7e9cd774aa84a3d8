#include "core/trials/reference_cache.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace tessera {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "tessera_answers_";
constexpr std::string_view letters = "XXXXXX";  // mkdtemp replaces these

/// Whether it is an open folder of this user. Other users may create folders of the same name.
bool own_folder(const Descriptor& folder) {
  struct stat status {};
  return folder.number() >= 0 && ::fstat(folder.number(), &status) == 0 &&
         S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

/// Does not follow a symbolic link, which could lead to any folder.
Descriptor opened(const fs::path& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

void remove_left_over(const fs::path& base) {
  std::error_code ignored;
  std::vector<fs::path> named;
  for (fs::directory_iterator entry(base, ignored), end; entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && name.size() == prefix.size() + letters.size())
      named.push_back(entry->path());
  }
  for (const fs::path& path : named) {
    const Descriptor folder = opened(path);
    if (own_folder(folder) && try_lock(folder) == FileLock::held) fs::remove_all(path, ignored);
  }
}

fs::path temporary_files() {
  std::error_code error;
  const fs::path path = fs::temp_directory_path(error);
  return error ? fs::path() : path;
}

}  // namespace

ReferenceCache::ReferenceCache() : ReferenceCache(temporary_files()) {}

ReferenceCache::ReferenceCache(const fs::path& base) {
  if (base.empty()) return;
  remove_left_over(base);
  // Until this process locks the new folder, another one may remove it as left over.
  constexpr int most_tries = 10;
  for (int tries = 0; tries < most_tries; ++tries) {
    std::string path = (base / (std::string(prefix) + std::string(letters))).string();
    if (::mkdtemp(path.data()) == nullptr) return;
    Descriptor folder = opened(path);
    if (folder.number() < 0 || try_lock(folder) == FileLock::of_another) continue;
    std::error_code gone;
    if (!fs::exists(path, gone)) continue;
    lock_ = std::move(folder);
    path_ = path;
    return;
  }
}

ReferenceCache::~ReferenceCache() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace tessera
