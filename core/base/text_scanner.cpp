#include "core/base/text_scanner.hpp"

#include "core/base/trimmed.hpp"

#include <charconv>
#include <cstring>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

template <typename Number>
bool parse_whole(std::string_view field, Number& value) {
  const char* first = field.data();
  const char* last = first + field.size();
  // from_chars does not accept a plus sign.
  if (field.size() > 1 && *first == '+' && first[1] != '-') ++first;
  const auto [end, failure] = std::from_chars(first, last, value);
  return failure == std::errc() && end == last && first != last;
}

}  // namespace

TextScanner::TextScanner(std::string file, std::string text, char comment, CommentStart start)
    : file_(std::move(file)),
      text_(std::move(text)),
      comment_(comment),
      comment_start_(start),
      next_(text_.data()) {}

bool TextScanner::next_line() {
  const char* last = text_.data() + text_.size();
  if (next_ == last) return false;
  const char* first = next_;
  const auto* newline =
      static_cast<const char*>(std::memchr(first, '\n', static_cast<std::size_t>(last - first)));
  const char* end = newline ? newline : last;
  next_ = newline ? newline + 1 : last;
  ++line_number_;
  line_ = {first, static_cast<std::size_t>(end - first)};
  comment_text_ = {};
  cut_comment(comment_start_);
  return true;
}

void TextScanner::cut_comment() {
  cut_comment(CommentStart::anywhere);
}

void TextScanner::cut_comment(CommentStart from) {
  std::size_t start = comment_ == '\0' ? std::string_view::npos : line_.find(comment_);
  while (from == CommentStart::behind_blank && start != std::string_view::npos && start > 0 &&
         !is_blank(line_[start - 1]))
    start = line_.find(comment_, start + 1);
  if (start != std::string_view::npos) {
    comment_text_ = trim(line_.substr(start + 1));
    line_ = line_.substr(0, start);
  }
  line_ = trim(line_);
  cursor_ = line_.data();
}

bool TextScanner::next_filled_line() {
  while (next_line()) {
    if (!line_.empty()) return true;
  }
  return false;
}

void TextScanner::restart() {
  next_ = text_.data();
  line_ = {};
  comment_text_ = {};
  cursor_ = nullptr;
  line_number_ = 0;
}

std::string_view TextScanner::next_field() {
  const char* last = line_.data() + line_.size();
  while (cursor_ != last && is_blank(*cursor_))
    ++cursor_;
  const char* first = cursor_;
  while (cursor_ != last && !is_blank(*cursor_))
    ++cursor_;
  return {first, static_cast<std::size_t>(cursor_ - first)};
}

std::string_view TextScanner::peek_field() {
  const char* const here = cursor_;
  const std::string_view field = next_field();
  cursor_ = here;
  return field;
}

int TextScanner::fields_left() const {
  const char* last = line_.data() + line_.size();
  int count = 0;
  bool inside = false;
  for (const char* c = cursor_; c != last; ++c) {
    const bool filled = !is_blank(*c);
    if (filled && !inside) ++count;
    inside = filled;
  }
  return count;
}

InputError TextScanner::error(std::string field, std::string_view value,
                              const std::string& expected, std::int64_t line) const {
  return {{file_, line > 0 ? line : line_number_, std::move(field), std::string(value)}, expected};
}

bool parse_number(std::string_view field, double& value) {
  return parse_whole(field, value);
}
bool parse_number(std::string_view field, std::int64_t& value) {
  return parse_whole(field, value);
}
bool parse_number(std::string_view field, std::int32_t& value) {
  return parse_whole(field, value);
}

std::string_view trim(std::string_view text) {
  return trimmed(text, " \t\r\v\f");
}

}  // namespace tessera
