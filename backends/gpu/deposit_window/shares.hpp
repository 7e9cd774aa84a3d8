#ifndef TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SHARES_HPP
#define TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SHARES_HPP

#include "backends/gpu/deposit_window/fixed_words.hpp"
#include "core/base/device_code.hpp"
#include "physics/pic/particle_shape.hpp"

#include <bit>
#include <cstdint>

/// \file
/// The shares of a particle in order 1, as integers to be added up.

namespace tessera::gpu::deposit_window {

/// Shares of the eight nodes of a cell; bit 0 of the index is x. Each element is offset_bits plus
/// the integer of the share.
struct Shares {
  std::uint64_t of[8];

  [[nodiscard]] TESSERA_INLINE Words words(int n) const { return words_of_raised(of[n]); }
};

/// An integer of magnitude up to 2^51 that is split into the shares of the lower and upper node
/// along a direction, with the same results as WholeNumber. The bits of the lower share come from
/// an integer subtraction; the compiler drops the floating-point subtraction where that share is
/// not split further.
struct SplitNumber {
  double value;
  std::uint64_t bits;  ///< offset_bits plus the integer

  TESSERA_INLINE void split(double fraction, SplitNumber& below, SplitNumber& above) const {
#if defined(__CUDA_ARCH__)
    const double part = __dmul_rn(value, fraction);
#else
    const double part = value * fraction;
#endif
    const double raised = part + offset;
    above = {raised - offset, std::bit_cast<std::uint64_t>(raised)};
    below = {value - above.value, bits - above.bits + offset_bits};
  }
};

/// The shares of a particle.
/// \tparam Exact whether `whole` and the shares are integers that add up exactly.
/// \param whole the weight of the particle in units of its block or call.
/// \param short_ones whether the magnitude of `whole` is at most 2^51.
template <bool Exact>
[[nodiscard]] TESSERA_INLINE Shares shares_of(const double (&fraction)[3], double whole,
                                              bool short_ones) {
  Shares shares{};
  const std::int32_t low[3] = {0, 0, 0};
  const pic::SharedParticle<1, double> particle(low, fraction);
  if constexpr (Exact) {
    if (short_ones) {
      SplitNumber plane[2], row[2], node[2];
      SplitNumber{whole, std::bit_cast<std::uint64_t>(whole + offset)}.split(fraction[0], plane[0],
                                                                             plane[1]);
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
      shares.of[i + 2 * j + 4 * k] = std::bit_cast<std::uint64_t>(share + offset);
    });
  }
  return shares;
}

}  // namespace tessera::gpu::deposit_window

#endif  // TESSERA_BACKENDS_GPU_DEPOSIT_WINDOW_SHARES_HPP
