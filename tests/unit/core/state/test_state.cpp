#include "core/base/checksum.hpp"
#include "core/base/error.hpp"
#include "core/operations/registry.hpp"
#include "core/state/columns.hpp"
#include "core/state/restart_file.hpp"
#include "core/state/rollback.hpp"
#include "core/state/step_clock.hpp"
#include "tests/support/input_errors.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace tessera {
namespace {

using test::check_input_error;
using test::TemporaryDirectory;

constexpr ColumnUse kept{.saved = true, .rollback = true};

std::vector<double> ramp(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = std::sin(1.0 + static_cast<double>(i));
  return values;
}

TEST_CASE("columns hold what they were declared with, ghosts apart") {
  Columns columns(registry().open("serial"), 5, 3);
  const std::vector<double> values = ramp(15);
  const auto filled = columns.declare<double>("x", 3, kept, values);
  const auto empty = columns.declare<std::int64_t>("n", 1, {});
  CHECK(columns.owned() == 5);
  CHECK(columns.ghosts() == 3);
  CHECK(columns.to_host(filled) == values);
  CHECK(columns.to_host(empty) == std::vector<std::int64_t>(5, 0));
  CHECK(columns.rows(filled).extent(0) == 5);
  CHECK(columns.rows(filled)(4, 2) == values[14]);
  CHECK(columns.info(filled.index).type == ElementType::float64);
  CHECK(columns.names() == std::vector<std::string>{"x", "n"});
  CHECK(std::get<0>(columns.host_column(columns.find("x")).values) == values);
  CHECK(columns.host_column(filled.index).components == 3);
  CHECK(std::get<1>(columns.host_column(1).values) == std::vector<std::int64_t>(5, 0));
  const auto single = columns.declare<float>("f", 1, {}, std::vector<float>(5, 0.1F));
  CHECK(std::get<0>(columns.host_column(single.index).values) ==
        std::vector<double>(5, double{0.1F}));
  CHECK_THROWS_AS((void)columns.find("m"), SelectionError);
  CHECK_THROWS_AS(columns.declare<float>("x", 1, {}), ArgumentError);
  CHECK_THROWS_AS(columns.declare<double>("y", 2, {}, values), ArgumentError);
}

TEST_CASE("columns by component lie so on the device, and row after row on the host and in files") {
  const TemporaryDirectory directory;
  const std::vector<double> values = ramp(12);
  ColumnUse use = kept;
  use.by_component = true;
  {
    Columns columns(registry().open("serial"), 4);
    const auto turned = columns.declare<double>("x", 3, use, values);
    CHECK(columns.to_host(turned) == values);
    CHECK(columns.rows(turned)(1, 2) == values[5]);
    CHECK(static_cast<const double*>(columns.data(turned.index))[2 * 4 + 1] == values[5]);
    const std::vector<std::uint8_t> flags = {1, 0, 1, 1};
    columns.declare<std::uint8_t>("alive", 1, kept, flags);
    CHECK(std::get<1>(columns.host_column(1).values) == std::vector<std::int64_t>{1, 0, 1, 1});
    Rollback rollback(columns);
    rollback.take(columns);
    columns.rows(turned)(1, 2) = 7;
    CHECK(rollback.rows(columns, turned)(1, 2) == values[5]);
    rollback.restore(columns);
    CHECK(columns.to_host(turned) == values);
    RestartFile file;
    save(columns, file);
    file.write(directory / "r");
  }
  const RestartFile file = RestartFile::read(directory / "r");
  CHECK(file.get<double>("x", 4, 3) == values);
  Columns columns(registry().open("serial"), 4);
  const auto turned = columns.declare<double>("x", 3, use);
  const auto alive = columns.declare<std::uint8_t>("alive", 1, kept);
  load(file, columns);
  CHECK(columns.to_host(turned) == values);
  CHECK(columns.to_host(alive) == std::vector<std::uint8_t>{1, 0, 1, 1});
  Columns with_ghosts(registry().open("serial"), 4, 1);
  CHECK_THROWS_AS(with_ghosts.declare<double>("x", 3, use), ArgumentError);
}

TEST_CASE("columns keep the values of their first rows when the number of rows changes") {
  ColumnUse by_component = kept;
  by_component.by_component = true;
  const std::vector<double> values = ramp(12);
  Columns columns(registry().open("serial"), 4);
  const auto rows = columns.declare<double>("x", 3, kept, values);
  const auto turned = columns.declare<double>("y", 3, by_component, values);
  const auto single = columns.declare<float>("f", 1, {}, std::vector<float>{1, 2, 3, 4});
  const auto small =
      columns.declare<std::int32_t>("i", 2, {}, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8});
  const auto large =
      columns.declare<std::int64_t>("id", 1, {}, std::vector<std::int64_t>{9, 8, 7, 6});
  const auto flag =
      columns.declare<std::uint8_t>("b", 1, {}, std::vector<std::uint8_t>{1, 0, 1, 1});
  const auto first = [](auto all, std::size_t count) {
    all.resize(count);
    return all;
  };

