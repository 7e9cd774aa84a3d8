#ifndef TESSERA_CORE_CASE_WRITER_HPP
#define TESSERA_CORE_CASE_WRITER_HPP

#include <string>
#include <utility>

/// \file
/// Writes a case as TOML, which is simple enough to need no library.

namespace tessera::cases {

class Writer {
 public:
  /// \param path dotted name of the table that the next keys belong to.
  void open_table(const std::string& path) { open("\n[", path, "]\n"); }
  void open_element(const std::string& path) { open("\n[[", path, "]]\n"); }
  /// \param value in TOML syntax.
  void put(const std::string& key, const std::string& value) {
    text_ += key + " = " + value + '\n';
  }

  /// Dotted name of a key in the current table.
  [[nodiscard]] std::string dotted(const std::string& key) const {
    return path_.empty() ? key : path_ + '.' + key;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Makes an outer table current again after its inner tables are written.
  void return_to(const std::string& path) { path_ = path; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(const char* before, const std::string& path, const char* behind) {
    path_ = path;
    text_ += before + path + behind;
  }

  std::string text_;
  std::string path_;
};

}  // namespace tessera::cases

#endif  // TESSERA_CORE_CASE_WRITER_HPP
