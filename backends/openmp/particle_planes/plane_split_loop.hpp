// Highway includes this file once for each instruction set; a toggle takes the place of an include
// guard.
#if defined(TESSERA_PLANE_SPLIT_LOOP) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_PLANE_SPLIT_LOOP
#undef TESSERA_PLANE_SPLIT_LOOP
#else
#define TESSERA_PLANE_SPLIT_LOOP
#endif

#include "backends/openmp/particle_planes/plane_split.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

/// \file
/// Conversion of particles to records by bin, eight at a time. Records of a bin are collected in
/// the first-level cache, and written as whole lines with non-temporal stores. Include after
/// hwy/foreach_target.h.

HWY_BEFORE_NAMESPACE();
namespace tessera::openmp::planes::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;

/// GridAxis::locate in vectors, with the same operations and so the same bits.
struct AxisVectors {
  double first, inverse, inverse_period, cells, nodes;
  bool periodic;

  explicit AxisVectors(const pic::GridAxis& axis)
      : first(axis.first),
        inverse(axis.inverse),
        inverse_period(axis.inverse_period),
        cells(axis.cells),
        nodes(axis.nodes),
        periodic(axis.periodic) {}

  using D = Lanes;
  using V = hn::Vec<D>;
  using M = hn::Mask<D>;

  /// Where the mask is not set, low and fraction are those of the first node.
  HWY_INLINE M locate(V x, V& low, V& fraction) const {
    const D d;
    V s = hn::Mul(hn::Sub(x, hn::Set(d, first)), hn::Set(d, inverse));
    if (periodic) s = folded(s);
    const M inside = hn::And(hn::Ge(s, hn::Zero(d)), hn::Le(s, hn::Set(d, cells)));
    s = hn::IfThenElseZero(inside, s);
    low = hn::Min(hn::Floor(s), hn::Set(d, cells - 1));
    fraction = hn::Sub(s, low);
    return inside;
  }

  HWY_INLINE V folded(V s) const {
    const D d;
    const V zero = hn::Zero(d);
    const V period = hn::Set(d, nodes);
    const M there = hn::And(hn::Ge(s, zero), hn::Lt(s, period));
    const M has_image = hn::Lt(hn::Abs(s), hn::Set(d, 0x1p52));
    V image = hn::Sub(s, hn::Mul(period, hn::Floor(hn::Mul(s, hn::Set(d, inverse_period)))));
    image = hn::IfThenElse(hn::Ge(image, period), hn::Sub(image, period), image);
    image = hn::IfThenElse(hn::Lt(image, zero), hn::Add(image, period), image);
    return hn::IfThenElse(there, s, hn::IfThenElse(has_image, image, hn::Set(d, -1)));
  }
};

template <class Storage>
class SplitLoop {
  using D = Lanes;

 public:
  explicit SplitLoop(const Split<Storage>& split)
      : split_(split),
        axis_{AxisVectors(split.axes.axis[split.layout.direction[0]]),
              AxisVectors(split.axes.axis[split.layout.direction[1]]),
              AxisVectors(split.axes.axis[split.layout.direction[2]])} {}

  std::int64_t run() {
    const bool plain = !split_.alive.given() && split_.record_weights == nullptr;
    const std::int64_t outside = plain ? go<true>() : go<false>();
    flush();
    return outside;
  }

 private:
  /// Processes all particles.
  /// \tparam is_plain whether no particle can be lost and records have no weights.
  template <bool is_plain>
  HWY_INLINE std::int64_t go() {
    std::int64_t outside = 0;
    for (std::int64_t p = split_.first; p < split_.end; p += group) {
      const std::int64_t count = std::min(group, split_.end - p);
      fetch(p, count);
      if (locate() && is_plain && count == group) {
        for (std::int64_t q = 0; q < group; ++q)
          put<is_plain>(q, p + q);
        continue;
      }
      for (std::int64_t q = 0; q < count; ++q) {
        const bool lost = !is_plain && split_.alive.given() && split_.alive(p + q) == 0;
        if (inside_[q] != 0 && !lost)
          put<is_plain>(q, p + q);
        else if (split_.bin != nullptr)
          split_.bin[p + q] = no_bin;
        outside += inside_[q] == 0 && !lost ? 1 : 0;
      }
    }
    return outside;
  }

  /// Loads the coordinates of `count` particles by direction.
  HWY_INLINE void fetch(std::int64_t p, std::int64_t count) {
    const View<const Storage, 2>& positions = split_.positions;
    if constexpr (std::is_same_v<Storage, double>) {
      if (count == group && positions.strides[0] == 3 && positions.strides[1] == 1) {
        const D d;
        for (std::size_t q = 0; q < group; q += hn::Lanes(d)) {
          hn::Vec<D> x, y, z;
          hn::LoadInterleaved3(d, positions.data + 3 * (p + static_cast<std::int64_t>(q)), x, y, z);
          hn::Store(x, d, coordinate_[0] + q);
          hn::Store(y, d, coordinate_[1] + q);
          hn::Store(z, d, coordinate_[2] + q);
        }
        return;
      }
    }
    for (int a = 0; a < 3; ++a) {
      const Storage* const at =
          positions.data + p * positions.strides[0] + a * positions.strides[1];
      for (std::int64_t q = 0; q < count; ++q)
        coordinate_[a][q] = static_cast<double>(at[q * positions.strides[0]]);
    }
  }

