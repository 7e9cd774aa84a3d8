#ifndef TESSERA_CORE_BASE_TEXT_SCANNER_HPP
#define TESSERA_CORE_BASE_TEXT_SCANNER_HPP

#include "core/base/error.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Lines and blank-separated fields of a text file in memory, with errors that carry the line
/// number.

namespace tessera {

/// Positions at which the comment character starts a comment: anywhere in a line, or only at its
/// start and after a blank.
enum class CommentStart { anywhere, behind_blank };

/// Steps through `text` line by line, and through each line field by field. Carriage returns before
/// a newline count as blanks. The last line needs no newline. The returned views are valid as long
/// as the scanner.
class TextScanner {
 public:
  /// \param file name for error messages.
  /// \param comment character that starts a comment up to the end of the line; '\0' for no
  /// comments.
  TextScanner(std::string file, std::string text, char comment,
              CommentStart start = CommentStart::anywhere);
  TextScanner(const TextScanner&) = delete;
  TextScanner& operator=(const TextScanner&) = delete;

  /// Moves to the next line; false at the end of the file.
  bool next_line();
  /// Moves to the next line that is not blank apart from comments; false at the end of the file.
  bool next_filled_line();

  /// Size of the whole text in bytes.
  [[nodiscard]] std::int64_t bytes() const { return std::ssize(text_); }

  /// Goes back to before the first line.
  void restart();

  /// Removes from the current line a comment that starts at any position, not only behind a blank.
  void cut_comment();

  /// The current line without comment and surrounding blanks.
  [[nodiscard]] std::string_view line() const { return line_; }
  /// Text behind the comment character, without surrounding blanks.
  [[nodiscard]] std::string_view comment() const { return comment_text_; }
  [[nodiscard]] std::int64_t line_number() const { return line_number_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  /// The next field of the current line; empty when there is none left.
  std::string_view next_field();
  /// The next field, without advancing.
  std::string_view peek_field();
  /// Number of fields of the current line that `next_field` has not returned yet.
  [[nodiscard]] int fields_left() const;
  /// Starts again at the first field of the current line.
  void rewind_line() { cursor_ = line_.data(); }

  /// An error at the current line, or at `line` where it is not 0.
  [[nodiscard]] InputError error(std::string field, std::string_view value,
                                 const std::string& expected, std::int64_t line = 0) const;

 private:
  void cut_comment(CommentStart from);

  std::string file_;
  std::string text_;
  char comment_;
  CommentStart comment_start_;
  const char* next_;
  const char* cursor_ = nullptr;
  std::string_view line_;
  std::string_view comment_text_;
  std::int64_t line_number_ = 0;
};

/// Parses the whole of `field` as a number. \returns false when it is no number or does not fit the
/// type. "nan" and "inf" count as numbers.
[[nodiscard]] bool parse_number(std::string_view field, double& value);
[[nodiscard]] bool parse_number(std::string_view field, std::int64_t& value);
[[nodiscard]] bool parse_number(std::string_view field, std::int32_t& value);

/// `text` without blanks at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

}  // namespace tessera

#endif  // TESSERA_CORE_BASE_TEXT_SCANNER_HPP
