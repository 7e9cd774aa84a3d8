#include "core/tuning/tuning_lookup.hpp"
#include "tests/unit/core/tuning/sample_record.hpp"

#include <doctest/doctest.h>

namespace tessera {
namespace {

using test::sample_gpu;
using test::sample_host;
using test::sample_record;

/// A setting in which all sources are unchanged since the sample was measured.
TuningSetting unchanged() {
  return {sample_record().build,
          [](const std::string&, Precision, const std::string& name) -> std::optional<std::string> {
            if (name == "cuda.list") return "aa";
            if (name == "cuda.portable") return "bb";
            return {};
          }};
}

std::optional<FoundTuning> find(const std::vector<TuningRecord>& records, ProblemKey problem,
                                const TunedDevice& device = sample_gpu(),
                                const std::string& implementation = {}) {
  return find_tuning(records, "md/pair_force", Precision::double_precision, problem, device,
                     unchanged(), implementation);
}

ProblemKey of_size(std::int64_t size, double neighbors = 55.5) {
  ProblemKey problem = sample_record(size).problem;
  problem.magnitudes["neighbors"] = neighbors;
  return problem;
}

TEST_CASE("a record of the same size and magnitudes is exact") {
  const std::vector<TuningRecord> records{sample_record(1 << 20), sample_record(32768)};
  const auto found = find(records, of_size(32000, 60));
  REQUIRE(found);
  CHECK(found->record == &records[1]);
  CHECK(found->how.match == TuningMatch::exact);
  CHECK(found->candidate->implementation == "cuda.list");
}

TEST_CASE("sizes within a factor of eight serve, the nearest first") {
  const std::vector<TuningRecord> records{sample_record(32768), sample_record(131072)};
  CHECK(find(records, of_size(100000))->record == &records[1]);
  const auto far = find(records, of_size(4096));
  REQUIRE(far);
  CHECK(far->record == &records[0]);
  CHECK(far->how.match == TuningMatch::near_size);
  CHECK_FALSE(find(records, of_size(4095)));
  CHECK_FALSE(find(records, of_size(8 * 131072 + 1)));
  CHECK_FALSE(find(records, of_size(0)));
}

TEST_CASE("magnitudes that both know are about the same, kinds the same") {
  const std::vector<TuningRecord> records{sample_record()};
  CHECK(find(records, of_size(32768, 55.5 * 1.4))->how.match == TuningMatch::exact);
  CHECK(find(records, of_size(32768, 55.5 * 1.45))->how.match == TuningMatch::near_size);
  CHECK(find(records, of_size(32768, 55.5 / 2))->how.match == TuningMatch::near_size);
  CHECK_FALSE(find(records, of_size(32768, 55.5 / 2.01)));
  CHECK(find(records, of_size(32768, 0))->how.match == TuningMatch::exact);  // unknown
  ProblemKey problem = of_size(32768);
  problem.magnitudes["displacement"] = 0.2;  // a magnitude that the record does not have
  CHECK(find(records, problem)->how.match == TuningMatch::exact);
  problem.kinds["form"] = "coul/rf";
  CHECK_FALSE(find(records, problem));
  problem = of_size(32768);
  problem.kinds["outputs"] = "forces";
  CHECK_FALSE(find(records, problem));
}

TEST_CASE("the newest counts among those as near, then the first") {
  std::vector<TuningRecord> records{sample_record(), sample_record(), sample_record()};
  records[1].date = "2026-02-01T00:00:00Z";
  records[2].date = records[1].date;
  CHECK(find(records, of_size(32768))->record == &records[1]);
}

TEST_CASE("another device of one architecture serves where there is nothing better") {
  std::vector<TuningRecord> records{sample_record(32768, sample_gpu("NVIDIA H100"))};
  CHECK(find(records, of_size(32768))->how.match == TuningMatch::other_device);
  records.push_back(sample_record(100000));
  CHECK(find(records, of_size(32768))->record == &records[1]);
  TunedDevice older = sample_gpu();
  older.architecture = "sm_80";
  CHECK_FALSE(find(records, of_size(32768), older));
}

TEST_CASE("a host is the same with its name and its threads alone") {
  const std::vector<TuningRecord> records{sample_record(32768, sample_host(2))};
  TunedDevice host = sample_host(2);
  host.backend = "serial";
  CHECK(find(records, of_size(32768), host));
  CHECK_FALSE(find(records, of_size(32768), sample_host(3)));
  host.name = "Other Processor";
  CHECK_FALSE(find(records, of_size(32768), host));
  CHECK_FALSE(find(records, of_size(32768), sample_gpu()));
  CHECK(*foreign(records[0], sample_host(3)) ==
        "was measured on Some Processor with 2 threads, this is Some Processor with 3 threads");
}

TEST_CASE("the best values of one implementation are found too") {
  const std::vector<TuningRecord> records{sample_record()};
  const auto found = find(records, of_size(32768), sample_gpu(), "cuda.portable");
  REQUIRE(found);
  CHECK(found->candidate == &records[0].best[1]);
  CHECK_FALSE(find(records, of_size(32768), sample_gpu(), "cuda.tiled"));
}

TEST_CASE("what has changed since makes a record stale, and is named") {
  const TuningRecord record = sample_record();
  const auto reason = [&](const TuningRecord& r, TuningSetting setting = unchanged()) {
    return stale(r, r.winner(), sample_gpu(), setting).value_or("");
  };
  CHECK(reason(record).empty());
  TuningRecord changed = record;
  changed.build.version = "0.0.9";
  CHECK(reason(changed) == "the library was 0.0.9, is 0.1.0 now");
  changed = record;
  changed.build.compiler = "Clang 19";
  CHECK(reason(changed).find("the compiler") == 0);
  changed = record;
  changed.build.flags = "";
  CHECK(reason(changed) == "the flags was none, is -march=native now");
  changed = record;
  changed.build.cuda_compiler = "NVIDIA 11.8";
  CHECK(reason(changed).find("the CUDA compiler") == 0);
  changed = record;
  changed.device.driver = "11.8";
  CHECK(reason(changed) == "the driver was 11.8, is 12.8 now");
  changed = record;
  changed.build.kokkos = "3.7";
  CHECK(reason(changed).empty());
  changed.best[0].implementation = "kokkos.portable";
  CHECK(reason(changed).find("Kokkos") == 0);
  changed = record;
  changed.best[0].source = "ab";
  CHECK(reason(changed) == "the sources of cuda.list have changed");
  changed = record;
  changed.best[0].implementation = "cuda.gone";
  CHECK(reason(changed) == "this build has no cuda.gone");
  CHECK_FALSE(find({changed}, of_size(32768)));
  // A record of a host is valid without GPU code.
  TuningRecord host = sample_record(32768, sample_host());
  host.build.cuda_compiler = "";
  CHECK(reason(host).empty());
}

TEST_CASE("what the noise does not support is not used, and told") {
  const auto reason = [&](const TuningRecord& r) {
    return stale(r, r.winner(), sample_gpu(), unchanged()).value_or("");
  };
  TuningRecord record = sample_record();
  record.noise = 0.62;
  record.best[0].gains = {6.9, 7.8};
  CHECK(reason(record).find("times of the same candidate differ by 62.0 %") == 0);
  CHECK_FALSE(find({record}, of_size(32768)));
  record.noise = 0.1;
  record.best[0].gains = {1.05, 1.4};
  CHECK(reason(record) == "the gain is between 1.050 and 1.400, at a noise of 10.0 %");
  record.best[0].gains = {1.2, 1.4};
  CHECK(reason(record).empty());
  // An old record has a gain, 1.2, and a noise.
  record.best[0].gains = {};
  record.noise = 0.015;
  CHECK(reason(record).empty());
  record.noise = 0.1;
  CHECK(reason(record) == "the gain is between 1.080 and 1.320, at a noise of 10.0 %");
  record.best[0].seconds = 0.4 / 7.33;
  record.noise = 0.62;
  CHECK(reason(record).find("times of the same candidate differ by 62.0 %") == 0);
  // A record with the untuned candidate as the fastest is a claim too.
  record.best[0] = record.untuned;
  record.kept_default = true;
  CHECK(reason(record).find("times of the same") == 0);
  record.noise = 0.1;
  CHECK(reason(record).empty());
}

TEST_CASE("values of another implementation need to beat its own defaults") {
  TuningRecord record = sample_record();
  CHECK(find({record}, of_size(32768), sample_gpu(), "cuda.portable"));
  record.best[1].gains = {0.98, 1.3};
  CHECK_FALSE(find({record}, of_size(32768), sample_gpu(), "cuda.portable"));
  record.best[1].gains = {};
  CHECK(*stale(record, record.best[1], sample_gpu(), unchanged()) ==
        "it was not compared with the defaults of cuda.portable");
  CHECK(find({record}, of_size(32768)));
}

}  // namespace
}  // namespace tessera