  columns.set_rows(6, 0);
  CHECK(columns.owned() == 6);
  CHECK(columns.to_host(rows) == first(values, 18));
  CHECK(columns.to_host(turned) == first(values, 18));
  CHECK(columns.rows(turned)(3, 2) == values[11]);
  CHECK(columns.to_host(single) == std::vector<float>{1, 2, 3, 4, 0, 0});
  CHECK(columns.to_host(small) == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0});
  CHECK(columns.to_host(large) == std::vector<std::int64_t>{9, 8, 7, 6, 0, 0});
  CHECK(columns.to_host(flag) == std::vector<std::uint8_t>{1, 0, 1, 1, 0, 0});

  columns.set_rows(2, 0);
  CHECK(columns.to_host(rows) == first(values, 6));
  CHECK(columns.to_host(turned) == first(values, 6));
  CHECK(columns.to_host(large) == std::vector<std::int64_t>{9, 8});
  columns.set_rows(0, 0);
  CHECK(columns.to_host(turned).empty());
  columns.set_rows(1, 0);
  CHECK(columns.to_host(rows) == std::vector<double>(3, 0));

  // Ghosts become owned rows, and nothing changes where the new numbers are refused.
  Columns part(registry().open("serial"), 2, 1);
  const auto x = part.declare<double>("x", 1, kept, std::vector<double>{1, 2});
  static_cast<double*>(part.data(x.index))[2] = 3;
  part.set_rows(3, 2);
  CHECK(part.to_host(x) == std::vector<double>{1, 2, 3});
  CHECK(part.ghosts() == 2);
  CHECK_THROWS_AS(part.set_rows(-1, 0), ArgumentError);
  CHECK_THROWS_AS(part.set_rows(1, -1), ArgumentError);
  CHECK_THROWS_AS(columns.set_rows(1, 1), ArgumentError);
  CHECK(part.to_host(x) == std::vector<double>{1, 2, 3});
  CHECK(columns.ghosts() == 0);
}

TEST_CASE("a rollback brings back every column that asked for it, and no other") {
  Columns columns(registry().open("serial"), 4);
  const std::vector<double> values = ramp(12);
  const auto moving = columns.declare<double>("moving", 3, kept, values);
  const auto counted =
      columns.declare<std::int32_t>("counted", 1, {.saved = false, .rollback = true});
  const auto loose = columns.declare<double>("loose", 1, {.saved = true, .rollback = false});
  Rollback rollback(columns);
  rollback.take(columns);
  for (std::int64_t i = 0; i < 4; ++i) {
    columns.rows(moving)(i, 0) = NAN;
    columns.values(counted)(i) = 7;
    columns.values(loose)(i) = 7;
  }
  CHECK(rollback.rows(columns, moving)(3, 0) == values[9]);
  rollback.restore(columns);
  CHECK(columns.to_host(moving) == values);
  CHECK(columns.to_host(counted) == std::vector<std::int32_t>(4, 0));
  CHECK(columns.to_host(loose) == std::vector<double>(4, 7));
}

TEST_CASE("time has the same bits in a run and in one that continues it") {
  StepClock through(0.1);
  for (int i = 0; i < 1000; ++i)
    through.advance();
  RestartFile file;
  save(through, file);
  const TemporaryDirectory directory;
  file.write(directory / "r");
  StepClock continued = load_clock(RestartFile::read(directory / "r"));
  for (int i = 0; i < 777; ++i) {
    through.advance();
    continued.advance();
  }
  CHECK(continued.step() == 1777);
  CHECK(std::bit_cast<std::uint64_t>(continued.time()) ==
        std::bit_cast<std::uint64_t>(through.time()));
  // A clock that restarts at the saved time would give other bits.
  CHECK(through.time() == 1777 * 0.1);
  const StepClock faster = through.with_time_step(0.25);
  CHECK(faster.time() == through.time());
  CHECK(faster.time_step() == 0.25);
}

