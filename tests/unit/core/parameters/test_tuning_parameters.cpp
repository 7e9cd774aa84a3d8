#include "core/base/build_info.hpp"
#include "core/parameters/tuning_parameter.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>

namespace tessera {
namespace {

enum class Order { rows, tiles };
std::string_view parameter_name(Order order) {
  return order == Order::rows ? "rows" : "tiles";
}

struct Shape {
  int x;
  int y;
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};
std::string parameter_name(const Shape& shape) {
  return std::to_string(shape.x) + "x" + std::to_string(shape.y);
}

using Lanes = Compiled<4, 8>;
using Shapes = Compiled<Shape{8, 8}, Shape{4, 16}>;

struct Parameters {
  int block = 128;
  double skin = 0.3;
  bool sorted = true;
  Order order = Order::rows;
  int lanes = 0;
  Shape shape{8, 8};

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{"block", &Parameters::block, std::array{64, 128}},
                   TuningParameter{"skin", &Parameters::skin, std::array{0.2, 0.3}},
                   TuningParameter{"sorted", &Parameters::sorted, std::array{false, true}},
                   TuningParameter{"order", &Parameters::order,
                                   std::array{Order::rows, Order::tiles}, "sequence"},
                   TuningParameter{"lanes", &Parameters::lanes, Lanes::And<0>{}},
                   TuningParameter{"shape", &Parameters::shape, Shapes{}}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal,
                                   .defaults = &Parameters::defaults}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (block > 0 && skin >= 0) return {};
    return "a block above 0 and a skin of 0 or more";
  }
  static Parameters defaults(const DeviceProperties& device);
};

constexpr std::array<DefaultRow<Parameters>, 2> rows{
    {{"", {}, "not measured"}, {"sm_90", {256, 0.2, true, Order::tiles, 8, {4, 16}}, "measured"}}};

Parameters Parameters::defaults(const DeviceProperties& device) {
  return default_row(rows, device.architecture).parameters;
}

Parameters with(const std::string& name, const ParameterValue& value) {
  return make_parameters<Parameters>({{name, value}});
}

std::string refused(const std::string& name, const ParameterValue& value) {
  return test::message_of([&] { (void)with(name, value); });
}

TEST_CASE("parameters are described from the aggregate") {
  const std::vector<ParameterInfo> infos = describe_parameters<Parameters>();
  REQUIRE(infos.size() == 6);
  CHECK(infos[0].name == "block");
  CHECK(std::get<std::int64_t>(infos[0].default_value) == 128);
  CHECK(infos[0].values.size() == 2);
  CHECK_FALSE(infos[0].closed);
  CHECK(std::get<double>(infos[1].default_value) == 0.3);
  CHECK(std::get<bool>(infos[2].default_value));
  CHECK(infos[3].values == std::vector<ParameterValue>{"rows", "tiles"});
  CHECK(infos[4].values ==
        std::vector<ParameterValue>{std::int64_t{0}, std::int64_t{4}, std::int64_t{8}});
  CHECK(infos[4].closed);
  CHECK(infos[5].values == std::vector<ParameterValue>{"8x8", "4x16"});
}

TEST_CASE("values override defaults, whole numbers serve for decimal ones") {
  CHECK(with("block", std::int64_t{96}).block == 96);
  CHECK(with("skin", std::int64_t{1}).skin == 1.0);
  CHECK_FALSE(with("sorted", false).sorted);
  CHECK(with("order", "tiles").order == Order::tiles);
  CHECK(with("lanes", std::int64_t{8}).lanes == 8);
  CHECK(with("shape", "4x16").shape == Shape{4, 16});
  CHECK(make_parameters<Parameters>({}).block == 128);
}

TEST_CASE("a former name stands for the parameter") {
  CHECK(make_parameters<Parameters>({{"sequence", std::string("tiles")}}).order == Order::tiles);
  const std::vector<ParameterInfo> infos = describe_parameters<Parameters>();
  CHECK(is_name_of(infos[3], "order"));
  CHECK(is_name_of(infos[3], "sequence"));
  CHECK(!is_name_of(infos[3], ""));
  CHECK(!is_name_of(infos[0], ""));
  CHECK(with_current_names(infos, {{"sequence", std::string("tiles")}, {"block", 64}, {"x", 1}}) ==
        ParameterValues{{"order", std::string("tiles")}, {"block", 64}, {"x", 1}});
}

