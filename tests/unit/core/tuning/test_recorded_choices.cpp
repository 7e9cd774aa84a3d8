#include "core/operations/choices.hpp"
#include "core/operations/open_device.hpp"
#include "core/tuning/recorded_choices.hpp"
#include "core/tuning/source_hash.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/unit/core/tuning/sample_record.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <unistd.h>

namespace tessera {
namespace {

using test::sample_gpu;
using test::sample_host;
using test::sample_record;
using test::TemporaryDirectory;

/// Output on the error stream (warnings) while `action` runs.
std::string warnings_of(const TemporaryDirectory& folder, const std::function<void()>& action) {
  std::fflush(stderr);
  const int before = ::dup(2);
  std::FILE* const file = std::fopen((folder / "warnings").c_str(), "w");
  ::dup2(::fileno(file), 2);
  action();
  std::fflush(stderr);
  ::dup2(before, 2);
  ::close(before);
  std::fclose(file);
  return folder.read("warnings");
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

/// The build of the sample, in which every implementation has the source hash "aa".
TuningSetting setting() {
  return {sample_record().build, [](const std::string&, Precision, const std::string&) {
            return std::optional<std::string>("aa");
          }};
}

DeviceProperties properties(const TunedDevice& device) {
  DeviceProperties p;
  p.backend = device.backend;
  p.name = device.name;
  p.memory = device.memory;
  p.architecture = device.architecture;
  p.compute_units = device.compute_units;
  p.concurrency = device.concurrency;
  p.driver = device.driver;
  return p;
}

std::optional<TunedChoice> ask(const RecordedChoices& choices, std::int64_t size = 32768,
                               const TunedDevice& device = sample_gpu()) {
  return choices.find("md/pair_force", Precision::double_precision, sample_record(size).problem,
                      properties(device));
}

TEST_CASE("a record becomes a choice that says what it rests on") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  database.add({sample_record()});
  const RecordedChoices choices(database, setting());
  CHECK(warnings_of(folder, [&] {
          const auto exact = ask(choices);
          REQUIRE(exact);
          CHECK(exact->implementation == "cuda.list");
          CHECK(exact->parameters == sample_record().winner().parameters);
          CHECK(exact->evidence.text ==
                "tuned for a size of 32768 on NVIDIA H200, 1.20 x the default");
          CHECK(exact->evidence.match == "exact");
          CHECK(ask(choices, 131072)->evidence.text ==
                "tuned for a size of 32768, the nearest to 131072, on NVIDIA H200, 1.20 x the "
                "default");
          CHECK_FALSE(ask(choices, 1000000));
        }).empty());
  CHECK(choices.known("md/pair_force", Precision::double_precision, properties(sample_gpu()))
            .size() == 1);
}

TEST_CASE("another device of the architecture is told of once") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  database.add({sample_record(32768, sample_gpu("NVIDIA H100"))});
  const RecordedChoices choices(database, setting());
  const std::string text = warnings_of(folder, [&] {
    for (int n = 0; n < 2; ++n)
      CHECK(ask(choices)->evidence.text ==
            "tuned for a size of 32768 on NVIDIA H100, another device of sm_90, 1.20 x the "
            "default");
  });
  CHECK(count(text, "warning") == 1);
  CHECK(text.find("md/pair_force double 32768 was measured on NVIDIA H100, this is NVIDIA H200 of "
                  "the same architecture; it is used") != std::string::npos);
}

TEST_CASE("records that cannot be used are told in one warning") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  TuningRecord old = sample_record(1000);
  old.build.version = "0.0.1";
  TuningRecord changed = sample_record(2000);
  changed.best[0].source = "ff";
  TuningRecord deposit = sample_record(500, sample_host());
  deposit.operation = "pic/charge_deposit";
  database.add({sample_record(32000, sample_host(64)), old, changed, deposit});
  const RecordedChoices choices(database, setting());
  const std::string text = warnings_of(folder, [&] {
    for (int n = 0; n < 3; ++n)
      CHECK_FALSE(ask(choices));
  });
  CHECK(count(text, "warning") == 1);
  CHECK(text.find("4 records ignored: md/pair_force double 32000 was measured on Some Processor, "
                  "this is NVIDIA H200; md/pair_force double 1000: the library was 0.0.1, is 0.1.0 "
                  "now; md/pair_force double 2000: the sources of cuda.list have changed; and 1 "
                  "more") != std::string::npos);
}

TEST_CASE("records of other machines cause no warning where there is a record of this machine") {
  const TemporaryDirectory folder;
  const TuningDatabase database(folder / "tuning.json");
  TuningRecord deposit = sample_record(500, sample_host());
  deposit.operation = "pic/charge_deposit";
  database.add({sample_record(), sample_record(32768, sample_host(64)), deposit});
  const RecordedChoices choices(database, setting());
  // A record of an operation that is not used causes no warning either.
  CHECK(warnings_of(folder, [&] { CHECK(ask(choices)); }).empty());
}

TEST_CASE("a database that cannot be read is one warning, and nothing is tuned") {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "folder.json");
  for (const auto& path : {folder.write("damaged.json", "{\"schema\""), folder / "folder.json",
                           folder.write("newer.json", "{\"schema\": 9, \"records\": []}")}) {
    const RecordedChoices choices{TuningDatabase(path), setting()};
    const std::string text = warnings_of(folder, [&] {
      CHECK_FALSE(ask(choices));
      CHECK_FALSE(ask(choices));
    });
    CHECK(count(text, "warning") == 1);
    CHECK(text.find(path.string()) != std::string::npos);
    CHECK(text.find("nothing is tuned") != std::string::npos);
  }
  const RecordedChoices none{TuningDatabase(folder / "none.json"), setting()};
  CHECK(warnings_of(folder, [&] { CHECK_FALSE(ask(none)); }).empty());
  const RecordedChoices partly{
      TuningDatabase(folder.write("partly.json", "{\"schema\": 1, \"records\": [7]}")), setting()};
  CHECK(warnings_of(folder, [&] { CHECK_FALSE(ask(partly)); }).find("1 record ignored: ") !=
        std::string::npos);
}

