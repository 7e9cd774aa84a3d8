#ifndef TESSERA_BACKENDS_CUDA_PAIR_COMMON_FIXED_SCALE_CUH
#define TESSERA_BACKENDS_CUDA_PAIR_COMMON_FIXED_SCALE_CUH

/// \file
/// Scale factors of sums in fixed point.

namespace tessera::cuda::pair_common {

/// Scale factors of a pair loop in fixed point, in the units of the loop.
template <class Real>
struct FixedScale {
  Real to_sum;         ///< factor of the force of a pair over its distance
  Real most;           ///< that product must be smaller than this
  Real energy_to_sum;  ///< factor of the energy of a pair
  Real most_energy;    ///< that product must be smaller than this
  Real virial_to_sum;  ///< additional factor of a virial, besides to_sum
  double force_unit;   ///< force of a sum of 1, in the caller's unit
  double energy_unit;  ///< energy of a count of 1 in a md::FixedTally, in the unit of the loop
  double virial_unit;  ///< virial of a count of 1, likewise
};

}  // namespace tessera::cuda::pair_common

#endif  // TESSERA_BACKENDS_CUDA_PAIR_COMMON_FIXED_SCALE_CUH