TEST_CASE("a restart file carries saved columns, scalars and text through both real types") {
  const TemporaryDirectory directory;
  const std::vector<double> values = {1.5, -0.0, 1e-3, 4};
  {
    Columns columns(registry().open("serial"), 4);
    columns.declare<double>("x", 1, kept, values);
    columns.declare<double>("scratch", 1, {});
    RestartScalars scalars;
    scalars.put("bath.heat", 0.1);
    scalars.put("bath.draws", std::int64_t{1} << 40);
    RestartFile file;
    file.put_text("units", "lj");
    save(columns, file);
    save(scalars, file);
    CHECK_THROWS_AS(file.put("x", 1.0), ArgumentError);
    file.write(directory / "r");
  }
  const RestartFile file = RestartFile::read(directory / "r");
  CHECK(file.text("units") == "lj");
  CHECK_FALSE(file.has("scratch"));
  Columns columns(registry().open("serial"), 4);
  const auto narrow = columns.declare<float>("x", 1, kept);
  const auto other = columns.declare<double>("other", 1, kept);
  load(file, columns);
  CHECK(columns.to_host(narrow) == std::vector<float>(values.begin(), values.end()));
  CHECK(columns.to_host(other) == std::vector<double>(4, 0));
  const RestartScalars scalars = load_scalars(file);
  CHECK(scalars.get<double>("bath.heat") == 0.1);
  CHECK(scalars.get<std::int64_t>("bath.draws") == std::int64_t{1} << 40);
  CHECK_FALSE(scalars.get<double>("bath.draws").has_value());
  CHECK_FALSE(scalars.get<double>("heat").has_value());
}

TEST_CASE(
    "numbers of a restart file are finite, also in single precision, and each field comes once") {
  const TemporaryDirectory directory;
  const auto read = [&](const RestartFile& made) {
    made.write(directory / "r");
    return RestartFile::read(directory / "r");
  };
  for (const double bad : {1e300, std::nan(""), std::numeric_limits<double>::infinity()}) {
    RestartFile made;
    made.put("x", bad);
    const RestartFile file = read(made);
    Columns columns(registry().open("serial"), 1);
    columns.declare<float>("x", 1, kept);
    check_input_error(
        [&] { load(file, columns); },
        {0, "x", "",
         bad == 1e300 ? "beyond the range of single precision" : "expected finite numbers"});
  }
  RestartFile twice;
  twice.put("a", 1.0);
  twice.put("b", 1.0);
  twice.write(directory / "r");
  std::string bytes = directory.read("r");
  bytes[bytes.rfind('b')] = 'a';
  const std::uint32_t sum = crc32(std::string_view(bytes).substr(32));
  std::memcpy(bytes.data() + 24, &sum, sizeof(sum));
  check_input_error([&] { (void)RestartFile::read(directory.write("t", bytes)); },
                    {0, "a", "", "the field occurs twice"});
}

TEST_CASE("columns that are never read are known") {
  const TemporaryDirectory directory;
  RestartFile made;
  for (const char* name : {"x", "y"})
    made.put<double>(name, std::span<const double>(ramp(3)));
  made.put("single", 1.0);
  made.put_text("text", "abc");
  made.write(directory / "r");
  const RestartFile file = RestartFile::read(directory / "r");
  CHECK(file.columns_not_taken(3) == std::vector<std::string>{"x", "y"});
  (void)file.get<double>("x");
  CHECK(file.columns_not_taken(3) == std::vector<std::string>{"y"});
}

TEST_CASE("a field that is missing or has another type or shape is named with its file") {
  const TemporaryDirectory directory;
  RestartFile made;
  made.put<double>("x", std::span<const double>(ramp(6)), 3);
  made.write(directory / "r");
  const RestartFile file = RestartFile::read(directory / "r");
  const auto refused = [&](const std::string& field, const std::string& message, auto&& action) {
    check_input_error(action, {0, field, "", message});
    check_input_error(action, {0, field, "", "/r: "});
  };
  refused("y", "the restart file lacks this field", [&] { (void)file.get<double>("y"); });
  refused("x", "expected elements of type int32, found float64",
          [&] { (void)file.get<std::int32_t>("x", 2, 3); });
  refused("x", "expected 4 rows of 3, found 2 of 3", [&] { (void)file.get<double>("x", 4, 3); });
  refused("x", "expected rows of 1, found 2 of 3", [&] { (void)file.get<double>("x"); });
  Columns columns(registry().open("serial"), 3);
  columns.declare<double>("x", 3, kept);
  refused("x", "expected 3 rows of 3, found 2 of 3", [&] { load(file, columns); });
}

}  // namespace
}  // namespace tessera
