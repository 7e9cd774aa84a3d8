#include "core/case/case_registry.hpp"
#include "tests/support/input_errors.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::cases {
namespace {

using test::check_input_error;

Value value(std::variant<Value::Table, Value::Array, std::int64_t, double, bool, std::string,
                         Value::Foreign>
                content,
            std::int64_t line = 0) {
  return {std::move(content), {"c.toml", line}};
}

/// A section with every kind of field, and fields that depend on another one.
struct WallPatch {
  std::string name;
  std::array<double, 2> corner = {0, 0};

  friend bool operator==(const WallPatch&, const WallPatch&) = default;

  static Rows<WallPatch> rows() {
    using S = WallPatch;
    return {{field(&S::name, {.name = "name", .required = true}),
             field(&S::corner, {.name = "corner", .unit = "length", .range = between(-1, 1)})}};
  }
};

struct WallSection {
  std::string style = "hard";
  double height = 2.5;
  std::optional<std::int32_t> layers;
  std::vector<std::int64_t> counts;
  bool heated = false;
  double temperature = 0;
  std::map<std::string, double> numbers;
  std::vector<WallPatch> patches;

  friend bool operator==(const WallSection&, const WallSection&) = default;

  static Rows<WallSection> of_style(const std::string& style) {
    using S = WallSection;
    if (style == "hard") return {};
    return {{keyed_field(&S::numbers, RealKind{},
                         {.name = "depth", .range = positive, .meaning = "a | b"}, 4.0),
             keyed_field(&S::numbers, FlagKind{}, {.name = "sticky", .required = true})}};
  }

  static Section<WallSection> section() {
    using S = WallSection;
    Variants<S, S> styles{
        [](const S& s) { return of_style(s.style); },
        {{"style = \"hard\"", of_style("hard")}, {"style = \"soft\"", of_style("soft")}}};
    return {.name = "wall",
            .after = "run",
            .presence = Presence::optional,
            .meaning = "a wall",
            .rows = {{choice(&S::style, {"hard", "soft"}, {.name = "style"}),
                      field(&S::height, {.name = "height", .unit = "length", .range = positive}),
                      field(&S::layers, {.name = "layers", .range = between(1, 9)}),
                      field(&S::counts, {.name = "counts"}), field(&S::heated, {.name = "heated"}),
                      field(&S::temperature, {.name = "temperature",
                                              .needed = {[](const S& s) { return s.heated; },
                                                         "required with `heated = true`"},
                                              .only = {{[](const S& s) { return s.heated; },
                                                        "expected only with heated = true"}}}),
                      tables(&S::patches, {.name = "patches"})},
                     {},
                     std::make_shared<Variants<S, S>>(std::move(styles))}};
  }
};

struct RunSection {
  std::int64_t steps = 0;
  friend bool operator==(const RunSection&, const RunSection&) = default;
  static Section<RunSection> section() {
    return {.name = "run",
            .presence = Presence::required,
            .meaning = "the run",
            .rows = {{field(&RunSection::steps, {.name = "steps"})}}};
  }
};

struct BoxSection {
  std::string units = "m";
  friend bool operator==(const BoxSection&, const BoxSection&) = default;
  static Section<BoxSection> section() {
    return {.name = "", .rows = {{choice(&BoxSection::units, {"m", "cm"}, {.name = "units"})}}};
  }
};

CaseRegistry a_registry() {
  CaseRegistry registry;
  // The wall is added first: its place in the case depends on its declaration, not on this order.
  registry.add_section<WallSection>("box");
  registry.add_section<RunSection>("box");
  registry.add_section<BoxSection>("box");
  registry.add_section<RunSection>("beam");
  return registry;
}

Case read(Value::Table wall) {
  Value::Table document;
  document["run"] = value(Value::Table{}, 1);
  document["wall"] = value(std::move(wall), 2);
  return a_registry().read(value(std::move(document)), "c.toml");
}

void check_refused(Value::Table wall, const test::ExpectedError& expected) {
  check_input_error([&] { static_cast<void>(read(std::move(wall))); }, expected);
}

}  // namespace

