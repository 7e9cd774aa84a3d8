#include "core/base/error.hpp"
#include "core/operations/choices.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>

namespace tessera {
namespace {

using test::message_of;

/// An implementation without a body: selection uses descriptions only.
std::unique_ptr<ImplementationBase> entry(const std::string& name, int priority,
                                          std::vector<ParameterInfo> parameters = {}) {
  ImplementationInfo info;
  info.operation = "a/push";
  info.name = name;
  info.backend = name.substr(0, name.find('.'));
  info.priority = priority;
  info.parameters = std::move(parameters);
  return std::make_unique<ImplementationBase>(info);
}

Registry sample() {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add(entry("reference", priority::reference));
  r.add(entry("x.portable", priority::portable));
  r.add(entry("x.fast", priority::hand_tuned,
              {{"block", std::int64_t{64}, {}}, {"lanes", std::int64_t{4}, {}}}));
  r.add(entry("x.wide", priority::hand_tuned, {{"block", std::int64_t{128}, {}}}));
  return r;
}

/// A context of the backend serial, which is none of the backends of the entries above.
Context home(const Choices& choices = {}) {
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  return context;
}

Choices wish(const Registry& r, const std::string& text) {
  Choices choices;
  choices.add_text(r, text);
  return choices;
}

const std::function<Refusal(const ImplementationBase&)> nobody_refuses =
    [](const ImplementationBase&) { return Refusal{}; };

std::vector<RankedImplementation> ranked(
    const Registry& r, const Choices& choices,
    const std::function<Refusal(const ImplementationBase&)>& refusal_of = nobody_refuses) {
  return rank(r, "a/push", Precision::double_precision, home(choices), refusal_of);
}

TEST_CASE("the highest in the default order is chosen, and every row has a reason") {
  const auto rows = ranked(sample(), {});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].implementation == "x.fast");
  CHECK(rows[0].chosen);
  CHECK(rows[0].source == ChoiceSource::default_order);
  for (const RankedImplementation& row : rows)
    CHECK(!row.reason.empty());
  CHECK_FALSE(rows[1].chosen);
  CHECK_FALSE(rows[3].chosen);
}

TEST_CASE("a refusal passes the choice on and is told") {
  const auto rows = ranked(sample(), {}, [](const ImplementationBase& i) -> Refusal {
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
  CHECK_FALSE(ranked(r, {})[0].chosen);
  const auto asked = ranked(r, wish(r, "push=reference"));
  CHECK(asked[0].chosen);
  CHECK(asked[0].source == ChoiceSource::user);
}

TEST_CASE("where the state is on one thread its backend comes first, but no plugin from outside") {
  REQUIRE(home().opened().properties().exclusive);
  Registry r = sample();
  r.add(entry("serial.portable", priority::portable));
  r.add_from("/home/somebody/fastest.so",
             [](Registry& to) { to.add(entry("serial.fastest", priority::hand_tuned)); });
  const auto rows = ranked(r, {});
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].implementation == "serial.portable");
  CHECK(rows[3].implementation == "x.portable");
  CHECK(rows[4].implementation == "serial.fastest");
}

TEST_CASE("a plugin from outside comes after what was measured, until somebody says so") {
  Registry r = sample();
  r.add_from("/home/somebody/fastest.so",
             [](Registry& to) { to.add(entry("y.fastest", priority::hand_tuned + 1000)); });
  r.add(entry("x.late", priority::portable));
  CHECK(r.find("a/push", Precision::double_precision, "y.fastest").info().origin ==
        "/home/somebody/fastest.so");
  CHECK(r.find("a/push", Precision::double_precision, "x.late").info().origin.empty());
  const auto rows = ranked(r, {});
  CHECK(rows[0].implementation == "x.fast");
  REQUIRE(rows[4].implementation == "y.fastest");
  CHECK(rows[4].reason ==
        "comes after x.fast in the default order: it is external; select it or tune it");
  for (const ChoiceSource source : {ChoiceSource::tuned, ChoiceSource::user}) {
    Choices said;
    said.choose(r, "push", "y.fastest", source);
    CHECK(ranked(r, said)[4].chosen);
  }
  // An implementation from outside is chosen where no other can run.
  CHECK(ranked(r, {},
               [](const ImplementationBase& i) -> Refusal {
                 if (i.info().origin.empty()) return "no";
                 return {};
               })[4]
            .chosen);
}

