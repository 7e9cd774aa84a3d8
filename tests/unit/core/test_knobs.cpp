#include "core/base/build_info.hpp"
#include "core/parameters/knobs.hpp"
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
std::string_view knob_name(Order order) {
  return order == Order::rows ? "rows" : "tiles";
}

struct Shape {
  int x;
  int y;
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};
std::string knob_name(const Shape& shape) {
  return std::to_string(shape.x) + "x" + std::to_string(shape.y);
}

using Lanes = Compiled<4, 8>;
using Shapes = Compiled<Shape{8, 8}, Shape{4, 16}>;

struct Policy {
  int block = 128;
  double skin = 0.3;
  bool sorted = true;
  Order order = Order::rows;
  int lanes = 0;
  Shape shape{8, 8};

  static constexpr auto knobs() {
    return std::tuple{Knob{"block", &Policy::block, std::array{64, 128}},
                      Knob{"skin", &Policy::skin, std::array{0.2, 0.3}},
                      Knob{"sorted", &Policy::sorted, std::array{false, true}},
                      Knob{"order", &Policy::order, std::array{Order::rows, Order::tiles}},
                      Knob{"lanes", &Policy::lanes, Lanes::And<0>{}},
                      Knob{"shape", &Policy::shape, Shapes{}}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (block > 0 && skin >= 0) return {};
    return "a block above 0 and a skin of 0 or more";
  }
  static Policy defaults(const DeviceProperties& device);
};

constexpr std::array<DefaultRow<Policy>, 2> rows{
    {{"", {}, "not measured"}, {"sm_90", {256, 0.2, true, Order::tiles, 8, {4, 16}}, "measured"}}};

Policy Policy::defaults(const DeviceProperties& device) {
  return default_row(rows, device.architecture).policy;
}

Policy with(const std::string& name, const KnobValue& value) {
  return make_policy<Policy>({{name, value}});
}

std::string refused(const std::string& name, const KnobValue& value) {
  return test::message_of([&] { (void)with(name, value); });
}

TEST_CASE("knobs are described from the aggregate") {
  const std::vector<KnobInfo> infos = describe_knobs<Policy>();
  REQUIRE(infos.size() == 6);
  CHECK(infos[0].name == "block");
  CHECK(std::get<std::int64_t>(infos[0].default_value) == 128);
  CHECK(infos[0].values.size() == 2);
  CHECK_FALSE(infos[0].closed);
  CHECK(std::get<double>(infos[1].default_value) == 0.3);
  CHECK(std::get<bool>(infos[2].default_value));
  CHECK(infos[3].values == std::vector<KnobValue>{"rows", "tiles"});
  CHECK(infos[4].values ==
        std::vector<KnobValue>{std::int64_t{0}, std::int64_t{4}, std::int64_t{8}});
  CHECK(infos[4].closed);
  CHECK(infos[5].values == std::vector<KnobValue>{"8x8", "4x16"});
}

TEST_CASE("values override defaults, whole numbers serve for decimal ones") {
  CHECK(with("block", std::int64_t{96}).block == 96);
  CHECK(with("skin", std::int64_t{1}).skin == 1.0);
  CHECK_FALSE(with("sorted", false).sorted);
  CHECK(with("order", "tiles").order == Order::tiles);
  CHECK(with("lanes", std::int64_t{8}).lanes == 8);
  CHECK(with("shape", "4x16").shape == Shape{4, 16});
  CHECK(make_policy<Policy>({}).block == 128);
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

TEST_CASE("a wide space has other values, of kernels and of knobs read at run time") {
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
  CHECK(default_policy<Policy>(device).lanes == 8);
  CHECK(describe_knobs<Policy>(default_policy<Policy>(device))[3].default_value ==
        KnobValue("tiles"));
  CHECK(make_policy<Policy>({{"lanes", std::int64_t{4}}}, default_policy<Policy>(device)).block ==
        256);
  device.architecture = "sm_80";
  CHECK(default_policy<Policy>(device).lanes == 0);
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
  CHECK(knob_value_from_text("k", "-7") == KnobValue(std::int64_t{-7}));
  CHECK(knob_value_from_text("k", "0.1") == KnobValue(0.1));
  CHECK(knob_value_from_text("k", "true") == KnobValue(true));
  CHECK(knob_value_from_text("k", "false") == KnobValue(false));
  CHECK(knob_value_from_text("k", "8x8") == KnobValue("8x8"));
  CHECK(knob_value_from_text("k", "12x") == KnobValue("12x"));
  CHECK_THROWS_AS((void)knob_value_from_text("k", ""), InputError);
  for (const KnobValue& value : {KnobValue(0.1), KnobValue(1e300), KnobValue(-2.5e-7),
                                 KnobValue(true), KnobValue("rows"), KnobValue(std::int64_t{3})})
    CHECK(knob_value_from_text("k", to_string(value)) == value);
}

}  // namespace
}  // namespace tessera