TEST_CASE("a section is read into its struct, with the defaults of the members") {
  const Case c =
      read({{"layers", value(std::int64_t{3})},
            {"counts", value(Value::Array{value(std::int64_t{4}), value(std::int64_t{-5})})},
            {"height", value(std::int64_t{7})}});
  const WallSection& wall = c.get<WallSection>();
  CHECK(wall.style == "hard");
  CHECK(wall.height == 7.0);
  CHECK(wall.layers == 3);
  CHECK(wall.counts == std::vector<std::int64_t>{4, -5});
  CHECK(c.kind == "box");
  CHECK(c.get<BoxSection>().units == "m");
  const CaseRegistry registry = a_registry();
  const Case none = registry.read(value(Value::Table{{"run", value(Value::Table{})}}), "c.toml");
  CHECK(none.find<WallSection>() == nullptr);
  CHECK_THROWS_AS(static_cast<void>(none.get<WallSection>()), ArgumentError);
}

TEST_CASE("values outside a range and of another type name what was expected") {
  check_refused({{"height", value(0.0, 3)}},
                {3, "wall.height", "0.0",
                 "c.toml:3: wall.height = 0.0: expected a finite number "
                 "greater than zero"});
  check_refused({{"layers", value(std::int64_t{10}, 4)}},
                {4, "wall.layers", "10", "a whole number from 1 to 9"});
  check_refused({{"counts", value(Value::Array{value(1.5, 5)}, 5)}},
                {5, "wall.counts", "1.5", "a list of whole numbers"});
  check_refused({{"heated", value(std::int64_t{1}, 6)}}, {6, "wall.heated", "1", "true or false"});
  check_refused({{"style", value(std::string("sofd"), 7)}},
                {7, "wall.style", "\"sofd\"", "one of hard, soft, did you mean 'soft'?"});
  check_refused({{"patches", value(std::int64_t{1}, 8)}},
                {8, "wall.patches", "1", "tables, each under [[wall.patches]]"});
}

TEST_CASE("rules join fields") {
  check_refused({{"heated", value(true)}},
                {2, "wall.temperature", "", "missing key, expected a finite number"});
  check_refused({{"temperature", value(1.0, 3)}},
                {3, "wall.temperature", "1.0", "expected only with heated = true"});
  CHECK(
      read({{"heated", value(true)}, {"temperature", value(1.0)}}).get<WallSection>().temperature ==
      1.0);
}

TEST_CASE("fields of a style are there with the style only") {
  const Case c = read({{"style", value(std::string("soft"))}, {"sticky", value(true)}});
  const std::map<std::string, double> expected = {{"depth", 4.0}, {"sticky", 1.0}};
  CHECK(c.get<WallSection>().numbers == expected);
  check_refused({{"depth", value(1.0, 3)}}, {3, "wall.depth", "", "unknown key"});
  check_refused({{"style", value(std::string("soft"))}, {"stiky", value(true, 4)}},
                {4, "wall.stiky", "", "did you mean 'sticky'?"});
  check_refused({{"style", value(std::string("soft"))}}, {2, "wall.sticky", "", "missing key"});
  check_refused({{"style", value(std::string("soft"))}, {"sticky", value(1.0, 5)}},
                {5, "wall.sticky", "1.0", "true or false"});
}

