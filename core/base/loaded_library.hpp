#ifndef TESSERA_CORE_BASE_LOADED_LIBRARY_HPP
#define TESSERA_CORE_BASE_LOADED_LIBRARY_HPP

#include <string>

/// \file
/// Functions of a shared library that is loaded on first use and may be missing.

namespace tessera {

/// A shared library that stays loaded until the process ends.
class LoadedLibrary {
 public:
  /// \param missing the reason that missing() returns where the file is not found.
  LoadedLibrary(std::string file, const std::string& missing);

  /// Reason why the library cannot be used; empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }

  /// Sets `pointer` to the address of the function or variable `name`, or to null where the library
  /// lacks it. missing() then names the first such symbol.
  template <class Pointer>
  void find(Pointer& pointer, const std::string& name) {
    pointer = reinterpret_cast<Pointer>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const std::string& name);

  std::string file_;
  std::string missing_;
  void* handle_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOADED_LIBRARY_HPP
