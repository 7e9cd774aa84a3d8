#ifndef TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_SPACE_HPP
#define TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_SPACE_HPP

#include "core/tuning/landscape.hpp"

#include <cmath>
#include <string>
#include <vector>

/// \file
/// A space of candidates with known times, of two implementations: one with three tuning
/// parameters, and one without.

namespace tessera::test {

inline double sample_seconds(const Candidate& c) {
  if (c.implementation == "slow.portable") return 3;
  const auto whole = [&](const char* parameter) {
    return static_cast<double>(std::get<std::int64_t>(c.parameters.at(parameter)));
  };
  const double block = std::log2(whole("block") / 128);
  const double lanes = std::log2(whole("lanes") / 4);
  const double skin = (std::get<double>(c.parameters.at("skin")) - 0.2) / 0.1;
  return 1 + 0.2 * block * block + 0.3 * lanes * lanes + 0.25 * skin * skin + 0.1 * block * skin;
}

/// A landscape of 5 x 6 x 8 + 1 candidates; the untuned one is neither the best nor the worst.
inline Landscape sample_landscape() {
  Landscape l;
  l.operation = "md/pair_force";
  l.precision = "double";
  l.input = "sample 1000";
  l.device = "a device";
  l.strategy = "exhaustive";
  l.key = {1000, {{"form", "lj/cut"}}, {{"neighbors", 55.5}}};
  l.items = 1000;
  l.candidates.push_back(
      {"fast.list", {{"block", std::int64_t{64}}, {"lanes", std::int64_t{2}}, {"skin", 0.1}}});
  for (const std::int64_t block : {32, 64, 128, 256, 512})
    for (const std::int64_t lanes : {1, 2, 4, 8, 16, 32})
      for (int s = 0; s < 8; ++s) {
        Candidate c{"fast.list", {{"block", block}, {"lanes", lanes}, {"skin", 0.05 + 0.05 * s}}};
        if (!(c == l.candidates.front())) l.candidates.push_back(c);
      }
  l.candidates.push_back({"slow.portable", {}});
  for (const Candidate& c : l.candidates) {
    Measurement m;
    m.outcome = Measurement::Outcome::measured;
    m.seconds = sample_seconds(c);
    m.spread = 0.01;
    m.samples = 5;
    m.steps = 10;
    l.measurements.push_back(m);
  }
  return l;
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_UNIT_CORE_TUNING_SAMPLE_SPACE_HPP
