#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_BUILTIN_VARIABLES_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_BUILTIN_VARIABLES_HPP

/// \file
/// The place of the calling thread in its block and grid.

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_BUILTIN_VARIABLES_HPP
