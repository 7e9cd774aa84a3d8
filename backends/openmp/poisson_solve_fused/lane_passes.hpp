// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_FUSED_LANE_PASSES) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_FUSED_LANE_PASSES
#undef TESSERA_FUSED_LANE_PASSES
#else
#define TESSERA_FUSED_LANE_PASSES
#endif

#include "backends/openmp/poisson_solve_fused/butterflies.hpp"
#include "backends/openmp/poisson_solve_fused/solve_kernels.hpp"

#include <hwy/highway.h>

#include <cstdint>

/// \file
/// Transforms of pairs of vectors, real and imaginary parts, one transform per lane.
/// Include after hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::fused::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of at most 256 bits: with longer ones, blocks would not fit into a cache of 1 MB.
template <class T>
using Tag = hn::CappedTag<T, 32 / sizeof(T)>;

/// Pairs of vectors in memory.
template <class T>
struct Pairs {
  T* data;
  std::int64_t step;   ///< numbers from one pair to the next
  std::int64_t count;  ///< number of pairs; further ones are zero (input) or not needed (output)
};

/// An even function by which the results of a transform are multiplied.
template <class T>
struct Even {
  /// Vectors; the factor of result k is number min(k, length - k).
  const T* values = nullptr;
  std::int64_t step = 0;  ///< numbers from one vector to the next
};

/// The passes of transforms.
/// \tparam is_backward whether to swap real and imaginary parts, which makes a transform backward.
template <class T, bool is_backward>
class Passes {
  using D = Tag<T>;
  static constexpr std::int64_t lane_count = hn::MaxLanes(D());
  static constexpr std::int64_t kRe = is_backward ? lane_count : 0;
  static constexpr std::int64_t kIm = lane_count - kRe;

 public:
  /// Runs all passes.
  /// \tparam with_factors whether the last pass multiplies results by the even function `times`.
  /// \param scratch memory for two transforms.
  template <bool with_factors>
  static HWY_INLINE void run(const LaneTransform<T>& transform, const Pairs<const T>& in,
                             const Pairs<T>& out, const Even<T>& times, T* scratch) {
    const std::int64_t size = 2 * lane_count * transform.length;
    T* from = scratch;
    T* to = scratch + size;
    const std::int64_t last = transform.count - 1;
    if (last == 0) return pass<true, true, with_factors>(transform, 0, in, out, times);
    pass<true, false, false>(transform, 0, in, whole(from, transform), times);
    for (std::int64_t k = 1; k < last; ++k) {
      pass<false, false, false>(transform, k, constant(from, transform), whole(to, transform),
                                times);
      T* const other = from;
      from = to;
      to = other;
    }
    pass<false, true, with_factors>(transform, last, constant(from, transform), out, times);
  }

 private:
  static Pairs<T> whole(T* data, const LaneTransform<T>& transform) {
    return {data, 2 * lane_count, transform.length};
  }
  static Pairs<const T> constant(const T* data, const LaneTransform<T>& transform) {
    return {data, 2 * lane_count, transform.length};
  }

  template <bool is_first, bool is_last, bool with_factors>
  static HWY_INLINE void pass(const LaneTransform<T>& transform, std::int64_t number,
                              const Pairs<const T>& in, const Pairs<T>& out, const Even<T>& times) {
    const LanePass& pass = transform.passes[number];
    const T* const factors = transform.factors + pass.factors;
    const std::int64_t length = transform.length;
    switch (pass.radix) {
      case 2:
        return step<2, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
      case 3:
        return step<3, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
      case 4:
        return step<4, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
      case 5:
        return step<5, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
      case 7:
        return step<7, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
      default:
        return step<8, is_first, is_last, with_factors>(pass, factors, length, in, out, times);
    }
  }

  static HWY_INLINE Complex<D> load(const Pairs<const T>& in, std::int64_t index) {
    const D d;
    const T* const at = in.data + index * in.step;
    return {hn::LoadU(d, at + kRe), hn::LoadU(d, at + kIm)};
  }
  static HWY_INLINE void store(const Complex<D>& value, const Pairs<T>& out, std::int64_t index) {
    const D d;
    T* const at = out.data + index * out.step;
    hn::StoreU(value.re, d, at + kRe);
    hn::StoreU(value.im, d, at + kIm);
  }

  /// One pass. The first pass splits a single transform; the last has no twiddle factors.
  template <int radix_value, bool is_first, bool is_last, bool with_factors>
  static HWY_NOINLINE void step(const LanePass& pass, const T* HWY_RESTRICT factors,
                                std::int64_t length, const Pairs<const T> in, const Pairs<T> out,
                                const Even<T> times) {
    const D d;
    const std::int64_t m = pass.m;
    const std::int64_t s = is_first ? 1 : pass.s;
    const bool all_in = !is_first || in.count >= length;
    for (std::int64_t p = 0; p < (is_last ? 1 : m); ++p) {
      Complex<D> factor[radix_value];
      if constexpr (!is_last)
        for (int j = 1; j < radix_value; ++j) {
          const T* const at = factors + 2 * (p * (radix_value - 1) + j - 1);
          factor[j] = {hn::Set(d, at[0]), hn::Set(d, at[1])};
        }
      for (std::int64_t q = 0; q < s; ++q) {
        Complex<D> a[radix_value];
        for (int k = 0; k < radix_value; ++k) {
          const std::int64_t index = q + s * (p + k * m);
          if (all_in || index < in.count)
            a[k] = load(in, index);
          else
            a[k] = {hn::Zero(d), hn::Zero(d)};
        }
        butterfly<radix_value>(d, a);
        for (int j = 0; j < radix_value; ++j) {
          const std::int64_t index = q + s * (radix_value * p + j);
          Complex<D> b = a[j];
          if constexpr (is_last) {
            if (index >= out.count) continue;
            if constexpr (with_factors) {
              const std::int64_t rest = length - index;
              const auto even =
                  hn::LoadU(d, times.values + (index < rest ? index : rest) * times.step);
              b = {hn::Mul(b.re, even), hn::Mul(b.im, even)};
            }
          } else if (j > 0) {
            b = {hn::NegMulAdd(a[j].im, factor[j].im, hn::Mul(a[j].re, factor[j].re)),
                 hn::MulAdd(a[j].im, factor[j].re, hn::Mul(a[j].re, factor[j].im))};
          }
          store(b, out, index);
        }
      }
    }
  }
};

}  // namespace tessera::openmp::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
