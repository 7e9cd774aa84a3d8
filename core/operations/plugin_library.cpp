#include "core/operations/plugin_library.hpp"

#include "core/base/build_info.hpp"
#include "core/base/error.hpp"
#include "core/base/logging.hpp"
#include "core/operations/plugin_file.hpp"

#include <dlfcn.h>
#include <map>
#include <memory>
#include <sstream>

namespace tessera {
namespace {

struct CloseLibrary {
  void operator()(void* handle) const { dlclose(handle); }
};

/// The last error of the loader, with the path of the plugin in place of the name of the open file.
std::string last_error(const PluginFile& file, const std::string& path) {
  const char* const said = dlerror();
  std::string text = said == nullptr ? "unknown reason" : said;
  const std::string open_file = file.name_of_open_file();
  if (const std::size_t at = text.find(open_file); at != std::string::npos)
    text.replace(at, open_file.size(), path);
  if (text.find("undefined symbol") != std::string::npos &&
      text.find("tessera") != std::string::npos)
    text +=
        "; a program that loads plugins has to export the library's symbols: "
        "tessera_export_to_plugins(<target>) in its CMakeLists.txt";
  return text;
}

void require_same_contract(const PluginFile& file, const std::string& path) {
  if (file.fingerprint() == abi_fingerprint()) return;
  const std::string differ = headers_that_differ(contract_headers(), file.headers());
  throw RefusalError("plugin " + path, "it was built for '" + file.fingerprint() +
                                           "', this program is '" + abi_fingerprint() + "'" +
                                           (differ.empty() ? "" : ", other headers: " + differ) +
                                           "; build it again against this installation");
}

}  // namespace

void load_plugin_library(Registry& registry, const std::string& path) {
  PluginFile file(path);
  require_same_contract(file, path);
  std::unique_ptr<void, CloseLibrary> handle(
      dlopen(file.name_of_open_file().c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!handle)
    throw InputError({path, 0, "plugin", {}}, "cannot be loaded: " + last_error(file, path));
  const auto add =
      reinterpret_cast<void (*)(Registry*)>(dlsym(handle.get(), "tessera_plugin_register"));
  if (add == nullptr)
    throw InputError({path, 0, "plugin", {}},
                     "is not a plugin, expected a library made by tessera_add_plugin_library()");
  // From here on the registry may refer to code of the library, so the library is never unloaded.
  (void)handle.release();
  file.stay_open();
  registry.add_from(path, [add](Registry& r) { add(&r); });
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