  /// Computes the records and bins of eight particles, and which of them are on the grid.
  /// \returns whether all are.
  HWY_INLINE bool locate() {
    const D d;
    const hn::RebindToUnsigned<D> bits;
    using V = hn::Vec<D>;
    const PlaneLayout& layout = split_.layout;
    const V bin_planes = hn::Set(d, static_cast<double>(layout.bin_planes()));
    const V per_bin = hn::Set(d, 1 / static_cast<double>(layout.bin_planes()));
    bool all = true;
    for (std::size_t q = 0; q < group; q += hn::Lanes(d)) {
      V low[3], fraction[3];
      hn::Mask<D> inside =
          axis_[0].locate(hn::Load(d, coordinate_[layout.direction[0]] + q), low[0], fraction[0]);
      for (int a = 1; a < 3; ++a)
        inside = hn::And(inside, axis_[a].locate(hn::Load(d, coordinate_[layout.direction[a]] + q),
                                                 low[a], fraction[a]));
      const V bin = hn::Floor(hn::Mul(low[0], per_bin));
      const V plane = hn::Sub(low[0], hn::Mul(bin, bin_planes));
      const V node =
          hn::Add(hn::Mul(low[1], hn::Set(d, static_cast<double>(layout.pitch))), low[2]);
      const auto places = hn::Or(whole(node), hn::ShiftLeft<32>(whole(plane)));
      hn::StoreInterleaved4(fraction[0], fraction[1], fraction[2], hn::BitCast(d, places), d,
                            record_ + 4 * q);
      hn::Store(whole(bin), bits, bin_ + q);
      hn::Store(hn::IfThenElseZero(inside, hn::Set(d, 1)), d, inside_ + q);
      all = all && hn::AllTrue(d, inside);
    }
    return all;
  }

  /// An integer below 2^32 in a double as an unsigned integer: the low bits of its sum with 2^52.
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> whole(hn::Vec<D> number) {
    const D d;
    const hn::RebindToUnsigned<D> bits;
    const auto behind = hn::BitCast(bits, hn::Add(number, hn::Set(d, 0x1p52)));
    return hn::And(behind, hn::Set(bits, 0xffffffffu));
  }

  template <bool is_plain>
  HWY_INLINE void put(std::int64_t q, std::int64_t p) {
    const std::uint64_t bin = bin_[q];
    const std::int64_t at = place_[bin];
    const std::int64_t in_group = at % group;
    Record* const staging = staging_ + bin * group;
    // A full group is written when the next one begins: reading whole lines just after they were
    // written in parts would stall (store forwarding fails).
    if (HWY_UNLIKELY(in_group == 0) && at != begin_[bin]) send(staging, at - group);
    place_[bin] = at + 1;
    const hn::CappedTag<double, 4> four;
    for (std::size_t k = 0; k < 4; k += hn::Lanes(four))
      hn::Store(hn::Load(four, record_ + 4 * q + static_cast<std::int64_t>(k)), four,
                reinterpret_cast<double*>(staging + in_group) + k);
    if (bin_of_ != nullptr) bin_of_[p] = static_cast<std::uint8_t>(bin);
    if constexpr (!is_plain)
      if (split_.record_weights != nullptr)
        split_.record_weights[at] =
            split_.weights.given() ? static_cast<double>(split_.weights(p)) : 1.0;
  }

  /// Writes a full group with non-temporal stores.
  HWY_INLINE void send(const Record* staging, std::int64_t at) {
    const D d;
    const auto* const from = reinterpret_cast<const double*>(staging);
    auto* const to = reinterpret_cast<double*>(records_ + at);
    for (std::size_t k = 0; k < 4 * group; k += hn::Lanes(d))
      hn::Stream(hn::Load(d, from + k), d, to + k);
  }

  /// Writes the last group of each bin.
  void flush() {
    for (std::int64_t bin = 0; bin < split_.layout.bins; ++bin) {
      const std::int64_t end = place_[bin];
      if (end == begin_[bin]) continue;
      const std::int64_t left = (end - 1) % group + 1;
      std::copy_n(staging_ + bin * group, left, records_ + (end - left));
    }
    hwy::FlushStream();
  }

  const Split<Storage>& split_;
  AxisVectors axis_[3];
  // Copies of members of split_: the compiler may assume that no store changes them.
  std::int64_t* HWY_RESTRICT const place_ = split_.place;
  const std::int64_t* const begin_ = split_.begin;
  Record* const staging_ = split_.staging;
  Record* const records_ = split_.records;
  std::uint8_t* const bin_of_ = split_.bin;
  HWY_ALIGN double coordinate_[3][group] = {};
  HWY_ALIGN double record_[4 * group] = {};
  HWY_ALIGN std::uint64_t bin_[group] = {};
  HWY_ALIGN double inside_[group] = {};
};

template <class Storage>
std::int64_t split_particles(const Split<Storage>& split) {
  return SplitLoop<Storage>(split).run();
}

}  // namespace tessera::openmp::planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
