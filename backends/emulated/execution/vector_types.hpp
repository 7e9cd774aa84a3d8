#ifndef TESSERA_BACKENDS_EMULATED_EXECUTION_VECTOR_TYPES_HPP
#define TESSERA_BACKENDS_EMULATED_EXECUTION_VECTOR_TYPES_HPP

/// \file
/// The vector types of CUDA that kernels use.

struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};

[[nodiscard]] inline float4 make_float4(float x, float y, float z, float w) {
  return {x, y, z, w};
}
[[nodiscard]] inline int4 make_int4(int x, int y, int z, int w) {
  return {x, y, z, w};
}
[[nodiscard]] inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
[[nodiscard]] inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}

#endif  // TESSERA_BACKENDS_EMULATED_EXECUTION_VECTOR_TYPES_HPP
