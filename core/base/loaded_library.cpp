#include "core/base/loaded_library.hpp"

#include <dlfcn.h>
#include <utility>

namespace tessera {

LoadedLibrary::LoadedLibrary(std::string file, const std::string& missing)
    : file_(std::move(file)), handle_(dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) missing_ = missing;
}

void* LoadedLibrary::symbol(const std::string& name) {
  if (handle_ == nullptr) return nullptr;
  void* const found = dlsym(handle_, name.c_str());
  if (found == nullptr && missing_.empty()) missing_ = file_ + " has no " + name;
  return found;
}

}  // namespace tessera
