#include <doctest/doctest.h>

#include <array>
#include <tessera/core/tuning/knobs.hpp>
#include <tuple>

namespace tessera {
namespace {

struct Policy {
  int block = 128;
  double skin = 0.3;

  static constexpr auto knobs() {
    return std::tuple{Knob{"block", &Policy::block, std::array{64, 128}},
                      Knob{"skin", &Policy::skin, std::array{0.2, 0.3}}};
  }
  [[nodiscard]] bool valid() const { return block > 0 && skin >= 0; }
};

TEST_CASE("knobs are described from the aggregate") {
  const std::vector<KnobInfo> infos = describe_knobs<Policy>();
  REQUIRE(infos.size() == 2);
  CHECK(infos[0].name == "block");
  CHECK(std::get<std::int64_t>(infos[0].default_value) == 128);
  CHECK(infos[0].values.size() == 2);
  CHECK(std::get<double>(infos[1].default_value) == 0.3);
}

TEST_CASE("parameters override defaults, whole numbers serve for real ones") {
  const auto policy = make_policy<Policy>({{"block", std::int64_t{96}}, {"skin", std::int64_t{1}}});
  CHECK(policy.block == 96);
  CHECK(policy.skin == 1.0);
  CHECK(make_policy<Policy>({}).block == 128);
}

TEST_CASE("bad parameters are refused") {
  CHECK_THROWS_AS((void)make_policy<Policy>({{"blok", std::int64_t{1}}}), SelectionError);
  CHECK_THROWS_AS((void)make_policy<Policy>({{"block", 1.5}}), InputError);
  CHECK_THROWS_AS((void)make_policy<Policy>({{"block", std::int64_t{0}}}), InputError);
  CHECK_THROWS_AS((void)knob_value_from_text("block", "12x"), InputError);
  CHECK_THROWS_AS((void)knob_value_from_text("block", ""), InputError);
}

TEST_CASE("texts of values read back") {
  CHECK(std::get<std::int64_t>(knob_value_from_text("k", "-7")) == -7);
  CHECK(std::get<double>(knob_value_from_text("k", "0.1")) == 0.1);
  for (const double x : {0.1, 1e300, -2.5e-7})
    CHECK(std::get<double>(knob_value_from_text("k", to_string(KnobValue(x)))) == x);
}

}  // namespace
}  // namespace tessera
