#include "core/base/atomic_file.hpp"

#include "core/base/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tessera {
namespace {

constexpr std::size_t letters = 10;
constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::string_view suffix = ".part";

std::string random_letters() {
  static_assert(alphabet.size() == 32);
  std::random_device random;
  std::string text;
  for (std::size_t i = 0; i < letters; ++i)
    text += alphabet[random() % alphabet.size()];
  return text;
}

/// A part file that did not exist before. Another process may write the same file at the same time,
/// and an attacker could plant a symbolic link under a name that can be guessed.
OutputFile new_part_file(const std::filesystem::path& path) {
  for (int tries = 0;; ++tries) {
    std::filesystem::path part = path;
    part += "." + random_letters();
    part += suffix;
    try {
      return OutputFile(part, OutputFile::Mode::create);
    } catch (const FileError&) {
      std::error_code none;
      const auto there = std::filesystem::symlink_status(part, none).type();
      if (tries == 10 || there == std::filesystem::file_type::not_found) throw;
    }
  }
}

bool is_part_of(const std::string& file, const std::string& name) {
  return file.size() == name.size() + 1 + letters + suffix.size() && file.starts_with(name + ".") &&
         file.ends_with(suffix) &&
         file.find_first_not_of(alphabet, name.size() + 1) == name.size() + 1 + letters;
}

/// Makes a rename in `directory` durable. Some file systems do not support this; then only the
/// guarantee after a power failure is lost.
void synchronize_directory(std::filesystem::path directory) {
  if (directory.empty()) directory = ".";
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), file_(new_part_file(path_)) {}

AtomicFile::~AtomicFile() {
  if (!committed_) ::unlink(file_.path().c_str());
}

void AtomicFile::commit() {
  file_.synchronize();
  file_.close();
  if (::rename(file_.path().c_str(), path_.c_str()) != 0)
    throw FileError(path_.string(), "renaming", std::strerror(errno));
  committed_ = true;
  synchronize_directory(path_.parent_path());
}

void require_writable(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw FileError(path.string(), "opening for writing", "there is no such folder");
  const auto type = std::filesystem::symlink_status(path, ignored).type();
  if (type != std::filesystem::file_type::not_found && type != std::filesystem::file_type::regular)
    throw FileError(path.string(), "opening for writing", "it is not a regular file");
  const AtomicFile probe(path);
}

void remove_part_files(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::error_code ignored;
  std::vector<std::filesystem::path> parts;
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (is_part_of(entry->path().filename().string(), name)) parts.push_back(entry->path());
  }
  for (const std::filesystem::path& part : parts)
    std::filesystem::remove(part, ignored);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  AtomicFile file(path);
  file.append(text);
  file.commit();
}

}  // namespace tessera
