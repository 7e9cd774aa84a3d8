#include "core/base/error.hpp"
#include "core/trials/cacheable_reference.hpp"
#include "core/trials/trial_line.hpp"
#include "core/trials/trial_session.hpp"
#include "core/tuning/candidates.hpp"
#include "tests/support/temporary_directory.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace tessera {
namespace {

std::unique_ptr<TrialRun> pair_force_run(std::int64_t size = 500) {
  const ImplementationBase& implementation =
      registry().find("md/pair_force", Precision::double_precision, "serial.portable");
  return make_run(*registry().trials("md/pair_force"), implementation, registry().open("serial"),
                  {}, "melt", size, {});
}

TEST_CASE("candidates: the untuned one first, then every allowed combination once") {
  const auto run = pair_force_run();
  const Candidates found = find_candidates(registry(), *run);
  REQUIRE(found.all.size() > 5);
  CHECK(found.all.front().implementation == "serial.portable");
  CHECK(found.all.front().parameters.at("skin_over_cutoff") == ParameterValue(0.16));
  for (std::size_t a = 0; a < found.all.size(); ++a)
    for (std::size_t b = a + 1; b < found.all.size(); ++b)
      CHECK(!(found.all[a] == found.all[b]));
  CHECK(std::none_of(found.all.begin(), found.all.end(),
                     [](const Candidate& c) { return c.implementation == "reference"; }));
}

TEST_CASE("candidates are kept to implementations and values") {
  const auto run = pair_force_run();
  CandidateLimits limits;
  limits.implementations = {"serial.portable"};
  limits.values["skin_over_cutoff"] = {0.11, 0.13};
  const Candidates found = find_candidates(registry(), *run, limits);
  REQUIRE(found.all.size() == 3);
  CHECK(found.all[1].parameters.at("skin_over_cutoff") == ParameterValue(0.11));
  limits.values["serial.portable.skin_over_cutoff"] = {0.2};
  CHECK(find_candidates(registry(), *run, limits).all.size() == 2);
  limits.values["skim"] = {1.0};
  CHECK_THROWS_AS((void)find_candidates(registry(), *run, limits), SelectionError);
  limits.values.clear();
  limits.values["skin_over_cutoff"] = {std::string("wide")};
  CHECK_THROWS_AS((void)find_candidates(registry(), *run, limits), InputError);
  // Combinations that are never allowed are left out and reported.
  limits.values["skin_over_cutoff"] = {-1.0, 0.2};
  const Candidates rest = find_candidates(registry(), *run, limits);
  CHECK(rest.all.size() == 2);
  REQUIRE(rest.refused.size() == 1);
  CHECK(to_string(rest.refused[0]) ==
        "serial.portable, 1 of 2 candidates: expected a skin_over_cutoff of 0 or more");
  limits.implementations = {"serial.portible"};
  CHECK_THROWS_AS((void)find_candidates(registry(), *run, limits), SelectionError);
}

TEST_CASE("candidates: the defaults of each implementation are known") {
  const auto run = pair_force_run();
  const Candidates found = find_candidates(registry(), *run);
  std::vector<std::string> names;
  for (const std::size_t c : found.defaults) {
    REQUIRE(c < found.all.size());
    names.push_back(found.all[c].implementation);
    for (const ParameterInfo& parameter :
         registry()
             .find("md/pair_force", Precision::double_precision, names.back())
             .parameters_on(run->context().opened().properties()))
      CHECK(found.all[c].parameters.at(parameter.name) == parameter.default_value);
  }
  CHECK(found.defaults.front() == 0);
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
}

TEST_CASE("candidates: of an implementation that somebody has chosen there are no others") {
  const auto run = pair_force_run();
  CandidateLimits limits;
  limits.chosen = "reference";
  const Candidates reference = find_candidates(registry(), *run, limits);
  REQUIRE(reference.all.size() == 1);
  CHECK(reference.all.front().implementation == "reference");
  limits.chosen = "serial.portable";
  for (const Candidate& candidate : find_candidates(registry(), *run, limits).all)
    CHECK(candidate.implementation == "serial.portable");
  limits.chosen = "serial.portible";
  CHECK_THROWS_AS((void)find_candidates(registry(), *run, limits), SelectionError);
}

TEST_CASE("plans stand side by side in slots") {
  const auto run = pair_force_run();
  const ImplementationBase& own =
      registry().find("md/pair_force", Precision::double_precision, "serial.portable");
  run->use(own, {{"skin_over_cutoff", 0.1}});
  CHECK(check(*run).passed());
  run->trial().reset(0);
  run->prepare();
  const double narrow = run->drift(0);
  run->slot(1);
  run->use(own, {{"skin_over_cutoff", 0.2}});
  run->plan();
  run->prepare();
  CHECK(run->drift(0) > 1.9 * narrow);
  run->slot(0);
  CHECK(run->drift(0) == narrow);
  run->execute();
  CHECK(run->trial().judge().passed());
  run->drop(0);  // the current candidate stays
  CHECK(run->drift(0) == narrow);
  run->drop(1);
  run->slot(1);
  CHECK_FALSE(run->can_run());
}

TEST_CASE("a check of a sample sees what the full one sees") {
  const auto run = pair_force_run(5324);
  const Verdict all = check(*run);
  const Verdict some = check_sample(*run, 400);
  CHECK(all.passed());
  CHECK(some.passed());
  CHECK(some.error > 0);
  CHECK(some.error <= 2 * all.error);
  // Afterwards the usual algorithm and all elements are restored.
  CHECK(check(*run).error == all.error);
}

struct SomeAnswer : CacheableReference {
  std::vector<double> values;
  double total = 0;