TEST_CASE("arrays of tables are read and written") {
  const Value corner = value(Value::Array{value(0.5), value(std::int64_t{1})});
  const Value patch = value(Value::Table{{"name", value(std::string("a"))}, {"corner", corner}}, 9);
  const Case c = read({{"patches", value(Value::Array{patch})}});
  REQUIRE(c.get<WallSection>().patches.size() == 1);
  CHECK(c.get<WallSection>().patches[0].corner == std::array{0.5, 1.0});
  CHECK(a_registry().effective_toml(c) ==
        "kind = \"box\"\nprecision = \"double\"\nbackend = \"auto\"\nunits = \"m\"\n"
        "\n[run]\nsteps = 0\n"
        "\n[wall]\nstyle = \"hard\"\nheight = 2.5\nheated = false\n"
        "\n[[wall.patches]]\nname = \"a\"\ncorner = [0.5, 1.0]\n");
  const Value nameless = value(Value::Table{{"corner", corner}}, 9);
  check_refused({{"patches", value(Value::Array{patch, nameless})}},
                {9, "wall.patches.name", "", "missing key, expected a text"});
  const Value far = value(Value::Array{value(0.5), value(2.0, 11)}, 11);
  check_refused({{"patches", value(Value::Array{value(Value::Table{
                                 {"name", value(std::string("a"))}, {"corner", far}})})}},
                {11, "wall.patches.corner", "2.0", "two finite numbers from -1 to 1"});
}

TEST_CASE("a kind of cases has its own sections") {
  const CaseRegistry registry = a_registry();
  CHECK(registry.kinds() == std::vector<std::string>{"box", "beam"});
  Value::Table document = {{"run", value(Value::Table{}, 1)},
                           {"kind", value(std::string("beam"), 2)}};
  CHECK(registry.read(value(document), "c.toml").kind == "beam");
  document["units"] = value(std::string("cm"), 3);
  check_input_error([&] { static_cast<void>(registry.read(value(document), "c.toml")); },
                    {3, "units", "", "unknown key"});
  document["kind"] = value(std::string("baem"), 2);
  check_input_error([&] { static_cast<void>(registry.read(value(document), "c.toml")); },
                    {2, "kind", "\"baem\"", "did you mean 'beam'?"});
  CaseRegistry twice = a_registry();
  CHECK_THROWS_AS(twice.add_section<RunSection>("box"), ArgumentError);
}

TEST_CASE("a kind of cases says what trials start from, or that it gives nothing to them") {
  const auto source_of_box = [](const Case& c) {
    auto source = std::make_unique<TrialSource>();
    source->name = c.get<BoxSection>().units;
    return source;
  };
  CaseRegistry registry = a_registry();
  Value::Table document = {{"run", value(Value::Table{}, 1)}};
  const Case box = registry.read(value(document), "c.toml");
  check_input_error([&] { static_cast<void>(registry.trial_source(box)); },
                    {0, "kind", "box", "cases of this kind provide no state for trials"});
  registry.add_trial_source("box", source_of_box);
  CHECK(registry.trial_source(box)->name == "m");
  document["kind"] = value(std::string("beam"), 2);
  const Case beam = registry.read(value(document), "c.toml");
  check_input_error(
      [&] { static_cast<void>(registry.trial_source(beam)); },
      {0, "kind", "beam",
       "c.toml: kind = beam: cases of this kind provide no state for trials, expected "
       "one of box"});
  CHECK_THROWS_AS(registry.add_trial_source("box", source_of_box), ArgumentError);
}

TEST_CASE("the reference has a row for every field and a table for every style") {
  const std::vector<ReferenceTable> tables = reference_tables(a_registry().info("box"));
  std::vector<std::string> paths;
  for (const ReferenceTable& table : tables)
    paths.push_back(table.path);
  CHECK(paths == std::vector<std::string>{"", "run", "wall", "wall.patches"});
  CHECK(tables[0].markdown.find("| `wall` | table | | none | [a wall](#wall) |\n") !=
        std::string::npos);
  const std::string& wall = tables[2].markdown;
  CHECK(wall.find("| `height` | number > 0 | length | `2.5` |") != std::string::npos);
  CHECK(wall.find("required with `heated = true`") != std::string::npos);
  CHECK(wall.find("With `style = \"soft\"`:") != std::string::npos);
  CHECK(wall.find("| `depth` | number > 0 | | `4.0` | a \\| b |") != std::string::npos);
  CHECK(wall.find("style = \"hard\"") == std::string::npos);
  CHECK(tables[3].markdown.find("| `corner` | 2 numbers from -1 to 1 | length | `[0.0, 0.0]` |") !=
        std::string::npos);
}

}  // namespace tessera::cases
