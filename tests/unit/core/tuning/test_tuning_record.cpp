#include "tests/support/input_errors.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/core/tuning/sample_record.hpp"

#include <doctest/doctest.h>

namespace tessera {
namespace {

using test::check_input_error;
using test::sample_record;
using test::with;

TEST_CASE("a record comes back from its JSON as it was") {
  TuningRecord record = sample_record();
  record.kept_default = true;
  record.input = "a \"case\"\nof two lines.toml";
  CHECK(tuning_record(to_json(record)) == record);
  CHECK(to_json(record).find('\n') == std::string::npos);
  CHECK(record.gain() == test::relative(1.2));
  CHECK(subject_of(record) == "md/pair_force double 32768");
}

TEST_CASE("records with the former name of the parameters are read") {
  const std::string now = to_json(sample_record());
  std::string before = now;
  const std::string name = "\"parameters\":";
  std::size_t fields = 0;
  for (std::size_t at; (at = before.find(name)) != std::string::npos; ++fields)
    before.replace(at, name.size(), "\"knobs\":");
  CHECK(fields > 1);
  CHECK(to_json(tuning_record(before)) == now);
}

TEST_CASE("a decimal parameter with a whole value stays a decimal one") {
  TuningRecord record = sample_record();
  record.best[0].parameters = {{"skin", 1.0}};
  CHECK(std::get<double>(tuning_record(to_json(record)).winner().parameters.at("skin")) == 1.0);
}

TEST_CASE("what is wrong with a record is told by its path") {
  const InputError::Where where{"tuning.json", 0, "records[3]", {}};
  const std::string text = to_json(sample_record());
  struct Wrong {
    std::string from, to, field, message;
  };
  for (const Wrong& wrong : {
           Wrong{"\"operation\":\"md/pair_force\"", "\"operation\":7", "records[3].operation",
                 "expected a text"},
           Wrong{"\"precision\":\"double\"", "\"precision\":\"duoble\"", "records[3].precision",
                 "double"},
           Wrong{"\"size\":32768", "\"size\":-1", "records[3].problem.size", "whole number"},
           Wrong{"\"size\":32768", "\"size\":1e400", "records[3]", "expected an object"},
           Wrong{"\"memory\":\"cuda\"", "\"memory\":\"dram\"", "records[3].device.memory", "host"},
           Wrong{"\"driver\":\"12.8\"", "\"diver\":\"12.8\"", "records[3].device.driver",
                 "is missing"},
           Wrong{"\"block\":128", "\"block\":[]", "records[3].best[0].parameters.block",
                 "a number"},
           Wrong{"\"block\":128", "\"block\":18446744073709551615",
                 "records[3].best[0].parameters.block", "64 bits"},
           Wrong{"\"seconds\":0.5", "\"seconds\":0", "records[3].best[1].seconds", "greater than"},
           Wrong{"\"samples\":21", "\"samples\":9999999999", "records[3].best[0].samples",
                 "whole number"},
           Wrong{"\"kept_default\":false", "\"kept_default\":0", "records[3].kept_default",
                 "true or false"},
           Wrong{"[1.18,1.22]", "[1.18]", "records[3].best[0].gains[1]", "is missing"},
           Wrong{"[1.18,1.22]", "[1.22,1.18]", "records[3].best[0].gains", "least gain"},
           Wrong{"[1.05,1.1]", "[0,1.1]", "records[3].best[1].gains", "least gain"},
           Wrong{"[1.05,1.1]", "[1.05,\"x\"]", "records[3].best[1].gains[1]", "number"},
           Wrong{"\"noise\":0.015", "\"noise\":\"low\"", "records[3].noise", "finite number"},
       }) {
    INFO(wrong.to);
    try {
      static_cast<void>(tuning_record(with(text, wrong.from, wrong.to), where));
      FAIL_CHECK("nothing was thrown");
    } catch (const InputError& error) {
      CHECK(error.where().file == "tuning.json");
      CHECK(error.where().field == wrong.field);
      CHECK(std::string(error.what()).find(wrong.message) != std::string::npos);
    }
  }
  TuningRecord empty = sample_record();
  empty.best.clear();
  check_input_error([&] { static_cast<void>(tuning_record(to_json(empty))); },
                    {0, "best", "[]", "expected a winner"});
}

TEST_CASE("records of one subject are those of one problem on one device") {
  const TuningRecord record = sample_record();
  TuningRecord other = record;
  other.date = "2027";
  other.best.pop_back();
  other.device.driver = "13";
  other.problem.magnitudes["neighbors"] *= 1.0001;
  CHECK(same_subject(record, other));
  for (int change = 0; change < 5; ++change) {
    other = record;
    if (change == 0) other.problem.size += 1;
    if (change == 1) other.precision = Precision::mixed;
    if (change == 2) other.device.name = "NVIDIA H100";
    if (change == 3) other.problem.kinds["form"] = "coul/rf";
    if (change == 4) other.problem.magnitudes["neighbors"] *= 1.1;
    CHECK_FALSE(same_subject(record, other));
  }
}

}  // namespace
}  // namespace tessera
