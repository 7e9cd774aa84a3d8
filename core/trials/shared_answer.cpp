#include "core/trials/shared_answer.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/checksum.hpp"
#include "core/base/error.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tessera {
namespace {

std::string& folder() {
  static std::string path;
  return path;
}

std::filesystem::path path_of(const std::string& key) {
  char name[64];
  std::snprintf(name, sizeof name, "%08x_%zu.answer", crc32(key), key.size());
  return std::filesystem::path(folder()) / name;
}

}  // namespace

void share_answers_in(const std::string& path) {
  folder() = path;
}

bool answers_are_shared() {
  return !folder().empty();
}

std::string find_shared_answer(const std::string& key) {
  if (!answers_are_shared()) return {};
  std::ifstream file(path_of(key), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // The stored key has to match, because different keys may have the same checksum.
  const std::string title = key + "\n";
  return bytes.starts_with(title) ? bytes.substr(title.size()) : std::string();
}

void leave_shared_answer(const std::string& key, const std::string& bytes) {
  try {
    write_file_atomically(path_of(key), key + "\n" + bytes);
  } catch (const FileError&) {
  }
}

}  // namespace tessera
