#include "core/base/input_file.hpp"

#include "core/base/error.hpp"
#include "core/base/printable.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <system_error>
#include <vector>

namespace tessera {
namespace {

InputError unreadable(const std::filesystem::path& path, const std::string& reason) {
  return InputError({path.string(), 0, "", ""}, "cannot be read: " + reason);
}

/// Names of regular files in the folder of `path`, at most `most`, as candidates for a suggestion.
std::vector<std::string> names_beside(const std::filesystem::path& path) {
  constexpr std::size_t most = 10000;
  const std::filesystem::path folder = path.parent_path();
  std::vector<std::string> names;
  std::error_code failure;
  std::filesystem::directory_iterator at(folder.empty() ? "." : folder, failure);
  for (; !failure && at != std::filesystem::directory_iterator() && names.size() < most;
       at.increment(failure))
    if (std::error_code ignored; at->is_regular_file(ignored))
      names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::string similar_file(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  std::vector<std::string> stems;  // stems of files with the same extension
  std::string found;
  for (const std::string& name : names_beside(path)) {
    const std::filesystem::path other(name);
    if (found.empty() && other.stem() == path.stem()) found = name;
    if (other.extension() == path.extension()) stems.push_back(other.stem().string());
  }
  if (const std::string near = found.empty() ? nearest(stem, stems) : ""; !near.empty())
    found = near + path.extension().string();
  if (found.empty()) return {};
  return ", did you mean '" + printable((path.parent_path() / found).string()) + "'?";
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw unreadable(path, std::strerror(ENOENT) + similar_file(path));
  }
  if (std::filesystem::is_directory(status)) throw unreadable(path, std::strerror(EISDIR));
  // A device such as /dev/zero has no end of file, and reading it would not return.
  if (std::filesystem::is_character_file(status)) throw unreadable(path, "Is a device");
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw unreadable(path, std::strerror(errno));

  std::string text;
  const auto expected = std::filesystem::file_size(path, failure);
  try {
    if (!failure) text.resize(expected);
  } catch (const std::exception&) {
    throw unreadable(path, "its " + std::to_string(expected) + " bytes exceed the memory");
  }
  std::size_t used = failure ? 0 : std::fread(text.data(), 1, text.size(), file.get());
  text.resize(used);
  // Pipes have no size, and a file may have grown meanwhile: the rest is read in chunks.
  char piece[1 << 14];
  while (const std::size_t count = std::fread(piece, 1, sizeof(piece), file.get())) {
    text.append(piece, count);
  }
  if (std::ferror(file.get())) throw unreadable(path, std::strerror(errno));
  return text;
}

}  // namespace tessera
