#include "core/base/error.hpp"
#include "core/base/printable.hpp"
#include "core/base/shortest_number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

namespace tessera {

TEST_CASE("printable text stays as it is") {
  CHECK(printable("") == "");
  CHECK(printable("a path/with blanks \\ and \"quotes\"") ==
        "a path/with blanks \\ and \"quotes\"");
  CHECK(printable("\u00e9\u03c3\u6f22\U0001f600") == "\u00e9\u03c3\u6f22\U0001f600");
}

TEST_CASE("control characters and bytes that are not UTF-8 are escaped") {
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable(std::string("\0\x1b[31m\x7f", 7)) == "\\x00\\x1b[31m\\x7f");
  CHECK(printable("\xc2\x85 \xe2\x80\xa8 \xe2\x80\xae \xe2\x81\xa6") ==
        "\\xc2\\x85 \\xe2\\x80\\xa8 \\xe2\\x80\\xae \\xe2\\x81\\xa6");
  // An overlong encoding, a surrogate, code points beyond the last, a truncated sequence, a lone
  // continuation byte.
  for (const char* text : {"\xc0\xaf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xf5\x80\x80\x80", "\xe2\x82", "\x80"}) {
    for (const char c : printable(text))
      CHECK(static_cast<unsigned char>(c) < 0x80);
  }
}

TEST_CASE("long text is cut between characters") {
  const std::string exact(200, 'x');
  CHECK(printable(exact) == exact);
  CHECK(printable(exact + "y") == exact + "... (201 bytes)");
  CHECK(printable("\u03c3\u03c3\u03c3", 2) == "\u03c3\u03c3... (6 bytes)");
}

TEST_CASE("messages are one line of bounded length, their data are whole") {
  const std::string value = std::string(100000, 'v') + '\n';
  const InputError input({"file\n.toml", 3, std::string(5000, 'k'), value}, "expected\nless");
  CHECK(input.where().value == value);
  const std::string text = input.what();
  CHECK(text.starts_with("file\\n.toml:3: kkk"));
  CHECK(text.ends_with("vvv... (100001 bytes): expected\\nless"));
  CHECK(text.size() < 600);
  const SelectionError selection("operation", value, {"sum"});
  CHECK(std::string(selection.what()).size() < 400);
  CHECK(std::string(Error(value).what()).size() < 4100);
  CHECK(nearest(std::string(100000, 's'), {std::string(99999, 's')}).empty());
}

TEST_CASE("numbers in messages have few digits") {
  CHECK(rounded_number(2.5) == "2.5");
  CHECK(rounded_number(0) == "0");
  CHECK(rounded_number(8.39798126) == "8.397981");
  CHECK(rounded_number(1e308) == "1e+308");
  CHECK(rounded_number(-std::numeric_limits<double>::infinity()) == "-inf");
  CHECK(rounded_number(std::nan("")) == "nan");
}

}  // namespace tessera
