#ifndef TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP
#define TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP

#include <string>

/// \file
/// The file of a plugin, before any of its code runs.

namespace tessera {

/// Opens it, judges whether it can be trusted and reads its note: a plugin carries the fingerprint
/// of what it was built for as an ELF note (cmake/plugin_entry.cpp.in).
///
/// What is judged is what is loaded: both go through one descriptor, so that nobody can put another
/// file under the name in between. A library that runs from a descriptor does not know its own
/// folder: what it needs besides is found by absolute paths, not by $ORIGIN.
///
/// A file that anyone can write to is refused, because nobody knows whose code it holds. Its owner
/// may be anybody: on shared machines others install software, and who names the file trusts them.
class PluginFile {
 public:
  /// \throws InputError when it cannot be opened, is no library or no plugin; RefusalError when
  /// everybody may write to it.
  explicit PluginFile(const std::string& path);
  ~PluginFile();
  PluginFile(const PluginFile&) = delete;
  PluginFile& operator=(const PluginFile&) = delete;

  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }
  [[nodiscard]] const std::string& headers() const { return headers_; }
  /// The name under which the open file can be loaded, as long as it is open.
  [[nodiscard]] std::string name_of_open_file() const;
  /// Leaves it open until the process ends: another file of the same name would be taken for it.
  void stay_open() { descriptor_to_close_ = -1; }

 private:
  int descriptor_;
  int descriptor_to_close_;
  std::string fingerprint_;
  std::string headers_;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_PLUGIN_FILE_HPP
