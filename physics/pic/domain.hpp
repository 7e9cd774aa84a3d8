#ifndef TESSERA_PHYSICS_PIC_DOMAIN_HPP
#define TESSERA_PHYSICS_PIC_DOMAIN_HPP

#include "physics/pic/bunch_moments.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Position and size of the grid of a space-charge step, from the statistics of the bunch.
/// Positions are columns 0, 2 and 4, in the frame in which the field is solved.
///
/// A Green function on the grid depends only on the spacing, and its calculation costs as much as a
/// solve; a bunch changes little from step to step. Sizes therefore come from a ladder, 2^(k/8),
/// and a size is kept for as long as it fits. Where the wanted size is more than the kept one, or
/// less than two steps (16 %) of the ladder below it, the new step is the smallest one with
/// 2^(1/16) (4.4 %) of headroom. Between two changes of a direction its wanted size always changes
/// by at least 4.4 %, and the size is never more than 19 % above the wanted one. The centre of the
/// domain moves with the bunch at any time.

namespace tessera::pic {

enum class DomainKind {
  /// `n_sigma` deviations wide, around the mean; as `all` where all deviations vanish
  n_sigma,
  all,   ///< all particles, and a margin
  fixed  ///< centre and size of the rule
};

[[nodiscard]] constexpr std::string_view name(DomainKind kind) {
  switch (kind) {
    case DomainKind::n_sigma:
      return "n_sigma";
    case DomainKind::all:
      return "all";
    case DomainKind::fixed:
      return "fixed";
  }
  return "unknown";
}

/// Rule that determines a domain. Lengths are in the unit of the positions.
struct DomainRule {
  DomainKind kind = DomainKind::n_sigma;
  std::int64_t nodes[3] = {32, 32, 64};  ///< at least 4
  /// For n_sigma: width in deviations; 8 reaches 4 of them to either side.
  double n_sigma = 8;
  /// For all: free nodes outside of the outermost particle, at either end. With 1 every particle
  /// lies at least one node inside, and no charge falls on the edge.
  double margin = 1;
  /// For fixed: the centre and the full width.
  double offset[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
  /// z is periodic, with the centre 0 and the width `period`, for every kind.
  bool periodic_z = false;
  double period = 0;
  /// A deviation (for all: an extent) up to this value counts as vanishing. The smaller of the
  /// other two replaces it where neither vanishes, else the larger. Where all three deviations
  /// vanish, or the weight is 0, n_sigma uses extents instead, with one free node at either end.
  double vanishing = 1e-10;
  /// Sizes come from the ladder; otherwise they are the wanted sizes and change at every call.
  bool quantised = true;
};

/// State of a domain: plain numbers, with which a run continues with the same bits.
struct DomainState {
  std::int64_t step[3] = {0, 0, 0};  ///< step of the ladder, where quantised
  double spacing[3] = {0, 0, 0};     ///< spacing of the last grid
  std::int64_t asked = 0;            ///< number of calls of grid()
  /// number of calls that kept the spacings of the previous grid
  std::int64_t kept = 0;

  friend bool operator==(const DomainState&, const DomainState&) = default;
};

/// 2^(k/8) for -8000 <= k <= 8000, the same bits everywhere.
[[nodiscard]] double ladder_size(std::int64_t step);
/// Smallest step whose size is at least `size`, which is positive and within the ladder.
[[nodiscard]] std::int64_t ladder_step(double size);

class Domain {
 public:
  /// \param state of a domain with the same rule, from which to continue.
  /// \throws ArgumentError with the invalid member of the rule, or for an invalid state.
  explicit Domain(const DomainRule& rule, const DomainState& state = {});

  /// The grid for a bunch. A fixed domain ignores the moments.
  /// \throws ArgumentError ("moments") where a coordinate of a particle was not finite, where no
  ///     particle counts, where all three extents vanish, or where the bunch is too far from zero
  ///     or too wide for its grid to have distinct nodes. The state is unchanged then.
  [[nodiscard]] Grid grid(const BunchMoments& moments);

  [[nodiscard]] const DomainRule& rule() const { return rule_; }
  [[nodiscard]] const DomainState& state() const { return state_; }
  /// kept / asked; 0 before the first call.
  [[nodiscard]] double hit_rate() const;

 private:
  struct Wanted {
    double centre[3];
    double size[3];
  };
  [[nodiscard]] Wanted wanted(const BunchMoments& moments) const;
  [[nodiscard]] Wanted around_mean(const BunchMoments& moments) const;
  [[nodiscard]] Wanted around_all(const BunchMoments& moments, double margin) const;
  void replace_vanishing(double (&size)[3]) const;

  DomainRule rule_;
  DomainState state_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_DOMAIN_HPP
