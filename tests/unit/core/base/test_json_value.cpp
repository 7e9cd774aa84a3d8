#include "core/base/json_value.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace tessera {
namespace {

using nlohmann::ordered_json;

const InputError::Where document_place{"a.json", 7, {}, {}};

TEST_CASE("values of JSON are read by name and type") {
  const ordered_json json = parse_json(
      R"({"text": "a\u00e9", "flag": false, "half": 0.5, "none": 0, "all": 9223372036854775807,
          "list": [[1, 2], []], "inner": {"b": 1, "a": 2}, "null": null})",
      3);
  const JsonValue value(json, document_place);
  CHECK(value.at("text").text() == "a\u00e9");
  CHECK_FALSE(value.at("flag").flag());
  CHECK(value.at("half").number() == 0.5);
  CHECK(value.at("none").number() == 0);
  CHECK(value.at("all").count<std::int64_t>() == std::numeric_limits<std::int64_t>::max());
  CHECK(value.at("all").count<std::uint64_t>() == 9223372036854775807u);
  CHECK(value.at("list").items().size() == 2);
  CHECK(value.at("list").at(0).at(1).count<int>() == 2);
  CHECK(value.at("list").at(1).items().empty());
  CHECK(value.at("inner").names() == std::vector<std::string>{"b", "a"});
  CHECK(value.at("null").json().is_null());
  CHECK(value.at("null").is_there());
  CHECK_FALSE(value.at("nothing").is_there());
  CHECK_FALSE(value.at("list").at(2).is_there());
}

TEST_CASE("errors in JSON name file and field") {
  const ordered_json json = parse_json(
      R"({"list": [{"name": 7}], "text": "7", "below": -1, "half": 0.5, "many": 2147483648,
          "huge": 18446744073709551615, "null": null})",
      3);
  const JsonValue value(json, document_place);
  const auto refused = [](const auto& read, const InputError::Where& where, const char* expected) {
    try {
      static_cast<void>(read());
      FAIL_CHECK("nothing was thrown");
    } catch (const InputError& error) {
      CHECK(error.where().file == "a.json");
      CHECK(error.where().line == 7);
      CHECK(error.where().field == where.field);
      CHECK(error.where().value == where.value);
      CHECK(error.expected() == expected);
    }
  };
  const auto at = [](const char* field, const char* given) {
    return InputError::Where{{}, 0, field, given};
  };
  const JsonValue one = value.at("list").at(0);
  refused([&] { return one.at("name").text(); }, at("list[0].name", "7"), "expected a text");
  refused([&] { return one.at("size").text(); }, at("list[0].size", ""), "is missing");
  refused([&] { return one.at("size").at("x").text(); }, at("list[0].size", ""), "is missing");
  refused([&] { return one.text(); }, at("list[0]", "{\"name\":7}"), "expected a text");
  refused([&] { return value.at("list").at(1).text(); }, at("list[1]", ""), "is missing");
  refused([&] { return value.at("list").at("x"); }, at("list", ""), "expected an object");
  refused([&] { return value.at("list").names(); }, at("list", ""), "expected an object");
  refused([&] { return value.items(); }, at("", ""), "expected a list");
  refused([&] { return value.at("text").number(); }, at("text", "\"7\""),
          "expected a finite number of 0 or more");
  refused([&] { return value.at("below").number(); }, at("below", "-1"),
          "expected a finite number of 0 or more");
  refused([&] { return value.at("null").number(); }, at("null", "null"),
          "expected a finite number of 0 or more");
  refused([&] { return value.at("text").flag(); }, at("text", "\"7\""), "expected true or false");
  const char* const whole = "expected a whole number, 0 or more";
  for (const char* name : {"text", "below", "half", "huge", "null"})
    refused([&] { return value.at(name).count<std::int64_t>(); },
            at(name, json[name].dump().c_str()), whole);
  refused([&] { return value.at("many").count<int>(); }, at("many", "2147483648"),
          "expected a whole number from 0 to 2147483647");
  refused(
      [&] {
        return value.at("text").read([]() -> int { throw InputError({{}, 0, "x", "v"}, "more"); });
      },
      at("text", "v"), "more");
  refused(
      [&] {
        value.require_known({"list", "text", "below", "half", "huge", "null", "mane"});
        return 0;
      },
      at("many", ""),
      "unknown field 'many', did you mean 'mane'? (candidates: list, text, below, half, huge, "
      "null, mane)");
}

TEST_CASE("what is no JSON, or goes too deep, is refused as a whole") {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("[[[[1]]]]"), std::string(100000, '['),
        std::string("[1e400]"), std::string("[NaN]"), std::string("{\"a\": 1}{}")}) {
    CAPTURE(text.substr(0, 20));
    const ordered_json json = parse_json(text, 3);
    CHECK(json.is_discarded());
    CHECK_THROWS_AS((void)JsonValue(json, document_place).at("a"), InputError);
  }
  CHECK(parse_json("[[[1]]]", 3).is_array());
}

}  // namespace
}  // namespace tessera
