#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <system_error>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/input_file.hpp>

namespace tessera {
namespace {

InputError unreadable(const std::filesystem::path& path, const std::string& reason) {
  return InputError({path.string(), 0, "", ""}, "cannot be read: " + reason);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw unreadable(path, std::strerror(ENOENT));
  }
  if (std::filesystem::is_directory(status)) throw unreadable(path, std::strerror(EISDIR));
  // Some devices never end.
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
  // What has no size beforehand (a pipe) or grew meanwhile comes in pieces.
  char piece[1 << 14];
  while (const std::size_t count = std::fread(piece, 1, sizeof(piece), file.get())) {
    text.append(piece, count);
  }
  if (std::ferror(file.get())) throw unreadable(path, std::strerror(errno));
  return text;
}

}  // namespace tessera
