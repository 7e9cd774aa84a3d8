#include "core/state/saved_choices.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

namespace tessera {
namespace {

using test::message_of;
using test::TemporaryDirectory;

DeviceProperties device() {
  return registry().open("serial").opened().properties();
}

OperationTime plan(const std::string& operation, const std::string& implementation,
                   const ParameterValues& parameters = {}) {
  OperationTime time;
  time.operation = operation;
  time.choice.implementation = implementation;
  time.choice.parameters = parameters;
  return time;
}

SavedChoices sample() {
  return saved_choices({plan("md/pair_force", "serial.portable", {{"skin_over_cutoff", 0.3}}),
                        plan("md/pair_force (prepare)", "serial.portable"),
                        plan("md/wrap", "serial.portable"), plan("md/wrap", "reference")},
                       device());
}

SavedChoices loaded(const std::string& text) {
  const TemporaryDirectory folder;
  RestartFile file;
  file.put_text("choices", text);
  file.write(folder / "restart.tessera");
  return load_choices(RestartFile::read(folder / "restart.tessera"));
}

TEST_CASE("every parameter is saved, and read again") {
  const SavedChoices saved = sample();
  REQUIRE(saved.operations.size() == 2);
  const auto& entry = saved.operations.at("md/pair_force");
  CHECK(entry.parameters.at("skin_over_cutoff") == ParameterValue(0.3));
  CHECK(entry.parameters.size() ==
        registry()
            .find("md/pair_force", Precision::double_precision, "serial.portable")
            .info()
            .parameters.size());
  CHECK(saved.operations.at("md/wrap").implementation == "serial.portable");  // the first

  const TemporaryDirectory folder;
  RestartFile file;
  save(saved, file);
  file.write(folder / "restart.tessera");
  CHECK(load_choices(RestartFile::read(folder / "restart.tessera")).operations == saved.operations);
  CHECK(load_choices(RestartFile()).operations.empty());
}

TEST_CASE("restart files with the former name of the parameters are read") {
  const SavedChoices saved = loaded(R"({"md/pair_force": {"implementation": "serial.portable",
                                                          "knobs": {"skin_over_cutoff": 0.2}}})");
  CHECK(saved.operations.at("md/pair_force").parameters ==
        ParameterValues{{"skin_over_cutoff", 0.2}});
}

TEST_CASE("what was saved stands between what was tuned and what is pinned") {
  Choices choices;
  choices.choose(registry(), "wrap", "reference", ChoiceSource::tuned);
  choices.choose(registry(), "pair_force", "reference", ChoiceSource::pin);
  add(sample(), choices);
  CHECK(choices.of("md/wrap").implementation == "serial.portable");
  CHECK(choices.of("md/wrap").source == ChoiceSource::restart);
  CHECK(choices.of("md/pair_force").source == ChoiceSource::pin);
}

TEST_CASE("what this build does not have is left out whole, and told") {
  for (const char* text :
       {R"({"md/pair_force": {"implementation": "cuda.gone", "parameters": {}}})",
        R"({"md/gone": {"implementation": "serial.portable", "parameters": {}}})",
        R"({"md/pair_force": {"implementation": "serial.portable",
                                                 "parameters": {"skin_over_cutoff": 0.2, "z": 1}}})"}) {
    Choices choices;
    add(loaded(text), choices);
    CHECK(choices.of("md/pair_force").implementation == "auto");
    CHECK(choices.parameters("md/pair_force", "serial.portable").empty());
  }
  SavedChoices now = sample();
  CHECK(differences(sample(), now).empty());
  now.operations["md/pair_force"].parameters["skin_over_cutoff"] = 0.1;
  now.operations["md/wrap"].implementation = "reference";
  const std::vector<std::string> lines = differences(sample(), now);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == "md/pair_force.skin_over_cutoff was 0.3, is 0.1 now");
  CHECK(lines[1] == "md/wrap was serial.portable, is reference now");
  CHECK(differences({}, now).empty());
}

TEST_CASE("choices that are none are refused by the name of the field") {
  struct Wrong {
    std::string text, message;
  };
  for (const Wrong& wrong : {
           Wrong{"", "choices: expected an object"},
           Wrong{"7", "choices: expected an object"},
           Wrong{std::string(100000, '['), "choices: expected an object"},
           Wrong{R"({"a": 1})", "choices.a: expected an object"},
           Wrong{R"({"a": {"implementation": "b"}})", "choices.a.parameters: is missing"},
           Wrong{R"({"a": {"implementation": 1, "parameters": {}}})",
                 "choices.a.implementation = 1: expected a text"},
           Wrong{R"({"a": {"implementation": "b", "parameters": {"c": []}}})",
                 "choices.a.parameters.c = []: expected a number, a name, true or false"},
           Wrong{R"({"a": {"implementation": "b", "parameters": {"c": 9223372036854775808}}})",
                 "expected a number of 64 bits with a sign"},
           Wrong{R"({"a": {"implementation": "b", "parameters": {"c": [[1]]}}})",
                 "choices: expected an object"},
       }) {
    CAPTURE(wrong.text.substr(0, 80));
    const std::string message = message_of([&] { (void)loaded(wrong.text); });
    CHECK(message.find("restart.tessera: ") != std::string::npos);
    CHECK(message.find(wrong.message) != std::string::npos);
  }
}

TEST_CASE("a saved choice that cannot run here gives way to the default") {
  Choices choices;
  choices.choose(registry(), "sum", "serial.portable", ChoiceSource::restart);
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  for (const bool refused : {false, true}) {
    bool any = false;
    for (const RankedImplementation& row :
         rank(registry(), "reduction/sum", Precision::double_precision, context,
              [&](const ImplementationBase& i) -> Refusal {
                if (refused && i.info().name == "serial.portable") return "not today";
                return i.can_run_on(context);
              })) {
      if (!row.chosen) continue;
      any = true;
      CHECK(row.source == (refused ? ChoiceSource::default_order : ChoiceSource::restart));
    }
    CHECK(any);
  }
}

}  // namespace
}  // namespace tessera
