#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/selection.hpp>

namespace tessera {
namespace {

/// An implementation without a body: selection looks at descriptions alone.
std::unique_ptr<ImplementationBase> entry(const std::string& name, int priority,
                                          std::vector<KnobInfo> knobs = {}) {
  ImplementationInfo info;
  info.operation = "a/push";
  info.name = name;
  info.backend = name.substr(0, name.find('.'));
  info.priority = priority;
  info.knobs = std::move(knobs);
  return std::make_unique<ImplementationBase>(info);
}

Registry sample() {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add(entry("reference", priority::reference));
  r.add(entry("x.portable", priority::portable));
  r.add(entry("x.fast", priority::hand_tuned, {{"block", std::int64_t{64}, {}}}));
  return r;
}

/// Where the state lies: none of the backends above.
Context home() {
  return registry().open("serial");
}

const std::function<Refusal(const ImplementationBase&)> nobody_refuses =
    [](const ImplementationBase&) { return Refusal{}; };

TEST_CASE("the highest in the default order is chosen, and every row has a reason") {
  const Registry r = sample();
  const auto rows = rank(r, {}, "a/push", Precision::double_precision, home(), nobody_refuses);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].implementation == "x.fast");
  CHECK(rows[0].chosen);
  for (const SelectionRow& row : rows)
    CHECK(!row.reason.empty());
  CHECK_FALSE(rows[1].chosen);
  CHECK_FALSE(rows[2].chosen);
}

TEST_CASE("a refusal passes the choice on and is told") {
  const Registry r = sample();
  const auto rows = rank(r, {}, "a/push", Precision::double_precision, home(),
                         [](const ImplementationBase& i) -> Refusal {
                           if (i.info().name == "x.fast") return "too slow today";
                           return {};
                         });
  CHECK(rows[0].reason == "too slow today");
  CHECK(rows[1].chosen);
}

TEST_CASE("the oracle is never taken by itself") {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add(entry("reference", priority::reference));
  const auto rows = rank(r, {}, "a/push", Precision::double_precision, home(), nobody_refuses);
  CHECK_FALSE(rows[0].chosen);
  const auto asked = rank(r, Selection::from_text(r, "push=reference"), "a/push",
                          Precision::double_precision, home(), nobody_refuses);
  CHECK(asked[0].chosen);
}

TEST_CASE("what the user asks for is taken or refused, never replaced") {
  const Registry r = sample();
  const Selection wish = Selection::from_text(r, "push=x.portable");
  for (const SelectionRow& row : rank(r, wish, "a/push", Precision::double_precision, home(),
                                      [](const ImplementationBase& i) -> Refusal {
                                        if (i.info().name == "x.portable") return "no";
                                        return {};
                                      }))
    CHECK_FALSE(row.chosen);
}

TEST_CASE("among portable bodies that of the backend with the state comes first") {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add(entry("x.portable", priority::kokkos));
  r.add(entry("serial.portable", priority::portable));
  CHECK(rank(r, {}, "a/push", Precision::double_precision, home(), nobody_refuses)[0]
            .implementation == "serial.portable");
}

TEST_CASE("texts of choices") {
  const Registry r = sample();
  CHECK(Selection::from_text(r, "").choice("a/push") == "auto");
  CHECK(Selection::from_text(r, "push=x.fast;a/push=reference").choice("a/push") == "reference");
  CHECK_THROWS_AS((void)Selection::from_text(r, "push"), InputError);
  CHECK_THROWS_AS((void)Selection::from_text(r, "=x.fast"), InputError);
  CHECK_THROWS_AS((void)Selection::from_text(r, "push=x.fats"), SelectionError);
  CHECK_THROWS_AS((void)Selection::from_text(r, "pull=x.fast"), SelectionError);
}

TEST_CASE("later choices win, parameters are kept by operation") {
  const Registry r = sample();
  Selection first = Selection::from_text(r, "push=reference");
  first.set_parameter(r, "push", "block", std::int64_t{32});
  Selection second = Selection::from_text(r, "push=x.fast");
  first.merge(second);
  CHECK(first.choice("a/push") == "x.fast");
  CHECK(std::get<std::int64_t>(first.parameters("a/push").at("block")) == 32);
  CHECK_THROWS_AS(first.set_parameter(r, "push", "blok", std::int64_t{1}), SelectionError);
}

}  // namespace
}  // namespace tessera