  template <class Archive>
  void share(Archive& archive) {
    archive(values);
    archive(total);
  }
};

TEST_CASE("answers are shared through a folder, by their whole key") {
  const test::TemporaryDirectory folder;
  SomeAnswer answer{{}, {1, 2, 3}, 6};
  SomeAnswer back;
  write_reference("a key", answer);  // without a folder
  CHECK(!read_reference("a key", back));
  cache_references_in(folder.path().string());
  write_reference("a key", answer);
  REQUIRE(read_reference("a key", back));
  CHECK(back.values == answer.values);
  CHECK(back.total == 6);
  CHECK(!read_reference("another key", back));
  // A truncated answer is not used.
  store_cached_reference("a key", "abc");
  CHECK(!read_reference("a key", back));
  CHECK(back.values.empty());
  cache_references_in("");
}

TEST_CASE("a session answers every line, whatever is in it") {
  TrialSession session(registry(), {});
  CHECK(TrialSession::knows("{\"slot\": 1}"));
  CHECK(!TrialSession::knows("{\"operation\": \"sum\"}"));
  CHECK(!TrialSession::knows("no JSON"));
  for (const char* line :
       {"", "[]", "{\"slot\": 1}", "{\"drop\": 0}", "{\"session\": 3}", "{\"session\": {}}",
        "{\"session\": {\"operation\": \"sum\"}}",
        "{\"session\": {\"operation\": \"sum\", \"input\": \"nothing\", \"backend\": \"serial\"}}",
        "{\"session\": {\"operation\": \"sum\", \"input\": \"moments\", \"size\": -1, \"backend\": "
        "\"serial\"}}"}) {
    CAPTURE(line);
    CHECK(outcome_of(session.answer(line)) == "invalid");
  }
  const std::string opened = session.answer(
      R"({"session": {"operation": "sum", "input": "moments", "size": 100, "backend": "serial"}})");
  CHECK(outcome_of(opened) == "ready");
  const auto outcome = [&](const char* line) { return outcome_of(session.answer(line)); };
  CHECK(outcome(R"({"slot": 0, "implementation": "serial.portable"})") == "passed");
  CHECK(outcome(R"({"slot": 0, "calls": 0})") == "timed");
  CHECK(outcome(R"({"slot": 0, "calls": 3, "prepare": false})") == "timed");
  CHECK(outcome(R"({"slot": 1, "implementation": "serial.portible"})") == "invalid");
  CHECK(outcome(R"({"slot": 1, "implementation": "serial.portable", "parameters": {"x": 1}})") ==
        "invalid");
  CHECK(outcome(R"({"slot": "one", "implementation": "serial.portable"})") == "invalid");
  CHECK(outcome(R"({"drop": 0})") == "dropped");
}

TEST_CASE("a session reads a case with the changes that it is asked for") {
  std::vector<std::string> asked;
  TrialSession session(registry(),
                       [&](const std::string& file, const std::vector<std::string>& overrides) {
                         asked = overrides;
                         asked.push_back(file);
                         return std::make_unique<TrialSource>();
                       });
  const std::string answer = session.answer(
      R"({"session": {"operation": "sum", "input": "melt.toml", "set": ["a=1", "b=2"],
          "backend": "serial"}})");
  CHECK(outcome_of(answer) == "no problem");
  CHECK(asked == std::vector<std::string>{"a=1", "b=2", "melt.toml"});
}

}  // namespace
}  // namespace tessera
