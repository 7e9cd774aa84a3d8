#ifndef TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_SHARES_HPP
#define TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_SHARES_HPP

#include "backends/cuda/deposit_window/fixed_words.hpp"
#include "core/base/device_code.hpp"
#include "physics/pic/particle_shape.hpp"

#include <cstdint>

/// \file
/// The shares of a particle in order 1, as integers that are added up.

namespace tessera::cuda::deposit_window {

/// For eight nodes, x the lowest bit of their number, offset_bits plus the integer of the share.
struct Shares {
  std::uint64_t of[8];

  [[nodiscard]] TESSERA_INLINE Words words(int n) const { return words_of_raised(of[n]); }
};

/// A whole number of magnitude up to 2^51 and its parts on both sides of a direction, in the
/// integers of WholeNumber: what is behind it is a subtraction of integers, that of numbers is made
/// where somebody splits further.
struct SplitNumber {
  double value;
  std::uint64_t bits;  ///< with the offset

  TESSERA_INLINE void split(double fraction, SplitNumber& below, SplitNumber& above) const {
#if defined(__CUDA_ARCH__)
    const double part = __dmul_rn(value, fraction);
#else
    const double part = value * fraction;
#endif
    const double raised = part + offset;
    above = {raised - offset, reduction::fixed_point::bits_of(raised)};
    below = {value - above.value, bits - above.bits + offset_bits};
  }
};

/// \param whole the particle in units of its block or call. \tparam Exact it is an integer, and so
/// are the shares, which add up to it. \param short_ones its magnitude is at most 2^51.
template <bool Exact>
[[nodiscard]] TESSERA_INLINE Shares shares_of(const double (&fraction)[3], double whole,
                                              bool short_ones) {
  Shares shares{};
  const std::int32_t low[3] = {0, 0, 0};
  const pic::SharedParticle<1, double> particle(low, fraction);
  if constexpr (Exact) {
    if (short_ones) {
      SplitNumber plane[2], row[2], node[2];
      SplitNumber{whole, reduction::fixed_point::bits_of(whole + offset)}.split(fraction[0],
                                                                                plane[0], plane[1]);
      for (int i = 0; i < 2; ++i) {
        plane[i].split(fraction[1], row[0], row[1]);
        for (int j = 0; j < 2; ++j) {
          row[j].split(fraction[2], node[0], node[1]);
          for (int k = 0; k < 2; ++k)
            shares.of[i + 2 * j + 4 * k] = node[k].bits;
        }
      }
    } else {
      particle.share_out(WholeNumber(whole), [&](int i, int j, int k, const WholeNumber& share) {
        shares.of[i + 2 * j + 4 * k] =
            offset_bits + static_cast<std::uint64_t>(static_cast<std::int64_t>(share.value));
      });
    }
  } else {
    particle.share_out(whole, [&](int i, int j, int k, double share) {
      shares.of[i + 2 * j + 4 * k] = reduction::fixed_point::bits_of(share + offset);
    });
  }
  return shares;
}

}  // namespace tessera::cuda::deposit_window

#endif  // TESSERA_BACKENDS_CUDA_DEPOSIT_WINDOW_SHARES_HPP
