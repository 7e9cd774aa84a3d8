#include <dlfcn.h>

#include <map>
#include <memory>
#include <sstream>
#include <tessera/core/base/build_info.hpp>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/logging.hpp>
#include <tessera/core/operations/plugin_library.hpp>

namespace tessera {
namespace {

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};

std::string last_error() {
  const char* const text = dlerror();
  return text == nullptr ? "unknown reason" : text;
}

}  // namespace

void load_plugin_library(Registry& registry, const std::string& path) {
  // A bare name would be searched on the library path; a plugin is a file.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  std::unique_ptr<void, CloseLibrary> handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle) throw InputError({path, 0, "plugin", {}}, "cannot be loaded: " + last_error());
  const auto fingerprint =
      reinterpret_cast<const char* (*)()>(dlsym(handle.get(), "tessera_plugin_fingerprint"));
  const auto add =
      reinterpret_cast<void (*)(Registry*)>(dlsym(handle.get(), "tessera_plugin_register"));
  if (fingerprint == nullptr || add == nullptr)
    throw InputError({path, 0, "plugin", {}},
                     "is no plugin, expected a library made by tessera_add_plugin_library()");
  if (const std::string theirs = fingerprint(); theirs != abi_fingerprint()) {
    const auto headers =
        reinterpret_cast<const char* (*)()>(dlsym(handle.get(), "tessera_plugin_headers"));
    const std::string differ =
        headers == nullptr ? "" : headers_that_differ(contract_headers(), headers());
    throw RefusalError("plugin " + path, "it was built for '" + theirs + "', this program is '" +
                                             abi_fingerprint() + "'" +
                                             (differ.empty() ? "" : ", other headers: " + differ) +
                                             "; build it again against this installation");
  }
  // From here on the registry may hold code of the library: it is never unloaded.
  (void)handle.release();
  add(&registry);
  log_info("plugin " + path + " loaded");
}

std::string headers_that_differ(const std::string& a, const std::string& b) {
  const auto parsed = [](const std::string& text) {
    std::map<std::string, std::string> sums;
    std::istringstream words(text);
    for (std::string word; words >> word;)
      sums[word.substr(0, word.find('='))] = word;
    return sums;
  };
  const auto ours = parsed(a);
  std::map<std::string, std::string> all = parsed(b);
  for (const auto& [header, sum] : ours) {
    const auto [at, added] = all.try_emplace(header, sum);
    if (!added && at->second == sum) all.erase(at);
  }
  constexpr std::size_t most = 5;
  std::string text;
  std::size_t count = 0;
  for (const auto& [header, sum] : all)
    if (++count <= most) text += (text.empty() ? "" : ", ") + header;
  return count > most ? text + " and " + std::to_string(count - most) + " more" : text;
}

std::vector<std::string> plugin_paths(const std::string& list) {
  std::vector<std::string> paths;
  std::size_t start = 0;
  while (start < list.size()) {
    std::size_t end = list.find(':', start);
    if (end == std::string::npos) end = list.size();
    if (end > start) paths.push_back(list.substr(start, end - start));
    start = end + 1;
  }
  return paths;
}

}  // namespace tessera