TEST_CASE("what the user asks for is taken or refused, never replaced") {
  const Registry r = sample();
  for (const RankedImplementation& row :
       ranked(r, wish(r, "push=x.portable"), [](const ImplementationBase& i) -> Refusal {
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
  CHECK(ranked(r, {})[0].implementation == "serial.portable");
}

TEST_CASE("texts of choices") {
  const Registry r = sample();
  CHECK(wish(r, "").of("a/push").implementation == "auto");
  CHECK(wish(r, "push=x.fast;a/push=reference").of("a/push").implementation == "reference");
  CHECK_THROWS_AS((void)wish(r, "push"), InputError);
  CHECK_THROWS_AS((void)wish(r, "=x.fast"), InputError);
  CHECK(message_of([&] { (void)wish(r, "push=x.fats"); }).find("did you mean 'x.fast'") !=
        std::string::npos);
  CHECK_THROWS_AS((void)wish(r, "pull=x.fast"), SelectionError);
}

TEST_CASE("a choice gives way to one of a stronger source, whichever comes first") {
  const Registry r = sample();
  Choices choices;
  choices.choose(r, "push", "x.wide", ChoiceSource::user);
  choices.choose(r, "push", "x.fast", ChoiceSource::pin);
  CHECK(choices.of("a/push").implementation == "x.wide");
  CHECK(choices.of("a/push").source == ChoiceSource::user);
  choices.choose(r, "push", "x.fast", ChoiceSource::user);
  CHECK(choices.of("a/push").implementation == "x.fast");

  Choices weak;
  weak.choose(r, "push", "x.wide", ChoiceSource::configured);
  CHECK(ranked(r, weak)[0].reason == "x.wide was chosen");
  weak.choose(r, "push", "x.fast", ChoiceSource::tuned);
  CHECK(weak.of("a/push").source == ChoiceSource::tuned);
  CHECK(ranked(r, weak)[0].source == ChoiceSource::tuned);
  CHECK(ranked(r, weak)[0].reason == "the fastest measured");
}

TEST_CASE("parameter values belong to an implementation") {
  const Registry r = sample();
  const auto block = [](const Choices& c, const std::string& implementation) {
    const ParameterValues values = c.parameters("a/push", implementation);
    return values.count("block") == 0 ? -1 : std::get<std::int64_t>(values.at("block"));
  };
  Choices all;
  all.set_parameter(r, "push", "", "block", std::int64_t{32});
  CHECK(block(all, "x.fast") == 32);
  CHECK(block(all, "x.wide") == 32);
  CHECK(block(all, "x.portable") == -1);
  CHECK(all.of("a/push").parameters.empty());
  all.set_parameter(r, "push", "x.wide", "block", std::int64_t{16});
  CHECK(block(all, "x.fast") == 32);
  CHECK(block(all, "x.wide") == 16);
  all.set_parameter(r, "push", "x.wide", "block", std::int64_t{8}, ChoiceSource::tuned);
  CHECK(block(all, "x.wide") == 16);

  Choices chosen = wish(r, "push=x.wide");
  chosen.set_parameter(r, "push", "", "block", std::int64_t{32});
  CHECK(block(chosen, "x.fast") == -1);
  CHECK(std::get<std::int64_t>(chosen.of("a/push").parameters.at("block")) == 32);
}

TEST_CASE("a parameter that no implementation concerned has is refused with the nearest name") {
  const Registry r = sample();
  Choices choices;
  CHECK(message_of([&] {
          choices.set_parameter(r, "push", "", "blok", std::int64_t{1});
        }).find("parameter of a/push 'blok', did you mean 'block'?") != std::string::npos);
  CHECK(message_of([&] {
          choices.set_parameter(r, "push", "x.wide", "lanes", std::int64_t{1});
        }).find("parameter of a/push=x.wide 'lanes'") != std::string::npos);
  CHECK(message_of([&] {
          choices.set_parameter(r, "push", "x.wyde", "block", std::int64_t{1});
        }).find("did you mean 'x.wide'?") != std::string::npos);
  choices.choose(r, "push", "x.portable");
  CHECK_THROWS_AS(choices.set_parameter(r, "push", "", "block", std::int64_t{1}), SelectionError);
}

TEST_CASE("a context without choices has those of the configuration") {
  Context context = registry().open("serial");
  CHECK(&choices_of(context) == configured_choices().get());
  context.choices = std::make_shared<const Choices>();
  CHECK(&choices_of(context) == context.choices.get());
}

}  // namespace
}  // namespace tessera
