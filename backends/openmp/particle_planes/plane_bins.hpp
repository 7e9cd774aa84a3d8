#ifndef TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_BINS_HPP
#define TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_BINS_HPP

#include "backends/openmp/particle_planes/plane_split.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

/// \file
/// Sort of particles by bin: each thread counts the particles of its part, which determines the
/// positions of its records, and writes them there. Within a bin records are in the order of the
/// particles.

namespace tessera::openmp::planes {

/// Bins that a thread processes, and the planes that it stores.
struct PlaneShare {
  int first_bin = 0, end_bin = 0;
  std::int64_t first_plane = 0, end_plane = 0;
};

template <class Storage, class Space>
class PlaneBins {
 public:
  /// \param particles largest number of particles of a split.
  /// \param weights whether records have weights.
  /// \param by_particle whether the bin of each particle is stored.
  PlaneBins(const Space& space, std::int64_t threads, std::int64_t particles, int bins,
            bool weights, bool by_particle)
      : space_(space),
        threads_(threads),
        bins_(bins),
        place_(static_cast<std::size_t>(2 * threads * bins)),
        outside_(static_cast<std::size_t>(threads)),
        shares_(static_cast<std::size_t>(threads)),
        records_(space, particles + (threads * bins + 1) * group),
        weights_(space, weights ? records_.size() : 0),
        bin_(space, by_particle ? particles : 0),
        staging_(space, threads * bins * group) {}

  /// Sorts particles `first` to `end`. \returns the number of particles that are off the grid.
  std::int64_t split(SplitParticles<Storage> kernel, const Split<Storage>& all) {
    layout_ = all.layout;
    first_ = all.first;
    count_ = all.end - all.first;
    space_.for_each("planes count", threads_, Count{this, &all});
    begin_bins();
    share_out();
    space_.for_each("planes split", threads_, Write{this, kernel, &all});
    std::int64_t outside = 0;
    for (const std::int64_t of_thread : outside_)
      outside += of_thread;
    return outside;
  }

  [[nodiscard]] std::int64_t threads() const { return threads_; }
  [[nodiscard]] const PlaneLayout& layout() const { return layout_; }
  [[nodiscard]] Record* records() const { return records_.data(); }
  [[nodiscard]] const double* weights() const { return weights_.data(); }
  /// Bin of each particle, counted from the first particle of the split.
  [[nodiscard]] const std::uint8_t* bins() const { return bin_.data(); }
  /// First particle of a thread, counted from the first particle of the split.
  [[nodiscard]] std::int64_t particle(std::int64_t thread) const {
    return thread == threads_ ? count_ : count_ / threads_ * thread / group * group;
  }
  /// First and end record of the particles of a thread in a bin.
  [[nodiscard]] std::int64_t begin(std::int64_t thread, int bin) const {
    return place_[index(thread, bin)];
  }
  [[nodiscard]] std::int64_t end(std::int64_t thread, int bin) const {
    return place_[index(thread + threads_, bin)];
  }
  [[nodiscard]] const PlaneShare& share(std::int64_t thread) const {
    return shares_[static_cast<std::size_t>(thread)];
  }

 private:
  struct Count {
    PlaneBins* bins;
    const Split<Storage>* all;
    void operator()(std::int64_t thread) const { bins->count(thread, *all); }
  };
  struct Write {
    PlaneBins* bins;
    SplitParticles<Storage> kernel;
    const Split<Storage>* all;
    void operator()(std::int64_t thread) const { bins->write(thread, kernel, *all); }
  };

  [[nodiscard]] std::size_t index(std::int64_t row, int bin) const {
    return static_cast<std::size_t>(row * bins_ + bin);
  }
  [[nodiscard]] std::int64_t* ends(std::int64_t thread) {
    return &place_[index(thread + threads_, 0)];
  }

  /// Counts particles by bin, using only their coordinate across the planes. The counts are upper
  /// bounds, because particles may be off the grid in other directions; that suffices to reserve
  /// the memory of the bins.
  void count(std::int64_t thread, const Split<Storage>& all) {
    std::int64_t counts[most_bins] = {};
    const int a = layout_.direction[0];
    const pic::GridAxis axis = all.axes.axis[a];
    const std::int64_t stride = all.positions.strides[0];
    const Storage* const at = all.positions.data + a * all.positions.strides[1];
    for (std::int64_t p = first_ + particle(thread); p < first_ + particle(thread + 1); ++p) {
      std::int32_t low = 0;
      double fraction = 0;
      if (axis.locate(static_cast<double>(at[p * stride]), low, fraction))
        ++counts[low >> layout_.shift];
    }
    std::copy_n(counts, layout_.bins, ends(thread));
  }

  void begin_bins() {
    std::int64_t next = 0;
    for (int bin = 0; bin < layout_.bins; ++bin)
      for (std::int64_t thread = 0; thread < threads_; ++thread) {
        place_[index(thread, bin)] = next;
        next += (ends(thread)[bin] + group - 1) / group * group;
      }
  }

  /// Distributes the bins among threads, with about the same number of particles for each.
  void share_out() {
    const std::int64_t records = std::max<std::int64_t>(count_, 1);
    int bin = 0;
    std::int64_t before = 0;
    for (std::int64_t thread = 0; thread < threads_; ++thread) {
      PlaneShare& share = shares_[static_cast<std::size_t>(thread)];
      share.first_bin = bin;
      for (; bin < layout_.bins; ++bin) {
        std::int64_t in_bin = 0;
        for (std::int64_t t = 0; t < threads_; ++t)
          in_bin += ends(t)[bin];
        if (thread + 1 < threads_ && before + in_bin / 2 >= records * (thread + 1) / threads_)
          break;
        before += in_bin;
      }
      share.end_bin = bin;
      const bool last = thread + 1 == threads_;
      share.first_plane = std::min(std::int64_t{share.first_bin} << layout_.shift, layout_.planes);
      share.end_plane =
          last ? layout_.planes : std::min(std::int64_t{bin} << layout_.shift, layout_.planes);
    }
  }

  void write(std::int64_t thread, SplitParticles<Storage> kernel, const Split<Storage>& all) {
    Split<Storage> split = all;
    split.first = first_ + particle(thread);
    split.end = first_ + particle(thread + 1);
    split.records = records_.data();
    split.record_weights = weights_.size() > 0 ? weights_.data() : nullptr;
    std::copy_n(&place_[index(thread, 0)], layout_.bins, ends(thread));
    split.begin = &place_[index(thread, 0)];
    split.place = ends(thread);
    split.bin = bin_.size() > 0 ? bin_.data() - first_ : nullptr;
    split.staging = staging_.data() + thread * bins_ * group;
    outside_[static_cast<std::size_t>(thread)] = kernel(split);
  }

  Space space_;
  std::int64_t threads_;
  int bins_;
  PlaneLayout layout_;
  std::int64_t first_ = 0, count_ = 0;
  std::vector<std::int64_t> place_;  ///< first records by thread and bin, then end records
  std::vector<std::int64_t> outside_;
  std::vector<PlaneShare> shares_;
  Buffer<Record, Space> records_;
  Buffer<double, Space> weights_;
  Buffer<std::uint8_t, Space> bin_;
  Buffer<Record, Space> staging_;
};

}  // namespace tessera::openmp::planes

#endif  // TESSERA_BACKENDS_OPENMP_PARTICLE_PLANES_PLANE_BINS_HPP
