#ifndef TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_TARGETS_HPP
#define TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_TARGETS_HPP

/// \file
/// Instruction sets for which no vector code is compiled: those of unknown vector length, and those
/// that add nothing for floating-point numbers to AVX-512, AVX2 and SSE4.
#define HWY_DISABLED_TARGETS \
  (HWY_AVX3_DL | HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#endif  // TESSERA_BACKENDS_OPENMP_POISSON_SOLVE_FUSED_SOLVE_TARGETS_HPP
