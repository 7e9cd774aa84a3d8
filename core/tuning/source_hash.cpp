#include "core/tuning/source_hash.hpp"

#include "core/base/error.hpp"
#include "core/base/input_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>

namespace tessera {

namespace generated {
/// Digests by name: "core", "module md", "backend cuda", "plugin md/pair_force=cuda.list".
const std::map<std::string, std::string>& source_digests();
}  // namespace generated

namespace {

/// 64-bit FNV-1a. It distinguishes versions and need not resist attacks.
std::string digest(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; hash >>= 4)
    text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

/// Digest of the file of a loaded plugin, read once.
std::string digest_of_file(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(path);
  if (found != known.end()) return found->second;
  std::string text = "unreadable";
  try {
    text = digest(read_file(path));
  } catch (const InputError&) {
    // "unreadable" differs from every digest that was recorded while the file existed.
  }
  return known[path] = text;
}

}  // namespace

std::string source_hash(const ImplementationInfo& info) {
  const auto& digests = generated::source_digests();
  const std::string module = info.operation.substr(0, info.operation.find('/'));
  std::string text;
  for (const std::string& group :
       {std::string("core"), "module " + module, "backend " + info.backend,
        "plugin " + info.operation + "=" + info.name})
    if (const auto found = digests.find(group); found != digests.end())
      text += group + " " + found->second + "\n";
  std::error_code ignored;
  if (std::filesystem::is_regular_file(info.origin, ignored)) text += digest_of_file(info.origin);
  return digest(text);
}

}  // namespace tessera
