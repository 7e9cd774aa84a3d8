#ifndef TESSERA_BACKENDS_OPENMP_SUM_SIMD_PARAMETERS_HPP
#define TESSERA_BACKENDS_OPENMP_SUM_SIMD_PARAMETERS_HPP

#include "core/parameters/tuning_parameter.hpp"

#include <array>
#include <tuple>

/// \file
/// Tuning parameters of openmp.simd. The defaults were the fastest in the table in README.md.

namespace tessera::openmp::simd_sum {

struct Parameters {
  int weight_rows = 256;   ///< rows whose weights are collected before they are used
  int bytes_ahead = 8192;  ///< prefetch distance in bytes
  /// Limit of weight_rows: weights are collected on the stack of a thread.
  static constexpr int most_weight_rows = 1024;

  static constexpr auto tuning_parameters() {
    return TuningParameters{
        std::tuple{TuningParameter{
                       "weight_rows", &Parameters::weight_rows,
                       in_space(std::array{128, 256, 512}, std::array{64, 128, 256, 512, 1024})},
                   TuningParameter{"bytes_ahead", &Parameters::bytes_ahead,
                                   in_space(std::array{2048, 4096, 8192, 16384},
                                            std::array{0, 512, 1024, 2048, 4096, 6144, 8192, 12288,
                                                       16384, 32768})}},
        ParameterRules<Parameters>{.refusal = &Parameters::refusal}};
  }
  [[nodiscard]] Refusal refusal() const {
    if (weight_rows < 64 || weight_rows > most_weight_rows || weight_rows % 64 != 0)
      return "a weight_rows from 64 to 1024 that is a multiple of 64";
    if (bytes_ahead < 0 || bytes_ahead > 1 << 20) return "a bytes_ahead from 0 to 2^20";
    return {};
  }
};

}  // namespace tessera::openmp::simd_sum

#endif  // TESSERA_BACKENDS_OPENMP_SUM_SIMD_PARAMETERS_HPP
