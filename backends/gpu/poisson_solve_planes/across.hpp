#ifndef TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ACROSS_HPP
#define TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ACROSS_HPP

#include "backends/gpu/poisson_solve_planes/call.hpp"
#include "backends/gpu/poisson_solve_planes/transform_in_place.hpp"

#include <cstdint>
#include <initializer_list>

/// \file
/// The convolution across x and y, for one wave number along z. For n numbers followed by n zeros,
/// the even wave numbers are the transform of the n numbers, the odd ones that of the numbers times
/// exp(-i pi j / n). So the zeros are never processed, and the half of the inverse transform that
/// would be discarded is never computed.
///
/// A block convolves the plane of a wave number in its shared memory if the plane fits there
/// (plane()), first for the even wave numbers along y, then for the odd ones. Else three passes
/// over global memory process the columns along y, the lines along x, and the columns again
/// (columns_forward(), lines(), columns_backward()).

namespace tessera::gpu::poisson_solve_planes {

/// Distance in elements between lines along x in the memory of a block. A line has two halves, for
/// even and odd wave numbers, and one element of padding against bank conflicts.
[[nodiscard]] TESSERA_INLINE int pitch_of_line(const Sizes& sizes) {
  return (2 << sizes.x) + 1;
}
/// The batch of transforms of 2^log2_lines lines in the memory of a block, both halves of each.
template <class Real>
[[nodiscard]] TESSERA_INLINE Batch<Real> batch_along_x(const Call<Real>& call,
                                                       Complex<Real>* memory, int log2_lines) {
  return {memory,       call.sizes.x, log2_lines + 1,   1, pitch_of_line(call.sizes),
          call.roots_x, log2_lines,   1 << call.sizes.x};
}

/// Convolves lines along x with the transform of the Green function. The first half of each line
/// holds the input and the result.
/// \param wave_y wave_y(line) is the wave number along y of a line.
template <class Real, class Threads, class WaveY>
TESSERA_INLINE void convolve_lines(const Threads& threads, const Call<Real>& call,
                                   Complex<Real>* memory, int log2_lines, std::int64_t wave_z,
                                   const WaveY& wave_y) {
  const int bits = call.sizes.x;
  const int lines = 1 << log2_lines;
  const int pitch = pitch_of_line(call.sizes);
  const int all = 1 << (bits + log2_lines);
  for (int w = threads.rank(); w < all; w += threads.size()) {
    const int x = w & ((1 << bits) - 1);
    Complex<Real>* const at = memory + (w >> bits) * pitch + x;
    at[1 << bits] = at[0] * call.roots_x[x];
  }
  threads.barrier();
  convolve(threads, batch_along_x(call, memory, log2_lines), [&](int b) {
    const typename Call<Real>::KernelLine line(call, wave_z, wave_y(b & (lines - 1)));
    return [line, odd = b >> log2_lines](int wave) { return line(2 * wave + odd); };
  });
  for (int w = threads.rank(); w < all; w += threads.size()) {
    const int x = w & ((1 << bits) - 1);
    Complex<Real>* const at = memory + (w >> bits) * pitch + x;
    at[0] = at[0] + turned<true>(at[1 << bits], call.roots_x[x]);
  }
  threads.barrier();
}

/// Number of elements in the memory of a block for a whole plane: its lines, and a second plane
/// with the result for even wave numbers along y.
[[nodiscard]] TESSERA_INLINE std::int64_t memory_of_plane(const Sizes& sizes) {
  return (std::int64_t{pitch_of_line(sizes)} << sizes.y) + (std::int64_t{1} << (sizes.x + sizes.y));
}

/// Convolves the plane of one wave number along z in the memory of a block.
template <class Real, class Threads>
TESSERA_INLINE void plane(const Threads& threads, const Call<Real>& call, std::int64_t wave_z,
                          Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const int pitch = pitch_of_line(sizes);
  const int all = 1 << (sizes.x + sizes.y);
  Complex<Real>* const rows = call.rows + (wave_z << (sizes.x + sizes.y));
  Complex<Real>* const done = memory + (std::int64_t{pitch} << sizes.y);
  const Batch<Real> along_y{memory, sizes.y, sizes.x, pitch, 1, call.roots_y};
  for (const int odd : {0, 1}) {
    for (int w = threads.rank(); w < all; w += threads.size()) {
      const int y = w >> sizes.x;
      const Complex<Real> value = rows[w];
      memory[y * pitch + (w & ((1 << sizes.x) - 1))] = odd > 0 ? value * call.roots_y[y] : value;
    }
    threads.barrier();
    forward(threads, along_y);
    convolve_lines(threads, call, memory, sizes.y, wave_z,
                   [&](int line) { return 2 * wave_at(line, sizes.y) + odd; });
    backward(threads, along_y);
    for (int w = threads.rank(); w < all; w += threads.size()) {
      const int y = w >> sizes.x;
      const Complex<Real> value = memory[y * pitch + (w & ((1 << sizes.x) - 1))];
      // `done` needs no barrier: each thread reads only elements that it wrote itself.
      if (odd > 0)
        rows[w] = done[w] + turned<true>(value, call.roots_y[y]);
      else
        done[w] = value;
    }
    threads.barrier();
  }
}

/// Number of elements in the memory of a block for 2^width adjacent columns along y: the even wave
/// numbers of all columns, then the odd ones.
[[nodiscard]] TESSERA_INLINE std::int64_t memory_of_columns(const Sizes& sizes, int width) {
  return std::int64_t{2} << (sizes.y + width);
}
template <class Real>
[[nodiscard]] TESSERA_INLINE Batch<Real> batch_of_columns(const Call<Real>& call,
                                                          Complex<Real>* memory, int width) {
  return {memory, call.sizes.y, width + 1, 1 << width,
          1,      call.roots_y, width,     1 << (call.sizes.y + width)};
}
/// First column of block `block` in an array of wave numbers along z x 2^log2_lines x nodes along
/// x.
template <class Element>
[[nodiscard]] TESSERA_INLINE Element* columns_of(Element* array, const Sizes& sizes, int log2_lines,
                                                 std::int64_t block, int width) {
  const std::int64_t x = (block << width) & ((std::int64_t{1} << sizes.x) - 1);
  return array + ((block >> (sizes.x - width)) << (sizes.x + log2_lines)) + x;
}

/// Transforms columns along y.
/// \param waves out: wave numbers along z x twice the nodes along y x nodes along x.
template <class Real, class Threads>
TESSERA_INLINE void columns_forward(const Threads& threads, const Call<Real>& call,
                                    std::int64_t block, int width, Complex<Real>* waves,
                                    Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const int neighbors = (1 << width) - 1;
  const int half = 1 << (sizes.y + width);
  const Complex<Real>* const from = columns_of(call.rows, sizes, sizes.y, block, width);
  for (int w = threads.rank(); w < half; w += threads.size()) {
    const std::int64_t y = w >> width;
    const Complex<Real> value = from[(y << sizes.x) + (w & neighbors)];
    memory[w] = value;
    memory[half + w] = value * call.roots_y[y];
  }
  threads.barrier();
  forward(threads, batch_of_columns(call, memory, width));
  Complex<Real>* const to = columns_of(waves, sizes, sizes.y + 1, block, width);
  for (int w = threads.rank(); w < 2 * half; w += threads.size())
    to[(std::int64_t{w >> width} << sizes.x) + (w & neighbors)] = memory[w];
}

/// Inverse of columns_forward(), up to the factor of the transforms.
template <class Real, class Threads>
TESSERA_INLINE void columns_backward(const Threads& threads, const Call<Real>& call,
                                     std::int64_t block, int width, const Complex<Real>* waves,
                                     Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const int neighbors = (1 << width) - 1;
  const int half = 1 << (sizes.y + width);
  const Complex<Real>* const from = columns_of(waves, sizes, sizes.y + 1, block, width);
  for (int w = threads.rank(); w < 2 * half; w += threads.size())
    memory[w] = from[(std::int64_t{w >> width} << sizes.x) + (w & neighbors)];
  threads.barrier();
  backward(threads, batch_of_columns(call, memory, width));
  Complex<Real>* const to = columns_of(call.rows, sizes, sizes.y, block, width);
  for (int w = threads.rank(); w < half; w += threads.size()) {
    const std::int64_t y = w >> width;
    to[(y << sizes.x) + (w & neighbors)] =
        memory[w] + turned<true>(memory[half + w], call.roots_y[y]);
  }
}

[[nodiscard]] TESSERA_INLINE std::int64_t memory_of_lines(const Sizes& sizes, int log2_lines) {
  return std::int64_t{pitch_of_line(sizes)} << log2_lines;
}

/// Convolves 2^log2_lines adjacent lines of the result of columns_forward() along x, in place.
template <class Real, class Threads>
TESSERA_INLINE void lines(const Threads& threads, const Call<Real>& call, std::int64_t block,
                          int log2_lines, Complex<Real>* waves, Complex<Real>* memory) {
  const Sizes& sizes = call.sizes;
  const int pitch = pitch_of_line(sizes);
  const int all = 1 << (sizes.x + log2_lines);
  const std::int64_t first = block << log2_lines;
  Complex<Real>* const here = waves + (first << sizes.x);
  for (int w = threads.rank(); w < all; w += threads.size())
    memory[(w >> sizes.x) * pitch + (w & ((1 << sizes.x) - 1))] = here[w];
  threads.barrier();
  // The wave numbers of a plane: even ones, then odd ones, each in digit-reversed order.
  const auto in_plane = static_cast<int>(first & ((std::int64_t{2} << sizes.y) - 1));
  convolve_lines(threads, call, memory, log2_lines, first >> (sizes.y + 1), [&](int line) {
    const int place = in_plane + line;
    return 2 * wave_at(place & ((1 << sizes.y) - 1), sizes.y) + (place >> sizes.y);
  });
  for (int w = threads.rank(); w < all; w += threads.size())
    here[w] = memory[(w >> sizes.x) * pitch + (w & ((1 << sizes.x) - 1))];
}

}  // namespace tessera::gpu::poisson_solve_planes

#endif  // TESSERA_BACKENDS_GPU_POISSON_SOLVE_PLANES_ACROSS_HPP
