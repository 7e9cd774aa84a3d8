#ifndef TESSERA_CORE_BASE_LOADED_LIBRARY_HPP
#define TESSERA_CORE_BASE_LOADED_LIBRARY_HPP

#include <string>

/// \file
/// Functions of a library that is loaded when a program first needs it, and may not be there.

namespace tessera {

/// Stays loaded until the process ends.
class LoadedLibrary {
 public:
  /// \param missing what to say where the file is not found.
  LoadedLibrary(std::string file, const std::string& missing);

  /// Why nothing of it can be used, empty when it can.
  [[nodiscard]] const std::string& missing() const { return missing_; }

  /// Sets a pointer to a function; to null, with a reason in missing(), where there is none.
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
