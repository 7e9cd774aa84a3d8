#ifndef TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_TARGETS_HPP
#define TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_TARGETS_HPP

/// \file
/// Instruction sets for which no vector code is compiled, the same in every source: those of
/// unknown vector length, and one that adds nothing for sums to AVX-512.
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#endif  // TESSERA_BACKENDS_OPENMP_SUM_SIMD_SUM_TARGETS_HPP