TEST_CASE("values of the wrong kind are refused with what was expected") {
  CHECK(refused("block", 1.5) == "block = 1.5: expected an integer");
  CHECK(refused("block", true) == "block = true: expected an integer");
  CHECK(refused("block", std::int64_t{1} << 40).find("expected a smaller integer") !=
        std::string::npos);
  CHECK(refused("skin", true) == "skin = true: expected a finite number");
  CHECK(refused("skin", NAN).find("expected a finite number") != std::string::npos);
  CHECK(refused("skin", "wide") == "skin = \"wide\": expected a finite number");
  CHECK(refused("sorted", std::int64_t{1}) == "sorted = 1: expected true or false");
  CHECK(refused("order", std::int64_t{1}) == "order = 1: expected one of \"rows\", \"tiles\"");
  CHECK(refused("order", "tile") ==
        "order = \"tile\": expected one of \"rows\", \"tiles\"; did you mean 'tiles'?");
  CHECK(refused("lanes", std::int64_t{16}) == "lanes = 16: expected one of 0, 4, 8");
  CHECK(refused("shape", "8x4").find("expected one of \"8x8\", \"4x16\"") != std::string::npos);
  CHECK(refused("blok", std::int64_t{1}).find("did you mean 'block'?") != std::string::npos);
  CHECK(refused("block", std::int64_t{0}) ==
        "parameters = block=0: expected a block above 0 and a skin of 0 or more");
}

TEST_CASE("a wide space has other values, of kernels and of parameters read at run time") {
  using Usual = Compiled<4, 8>;
  using Wide = Compiled<2, 4, 8, 16>;
  static_assert(std::is_same_v<InSpace<Usual, Wide, false>, Usual>);
  static_assert(std::is_same_v<InSpace<Usual, Wide, true>, Wide>);
  static_assert(std::is_same_v<InSpace<Usual, Wide>, InSpace<Usual, Wide, wide_tune_space>>);
  CHECK(in_space<false>(std::array{1, 2}, std::array{1, 2, 3}).size() == 2);
  CHECK(in_space<true>(std::array{1, 2}, std::array{1, 2, 3}).size() == 3);
  CHECK(build_info().tune_space == (wide_tune_space ? "wide" : "default"));
}

TEST_CASE("defaults are those of the device, with what they rest on") {
  DeviceProperties device;
  device.architecture = "sm_90";
  CHECK(default_parameters<Parameters>(device).lanes == 8);
  CHECK(describe_parameters<Parameters>(default_parameters<Parameters>(device))[3].default_value ==
        ParameterValue("tiles"));
  CHECK(make_parameters<Parameters>({{"lanes", std::int64_t{4}}},
                                    default_parameters<Parameters>(device))
            .block == 256);
  device.architecture = "sm_80";
  CHECK(default_parameters<Parameters>(device).lanes == 0);
  CHECK(std::string(default_row(rows, "sm_90").evidence) == "measured");
}

TEST_CASE("compiled values lead from run time to a template argument") {
  int called = 0;
  Lanes::with(8, [&]<int L>() { called = L; });
  CHECK(called == 8);
  Shapes::with(Shape{4, 16}, [&]<Shape S>() { called = S.y; });
  CHECK(called == 16);
  CHECK(Lanes::contains(4));
  CHECK_FALSE(Lanes::contains(0));
  CHECK_THROWS_AS(Lanes::with(0, [&]<int L>() { called = L; }), ArgumentError);
}

TEST_CASE("texts of values read back") {
  CHECK(parameter_value_from_text("k", "-7") == ParameterValue(std::int64_t{-7}));
  CHECK(parameter_value_from_text("k", "0.1") == ParameterValue(0.1));
  CHECK(parameter_value_from_text("k", "true") == ParameterValue(true));
  CHECK(parameter_value_from_text("k", "false") == ParameterValue(false));
  CHECK(parameter_value_from_text("k", "8x8") == ParameterValue("8x8"));
  CHECK(parameter_value_from_text("k", "12x") == ParameterValue("12x"));
  CHECK_THROWS_AS((void)parameter_value_from_text("k", ""), InputError);
  for (const ParameterValue& value :
       {ParameterValue(0.1), ParameterValue(1e300), ParameterValue(-2.5e-7), ParameterValue(true),
        ParameterValue("rows"), ParameterValue(std::int64_t{3})})
    CHECK(parameter_value_from_text("k", to_string(value)) == value);
}

}  // namespace
}  // namespace tessera
