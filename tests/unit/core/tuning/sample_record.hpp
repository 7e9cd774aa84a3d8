#ifndef TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_RECORD_HPP
#define TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_RECORD_HPP

#include "core/tuning/tuning_record.hpp"

#include <string>

/// \file
/// A record for tests of the tuning database.

namespace tessera::test {

inline TunedDevice sample_gpu(const std::string& name = "NVIDIA H200") {
  return {"cuda", name, MemorySpace::cuda, "sm_90", 132, 132 * 2048, "12.8"};
}

inline TunedDevice sample_host(std::int64_t threads = 2) {
  return {"openmp", "Some Processor", MemorySpace::host, "x86-64", 1, threads, ""};
}

inline TuningRecord sample_record(std::int64_t size = 32768,
                                  const TunedDevice& device = sample_gpu()) {
  TuningRecord record;
  record.operation = "md/pair_force";
  record.problem = {size, {{"form", "lj/cut"}}, {{"neighbors", 55.5}, {"displacement", 0.0}}};
  record.device = device;
  record.build = {"0.1.0", "GNU 12", "NVIDIA 12.8", "4.5", "-march=native"};
  record.best = {{"cuda.list",
                  {{"block", std::int64_t{128}},
                   {"skin", 0.1},
                   {"sorted", true},
                   {"order", std::string("tiles")}},
                  1.0 / 3,
                  0.01,
                  21,
                  "aa",
                  {1.18, 1.22}},
                 {"cuda.portable", {}, 0.5, 0.02, 21, "bb", {1.05, 1.1}}};
  record.untuned = {"cuda.list", {{"block", std::int64_t{256}}}, 0.4, 0.01, 21, "aa", {}};
  record.noise = 0.015;
  record.candidates = 240;
  record.evaluated = 60;
  record.strategy = "halving";
  record.input = "melt";
  record.date = "2026-01-31T12:00:00Z";
  return record;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_RECORD_HPP
