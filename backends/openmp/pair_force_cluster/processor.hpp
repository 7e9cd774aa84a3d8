#ifndef TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PROCESSOR_HPP
#define TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PROCESSOR_HPP

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/// \file
/// Properties of the processor that defaults of tuning parameters depend on. The instruction set
/// alone does not suffice: the first processors with vectors of 512 bits process them in halves.

namespace tessera::openmp::cluster {

/// Whether vectors of 512 bits were measured to be faster than those of 256: AMD's family 26
/// (Zen 5).
[[nodiscard]] inline bool prefers_512_bits() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned signature = 0, maker = 0, unused = 0;
  if (__get_cpuid(0, &unused, &maker, &unused, &unused) == 0 || maker != signature_AMD_ebx)
    return false;
  if (__get_cpuid(1, &signature, &unused, &unused, &unused) == 0) return false;
  const unsigned family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
  return family == 26;
#else
  return false;
#endif
}

}  // namespace tessera::openmp::cluster

#endif  // TESSERA_BACKENDS_OPENMP_PAIR_FORCE_CLUSTER_PROCESSOR_HPP
