#ifndef TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP
#define TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP

#include <string>

/// \file
/// The file of a plugin, checked before any of its code runs.

namespace tessera {

/// Opens the file, checks whether it can be trusted and reads its note. A plugin carries the
/// fingerprint of the contract that it was built for as an ELF note (cmake/plugin_entry.cpp.in).
///
/// The checked file is the loaded file, because both accesses use one descriptor: the path cannot
/// be redirected to another file in between. A library that is loaded from a descriptor does not
/// know its own folder, so it finds its dependencies by absolute paths, not by $ORIGIN.
///
/// A world-writable file is refused, because any user could have put code into it. The owner of the
/// file may be any user: on shared machines other users install software, and naming a file means
/// to trust its owner.
class PluginFile {
 public:
  /// \throws InputError when the file cannot be opened, or is no library or no plugin; RefusalError
  /// when it is world-writable.
  explicit PluginFile(const std::string& path);
  ~PluginFile();
  PluginFile(const PluginFile&) = delete;
  PluginFile& operator=(const PluginFile&) = delete;

  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  [[nodiscard]] const std::string& headers() const { return headers_; }
  /// Path under which the open file can be loaded while it is open.
  [[nodiscard]] std::string name_of_open_file() const;
  /// Keeps the file open until the process ends. The loader recognizes libraries by path, and
  /// another file could reuse the path of a closed descriptor.
  void stay_open() { descriptor_to_close_ = -1; }

 private:
  int descriptor_;
  int descriptor_to_close_;
  std::string fingerprint_;
  std::string headers_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP
