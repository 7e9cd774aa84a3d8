#ifndef TESSERA_CORE_BASE_LOADED_LIBRARY_HPP
#define TESSERA_CORE_BASE_LOADED_LIBRARY_HPP

#include <string>

/// \file
/// Functions of a shared library that is loaded on first use and may be missing.

namespace tessera {

/// A shared library that stays loaded until the process ends.
class LoadedLibrary {
 public:
  /// \param missing is the reason to report where the file is not found.
  LoadedLibrary(std::string file, const std::string& missing);

  /// Reason why the library cannot be used; empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }

  /// Sets a pointer to a function of the library. Where the library lacks the function, sets it to
  /// null and adds a reason to missing().
  template <class Function>
  void find(Function& function, const std::string& name) {
    function = reinterpret_cast<Function>(symbol(name));
  }

 private:
  [[nodiscard]] void* symbol(const std::string& name);

  std::string file_;
  std::string missing_;
  void* handle_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_LOADED_LIBRARY_HPP
