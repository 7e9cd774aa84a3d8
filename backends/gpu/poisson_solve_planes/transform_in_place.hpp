#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP

#include "backends/gpu/poisson_solve_planes/complex_number.hpp"
#include "core/base/device_code.hpp"

#include <cstdint>

/// \file
/// Batched discrete Fourier transforms of 2^n complex numbers, in place in the memory of a block of
/// threads. The forward transform takes numbers in natural order and leaves them in digit-reversed
/// order, from which the backward transform starts (W. M. Gentleman, G. Sande, "Fast Fourier
/// transforms: for fun and profit", AFIPS Conf. Proc. 29, 563 (1966)). A convolution needs no
/// reordering if its factors are available in that order.
///
/// Functions take the block as `Threads` with rank(), size() and barrier(); on a host one thread
/// can represent it. Neighboring threads process neighboring transforms, so that a warp uses the
/// same roots of unity; strides that are odd or one avoid bank conflicts.

namespace tessera::gpu::poisson_solve_planes {

/// Number of bits of the radix of the next pass where `left` bits remain: radix 8, and two passes
/// of radix 4 for the last four bits, because a pass of radix 2 would take as long.
[[nodiscard]] TESSERA_INLINE int radix_bits(int left) {
  return left == 4 ? 2 : left > 3 ? 3 : left;
}

/// Wave number that a forward transform of 2^bits numbers leaves at index `place`.
[[nodiscard]] TESSERA_INLINE int wave_at(int place, int bits) {
  int wave = 0;
  int known = 0;
  for (int left = bits; left > 0;) {
    const int digit = radix_bits(left);
    left -= digit;
    wave |= ((place >> left) & ((1 << digit) - 1)) << known;
    known += digit;
  }
  return wave;
}
/// Index at which a forward transform leaves a wave number; the inverse of wave_at().
[[nodiscard]] TESSERA_INLINE int place_of(int wave, int bits) {
  int place = 0;
  int known = 0;
  for (int left = bits; left > 0;) {
    const int digit = radix_bits(left);
    left -= digit;
    place |= ((wave >> known) & ((1 << digit) - 1)) << left;
    known += digit;
  }
  return place;
}

/// Layout of a batch of transforms: element i of transform b is data[b * distance + i * stride];
/// transforms of the upper half of the batch start `gap` elements further on.
template <class Real>
struct Batch {
  Complex<Real>* data;
  int bits;        ///< each transform has 2^bits elements
  int log2_count;  ///< the batch has 2^log2_count transforms
  int stride, distance;
  /// exp(-2 pi i t / 2^(bits + 1)) for t from 0.
  const Complex<Real>* roots;
  int log2_lower = 30;  ///< transforms before the gap, a power of two
  int gap = 0;

