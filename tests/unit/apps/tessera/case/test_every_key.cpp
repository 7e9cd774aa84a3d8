#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/apps/tessera/case/md_case.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

/// \file
/// Properties that every key of every section must have. The test reads the keys from the tables of
/// the sections, so that it also covers future sections.

namespace tessera::app {
namespace {

/// Text of a beam case with all keys that a variant `when` of a table requires.
std::string beam_base(const std::string& when, const std::string& required) {
  return "[beam]\nspecies = \"proton\"\ngamma = 2\nparticles = 1\n"
         "[bunch]\nparticles = 1\nmoments = \"deviations\"\ndeviations = [1, 1, 1, 1, 1, 1]\n"
         "[lattice]\n[[lattice.element]]\n" +
         (when.empty() ? "type = \"drift\"\nlength = 1\n" : when + "\n" + required) +
         "[space_charge]\n[snapshot]\n[openpmd]\n[run]\nturns = 1\n";
}

/// The style of a section, and the keys that its coefficients require besides their types.
struct StyleText {
  std::string style, required;
};

/// Text of a case with these styles.
std::string base(const StyleText& pair, const StyleText& bond) {
  return "[system]\nlattice = \"fcc\"\ndensity = 1\ncells = [2, 2, 2]\n"
         "type = [{name = \"A\"}]\n"
         "[pair]\ncutoff = 1\n" +
         pair.style + "\n[[pair.coefficients]]\ntypes = [1, 1]\n" + pair.required +
         "[[pair.coefficients_14]]\ntypes = [1, 1]\n" + pair.required + "[bond]\n" + bond.style +
         "\n[[bond.coefficients]]\ntype = 1\n" + bond.required +
         "[exclusions]\n[[exclusions.pairs]]\natoms = [1, 2]\n"
         "[groups]\n[[groups.group]]\nname = \"g\"\nids = [1]\n[run]\nsteps = 1\n";
}

/// Path of a key for --set; in an array of tables it is that of the first element.
std::string place(const std::string& path, const std::string& key) {
  const bool element = path.find('.') != std::string::npos;
  return (path.empty() ? "" : path + ".") + (element ? "0." : "") + key;
}

using Action = std::function<void(const cases::TableInfo&, const cases::FieldInfo&)>;
using ActionOfKind =
    std::function<void(const std::string&, const cases::TableInfo&, const cases::FieldInfo&)>;

void for_each_field(const cases::TableInfo& table, const Action& action) {
  for (const cases::FieldInfo& field : table.fields) {
    action(table, field);
    for (const cases::TableInfo& inner : field.tables)
      for_each_field(inner, action);
  }
}

void for_each_field(const ActionOfKind& action) {
  for (const std::string& kind : cases::case_registry().kinds())
    for_each_field(cases::case_registry().info(kind),
                   [&](const cases::TableInfo& table, const cases::FieldInfo& field) {
                     action(kind, table, field);
                   });
}

/// The style for a variant of a table in a section; the usual one for tables of other sections.
StyleText style_of(const std::string& section, const std::string& usual,
                   const cases::TableInfo& of) {
  const bool own = of.path.starts_with(section) && !of.when.empty();
  StyleText text{own ? of.when : "style = \"" + usual + "\"", ""};
  for_each_field(
      [&](const std::string&, const cases::TableInfo& table, const cases::FieldInfo& field) {
        if (table.path == section + ".coefficients" && table.when == text.style &&
            field.fallback == "required")
          text.required += field.name + (field.type == "text" ? " = \"a\"\n" : " = 1\n");
      });
  return text;
}

/// Keys that an element of a variant requires in addition to its type.
std::string required_of_element(const std::string& when) {
  std::string text;
  for_each_field([&](const std::string&, const cases::TableInfo& table,
                     const cases::FieldInfo& field) {
    if (table.path != "lattice.element" || table.when != when || field.fallback != "required")
      return;
    std::string value = "1";
    for (int more = 1; field.type == "36 numbers" && more < 36; ++more)
      value += ", 1";
    text += field.name + " = " + (field.type == "36 numbers" ? "[" + value + "]" : value) + "\n";
  });
  return text;
}

void check_refused(const std::string& kind, const cases::TableInfo& table, const std::string& key,
                   const std::string& value, const std::string& shown, const std::string& message) {
  const std::string& path = table.path;
  const test::TemporaryDirectory directory;
  const auto file = directory.write(
      "case.toml",
      kind == "pic" ? beam_base(table.when, required_of_element(table.when))
                    : base(style_of("pair", "lj/cut", table), style_of("bond", "harmonic", table)));
  const std::string change = place(path, key) + "=" + value;
  INFO(change);
  test::check_input_error([&] { static_cast<void>(read_case(file, {change})); },
                          {0, (path.empty() ? "" : path + ".") + key, shown, message});
}

}  // namespace

TEST_CASE("a misspelt key of any table suggests the nearest") {
  int fields = 0;
  for_each_field(
      [&](const std::string& kind, const cases::TableInfo& table, const cases::FieldInfo& field) {
        ++fields;
        check_refused(kind, table, field.name + "q", "1", "", "did you mean '" + field.name + "'?");
      });
  CHECK(fields > 45);
}

TEST_CASE("a value of another type is refused by every key") {
  for_each_field(
      [](const std::string& kind, const cases::TableInfo& table, const cases::FieldInfo& field) {
        check_refused(kind, table, field.name, "1979-05-27", "a date or time", "expected ");
      });
}

TEST_CASE("every range that the reference states is kept, and named") {
  int ranges = 0;
  for_each_field(
      [&](const std::string& kind, const cases::TableInfo& table, const cases::FieldInfo& field) {
        const bool number = field.type.starts_with("number");
        if (number)
          check_refused(kind, table, field.name, "nan", "nan", "expected a finite number");
        if (!number && !field.type.starts_with("whole number")) return;
        ++ranges;
        const auto refuses = [&](const std::string& value, const std::string& message) {
          check_refused(kind, table, field.name, value, value, message);
        };
        if (field.type.ends_with(" > 0"))
          refuses("0", "greater than zero");
        else if (field.type.ends_with(" >= 0"))
          refuses("-1", number ? "of zero or more" : "from 0 up");
        else if (field.type.ends_with(" >= 1"))
          refuses("0", "from 1 up");
        else if (field.type.ends_with(" >= -1"))
          refuses("-2", "from -1 up");
        else if (field.type.ends_with(" > 1"))
          refuses("1", "greater than 1");
        else if (field.type.ends_with(" from 1 to 3"))
          refuses("4", "from 1 to 3");
        else if (field.type.ends_with(" from 2 to 3"))
          refuses("1", "from 2 to 3");
        else if (field.type != "number")
          FAIL_CHECK("no range for " << field.name << ": " << field.type);
      });
  CHECK(ranges > 15);
}

}  // namespace tessera::app