/// Gives the same choice for every problem, and counts the calls.
class Always final : public TunedChoices {
 public:
  explicit Always(TunedChoice choice) : choice_(std::move(choice)) {}
  [[nodiscard]] std::optional<TunedChoice> find(const std::string&, Precision, const ProblemKey&,
                                                const DeviceProperties&,
                                                const std::string& implementation) const override {
    ++asked;
    if (!implementation.empty() && implementation != choice_.implementation) return {};
    return choice_;
  }
  [[nodiscard]] std::vector<TunedChoice> known(const std::string&, Precision,
                                               const DeviceProperties&) const override {
    return {choice_};
  }
  mutable int asked = 0;

 private:
  TunedChoice choice_;
};

Context tuned(const std::string& implementation, const ParameterValues& parameters = {},
              Choices choices = {}) {
  TunedChoice choice{implementation, parameters, {}};
  choice.evidence.text = "tuned for a test";
  choices.use_tuned(std::make_shared<Always>(choice));
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  return context;
}

reduction::SumProblem sums() {
  reduction::SumProblem problem;
  problem.rows = 10;
  return problem;
}

TEST_CASE("a winner runs unless a choice of higher priority exists") {
  const auto selected = select<reduction::Sum, Double>(sums(), tuned("reference"));
  CHECK(selected.choice.implementation == "reference");
  CHECK(selected.choice.source == ChoiceSource::tuned);
  CHECK(selected.choice.evidence.text == "tuned for a test");

  Choices asked;
  asked.choose(registry(), "sum", "serial.portable");
  const auto users = select<reduction::Sum, Double>(sums(), tuned("reference", {}, asked));
  CHECK(users.choice.implementation == "serial.portable");
  CHECK(users.choice.source == ChoiceSource::user);
  CHECK(users.choice.evidence.text.empty());

  Choices configured;
  configured.choose(registry(), "sum", "serial.portable", ChoiceSource::configured);
  CHECK(select<reduction::Sum, Double>(sums(), tuned("reference", {}, configured)).choice.source ==
        ChoiceSource::tuned);
  Choices automatic;
  automatic.choose(registry(), "sum", "auto");
  CHECK(select<reduction::Sum, Double>(sums(), tuned("reference", {}, automatic)).choice.source ==
        ChoiceSource::tuned);
}

TEST_CASE("a winner that cannot run is passed over, with the reason") {
  struct Bad {
    std::string implementation;
    ParameterValues parameters;
  };
  for (const Bad& bad :
       {Bad{"cuda.gone", {}}, Bad{"serial.portable", {{"tile", std::int64_t{8}}}}}) {
    const Context context = tuned(bad.implementation, bad.parameters);
    const auto selected = select<reduction::Sum, Double>(sums(), context);
    CHECK(selected.choice.implementation == "serial.portable");
    CHECK(selected.choice.source == ChoiceSource::default_order);
    CHECK(selected.choice.parameters.empty());
    CHECK(selected.choice.evidence.text.empty());
  }
  CHECK(tuned_offer(registry(), "reduction/sum", Precision::double_precision, problem_key(sums()),
                    tuned("cuda.gone"))
            ->skipped == "this build has no cuda.gone");
  auto offer = tuned_offer(registry(), "reduction/sum", Precision::double_precision,
                           problem_key(sums()), tuned("serial.portable"));
  REQUIRE(offer);
  offer->skipped = "of a test";
  const Context context = registry().open("serial");
  bool told = false;
  for (const RankedImplementation& row : rank(
           registry(), "reduction/sum", Precision::double_precision, context,
           [](const ImplementationBase&) { return Refusal{}; }, offer))
    told =
        told || (row.chosen &&
                 row.reason == "first in the default order; a tuning record is ignored: of a test");
  CHECK(told);
}

TEST_CASE("a problem without a key asks for nothing, nor does who measures") {
  TunedChoice choice{"reference", {}, {}};
  const auto always = std::make_shared<Always>(choice);
  Choices choices;
  choices.use_tuned(always);
  Context context = registry().open("serial");
  context.choices = std::make_shared<const Choices>(choices);
  CHECK_FALSE(tuned_offer(registry(), "reduction/sum", Precision::double_precision, {}, context));
  CHECK(always->asked == 0);
  CHECK(open_for(registry(),
                 registry().find("reduction/sum", Precision::double_precision, "serial.portable"))
            .choices->tuned() == nullptr);
}

TEST_CASE("sources are told apart by what an implementation is made of") {
  const auto hash = [](const std::string& operation, const std::string& name) {
    return source_hash(registry().find(operation, Precision::double_precision, name).info());
  };
  const std::string sum = hash("reduction/sum", "serial.portable");
  CHECK(sum.size() == 16);
  CHECK(sum == hash("reduction/extrema", "serial.portable"));  // one module, one adapter
  CHECK(sum != hash("reduction/sum", "reference"));
  CHECK(sum != hash("md/wrap", "serial.portable"));
  const TemporaryDirectory folder;
  ImplementationInfo info =
      registry().find("reduction/sum", Precision::double_precision, "serial.portable").info();
  info.origin = folder.write("a.so", "some code");
  const std::string outside = source_hash(info);
  CHECK(outside != sum);
  info.origin = folder.write("b.so", "other code");
  CHECK(source_hash(info) != outside);
}

}  // namespace
}  // namespace tessera