  [[nodiscard]] TESSERA_INLINE Complex<Real>* transform(int b) const {
    return data + (b & ((1 << log2_lower) - 1)) * distance + (b >> log2_lower) * gap;
  }
};

/// One butterfly of a pass in which runs of 2^length_bits elements are still to be transformed.
template <int RadixBits, bool Backward, class Real>
TESSERA_INLINE void butterfly(const Batch<Real>& batch, Complex<Real>* transform, int index,
                              int length_bits) {
  constexpr int radix = 1 << RadixBits;
  const int part_bits = length_bits - RadixBits;
  const int place = index & ((1 << part_bits) - 1);
  Complex<Real>* const first =
      transform + (((index >> part_bits) << length_bits) + place) * batch.stride;
  const int step = batch.stride << part_bits;
  const int turn = place << (batch.bits + 1 - length_bits);
  Complex<Real> v[radix];
  for (int q = 0; q < radix; ++q)
    v[q] = first[q * step];
  if (Backward && place > 0)
    for (int q = 1; q < radix; ++q)
      v[q] = turned<true>(v[q], batch.roots[q * turn]);
  transform_registers<radix, Backward>(v);
  if (!Backward && place > 0)
    for (int q = 1; q < radix; ++q)
      v[q] = turned<false>(v[q], batch.roots[q * turn]);
  for (int q = 0; q < radix; ++q)
    first[q * step] = v[q];
}

template <int RadixBits, bool Backward, class Real, class Threads>
TESSERA_INLINE void pass_of(const Threads& threads, const Batch<Real>& batch, int length_bits) {
  const int work = 1 << (batch.bits - RadixBits + batch.log2_count);
  for (int w = threads.rank(); w < work; w += threads.size())
    butterfly<RadixBits, Backward>(batch, batch.transform(w & ((1 << batch.log2_count) - 1)),
                                   w >> batch.log2_count, length_bits);
  threads.barrier();
}

template <bool Backward, class Real, class Threads>
TESSERA_INLINE void pass(const Threads& threads, const Batch<Real>& batch, int length_bits,
                         int digit) {
  if (digit == 3)
    pass_of<3, Backward>(threads, batch, length_bits);
  else if (digit == 2)
    pass_of<2, Backward>(threads, batch, length_bits);
  else
    pass_of<1, Backward>(threads, batch, length_bits);
}

/// Forward transform, except for the passes that transform runs of 2^until elements; 0: all passes.
/// It ends with a barrier. The caller must place a barrier between writing the elements and the
/// call.
template <class Real, class Threads>
TESSERA_INLINE void forward(const Threads& threads, const Batch<Real>& batch, int until = 0) {
  for (int left = batch.bits; left > until;) {
    const int digit = radix_bits(left);
    pass<false>(threads, batch, left, digit);
    left -= digit;
  }
}

/// Backward transform, from runs of 2^from elements that are transformed back already. The result
/// is not divided by the length.
template <class Real, class Threads>
TESSERA_INLINE void backward(const Threads& threads, const Batch<Real>& batch, int from = 0) {
  for (int done = from; done < batch.bits;) {
    // The last forward pass that has not been inverted yet.
    int left = batch.bits;
    int digit = radix_bits(left);
    while (left - digit > done) {
      left -= digit;
      digit = radix_bits(left);
    }
    pass<true>(threads, batch, left, digit);
    done = left;
  }
}

/// Number of bits of the last forward pass.
[[nodiscard]] TESSERA_INLINE int last_digit(int bits) {
  int left = bits;
  int digit = radix_bits(left);
  while (left > digit) {
    left -= digit;
    digit = radix_bits(left);
  }
  return digit;
}

/// The last forward pass, the product with `factor(b)(wave)`, a number for each transform and wave
/// number, and the first backward pass.
template <int RadixBits, class Real, class Threads, class Factor>
TESSERA_INLINE void multiply_with(const Threads& threads, const Batch<Real>& batch,
                                  const Factor& factor) {
  constexpr int radix = 1 << RadixBits;
  const int runs_bits = batch.bits - RadixBits;
  const int work = 1 << (runs_bits + batch.log2_count);
  for (int w = threads.rank(); w < work; w += threads.size()) {
    const int b = w & ((1 << batch.log2_count) - 1);
    const int run = w >> batch.log2_count;
    Complex<Real>* const first = batch.transform(b) + (run << RadixBits) * batch.stride;
    const int wave = wave_at(run << RadixBits, batch.bits);
    Complex<Real> v[radix];
    Real by[radix];
    const auto of_transform = factor(b);
    for (int q = 0; q < radix; ++q)
      by[q] = of_transform(wave + (q << runs_bits));
    for (int q = 0; q < radix; ++q)
      v[q] = first[q * batch.stride];
    transform_registers<radix, false>(v);
    for (int q = 0; q < radix; ++q)
      v[q] = by[q] * v[q];
    transform_registers<radix, true>(v);
    for (int q = 0; q < radix; ++q)
      first[q * batch.stride] = v[q];
  }
  threads.barrier();
}

/// Forward transform, product with `factor`, and backward transform.
template <class Real, class Threads, class Factor>
TESSERA_INLINE void convolve(const Threads& threads, const Batch<Real>& batch,
                             const Factor& factor) {
  const int digit = last_digit(batch.bits);
  forward(threads, batch, digit);
  if (digit == 3)
    multiply_with<3>(threads, batch, factor);
  else if (digit == 2)
    multiply_with<2>(threads, batch, factor);
  else
    multiply_with<1>(threads, batch, factor);
  backward(threads, batch, digit);
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP
