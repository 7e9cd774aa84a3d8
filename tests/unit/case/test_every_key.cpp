#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/case/md_case.hpp"

/// \file
/// What holds for every key of every section, those of sections to come included: the keys come
/// from the tables themselves.

namespace tessera::app {
namespace {

const std::string base =
    "[system]\nlattice = \"fcc\"\ndensity = 1\ncells = [2, 2, 2]\n"
    "type = [{name = \"A\"}]\n"
    "[pair]\ncutoff = 1\n[[pair.coefficients]]\ntypes = [1, 1]\nepsilon = 1\nsigma = 1\n"
    "[run]\nsteps = 1\n";

/// Where a key of a table is set, as --set takes it: the first element of an array of tables.
std::string place(const std::string& path, const std::string& key) {
  const bool element = path.find('.') != std::string::npos;
  return (path.empty() ? "" : path + ".") + (element ? "0." : "") + key;
}

void for_each_field(
    const cases::TableInfo& table,
    const std::function<void(const std::string&, const cases::FieldInfo&)>& action) {
  for (const cases::FieldInfo& field : table.fields) {
    action(table.path, field);
    for (const cases::TableInfo& inner : field.tables)
      for_each_field(inner, action);
  }
}

void for_each_field(
    const std::function<void(const std::string&, const cases::FieldInfo&)>& action) {
  for (const std::string& kind : cases::case_registry().kinds())
    for_each_field(cases::case_registry().info(kind), action);
}

void check_refused(const std::string& path, const std::string& key, const std::string& value,
                   const std::string& shown, const std::string& message) {
  const test::TemporaryDirectory directory;
  const auto file = directory.write("case.toml", base);
  const std::string change = place(path, key) + "=" + value;
  INFO(change);
  test::check_input_error([&] { static_cast<void>(read_case(file, {change})); },
                          {0, (path.empty() ? "" : path + ".") + key, shown, message});
}

}  // namespace

TEST_CASE("a misspelt key of any table suggests the nearest") {
  int fields = 0;
  for_each_field([&](const std::string& path, const cases::FieldInfo& field) {
    ++fields;
    check_refused(path, field.name + "x", "1", "", "did you mean '" + field.name + "'?");
  });
  CHECK(fields > 45);
}

TEST_CASE("a value of another type is refused by every key") {
  for_each_field([](const std::string& path, const cases::FieldInfo& field) {
    check_refused(path, field.name, "1979-05-27", "a date or time", "expected ");
  });
}

TEST_CASE("every range that the reference states is kept, and named") {
  int ranges = 0;
  for_each_field([&](const std::string& path, const cases::FieldInfo& field) {
    const bool number = field.type.starts_with("number");
    if (number) check_refused(path, field.name, "nan", "nan", "expected a finite number");
    if (!number && !field.type.starts_with("whole number")) return;
    ++ranges;
    const auto refuses = [&](const std::string& value, const std::string& message) {
      check_refused(path, field.name, value, value, message);
    };
    if (field.type.ends_with(" > 0"))
      refuses("0", "greater than zero");
    else if (field.type.ends_with(" >= 0"))
      refuses("-1", number ? "of zero or more" : "from 0 up");
    else if (field.type.ends_with(" >= 1"))
      refuses("0", "from 1 up");
    else if (field.type.ends_with(" >= -1"))
      refuses("-2", "from -1 up");
    else
      FAIL_CHECK("no range for " << field.name << ": " << field.type);
  });
  CHECK(ranges > 15);
}

}  // namespace tessera::app
