#ifndef TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP
#define TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP

#include "backends/cuda/poisson_solve_planes/complex_number.hpp"
#include "core/base/device_code.hpp"

#include <cstdint>

/// \file
/// Discrete Fourier transforms of 2^n complex numbers, many at a time, in the memory of a block of
/// threads and in place: numbers go in by their order and come out by the order of their digits,
/// which the way back takes (W. M. Gentleman, G. Sande, "Fast Fourier transforms: for fun and
/// profit", AFIPS Conf. Proc. 29, 563 (1966)). A product with something that is known in that order
/// needs no other.
///
/// Functions take the block as `Threads`: rank(), size() and barrier(), which a host can stand for
/// with one thread. Neighboring threads take neighboring transforms, so that roots of unity are the
/// same for a warp and, by strides that are odd or one, no two lanes of a load share a bank.

namespace tessera::cuda::poisson_solve_planes {

/// Bits of the radix of the next pass where so many are left: eighths, and fourths for the rest of
/// 2^4, where a half would take a pass as long.
[[nodiscard]] TESSERA_INLINE int radix_bits(int left) {
  return left == 4 ? 2 : left > 3 ? 3 : left;
}

/// The number of the wave that a forward transform of 2^bits leaves at `place`.
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
/// And the place of a wave.
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

/// Where a batch of transforms lies: element i of transform b at data[b * distance + i * stride],
/// the upper half of the batch `gap` further on.
template <class Real>
struct Batch {
  Complex<Real>* data;
  int bits;        ///< 2^bits elements each
  int log2_count;  ///< 2^log2_count of them
  int stride, distance;
  /// exp(-2 pi i t / 2^(bits + 1)) for t from 0.
  const Complex<Real>* roots;
  int log2_lower = 30;  ///< transforms before the gap, a power of two
  int gap = 0;

  [[nodiscard]] TESSERA_INLINE Complex<Real>* transform(int b) const {
    return data + (b & ((1 << log2_lower) - 1)) * distance + (b >> log2_lower) * gap;
  }
};

/// What one thread does of a pass in which runs of 2^length_bits elements are left to transform.
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

/// All passes but those that transform runs of 2^until elements, or all of them. Ends with a
/// barrier; so must what wrote the elements.
template <class Real, class Threads>
TESSERA_INLINE void forward(const Threads& threads, const Batch<Real>& batch, int until = 0) {
  for (int left = batch.bits; left > until;) {
    const int digit = radix_bits(left);
    pass<false>(threads, batch, left, digit);
    left -= digit;
  }
}

/// The way back, from runs of 2^from elements that are transformed back already. Nothing is divided
/// by the length.
template <class Real, class Threads>
TESSERA_INLINE void backward(const Threads& threads, const Batch<Real>& batch, int from = 0) {
  for (int done = from; done < batch.bits;) {
    // The last of the forward passes that has not been undone.
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

/// Bits of the last pass forward.
[[nodiscard]] TESSERA_INLINE int last_digit(int bits) {
  int left = bits;
  int digit = radix_bits(left);
  while (left > digit) {
    left -= digit;
    digit = radix_bits(left);
  }
  return digit;
}

/// The last pass forward, the product with `factor(b)(wave)`, a number for each transform and wave,
/// and the first pass back.
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

/// Transforms, times `factor`, and back.
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

}  // namespace tessera::cuda::poisson_solve_planes

#endif  // TESSERA_BACKENDS_CUDA_POISSON_SOLVE_PLANES_TRANSFORM_IN_PLACE_HPP
