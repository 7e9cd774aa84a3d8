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
/// A Green function on the grid depends only on the spacing, and computing it costs as much as a
/// solve; a bunch changes little from step to step. Sizes are therefore taken from a geometric
/// ladder, 2^(k/8), and a size is kept as long as it fits. If the wanted size exceeds the kept
/// size, or is less than it by more than two steps of the ladder (16 %), the new size is the
/// smallest of the ladder that exceeds the wanted size by at least 2^(1/16) (4.4 %). Between two
/// changes of the size along a direction the wanted size changes by at least 4.4 %, and the size
/// never exceeds the wanted size by more than 19 %. The center of the domain follows the bunch in
/// every step.

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
  /// For all: number of free nodes outside of the outermost particle, at either end. With 1 every
  /// particle is at least one node inside the grid, and no charge is deposited at its edge.
  double margin = 1;
  /// For fixed: the centre and the full width.
  double offset[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
  /// z is periodic, with the centre 0 and the width `period`, for every kind.
  bool periodic_z = false;
  double period = 0;
  /// A deviation (for all: an extent) up to this value counts as vanishing, and the smaller of the
  /// other two replaces it if neither vanishes, else the larger. If all three deviations vanish, or
  /// the weight is 0, n_sigma uses extents with one free node at either end.
  double vanishing = 1e-10;
  /// Whether sizes are taken from the ladder; otherwise the wanted sizes are used, which change at
  /// every call.
  bool quantised = true;
};

/// State of a domain: plain numbers, from which a run continues with the same bits.
struct DomainState {
  std::int64_t step[3] = {0, 0,
                          0};     ///< index k of the size in the ladder, by direction, if quantised
  double spacing[3] = {0, 0, 0};  ///< spacing of the last grid
  std::int64_t asked = 0;         ///< number of calls of grid()
  /// Number of calls in which all spacings were those of the previous grid.
  std::int64_t kept = 0;

  friend bool operator==(const DomainState&, const DomainState&) = default;
};

/// 2^(k/8) with k = `step`, for -8000 <= k <= 8000, with the same bits on every machine.
[[nodiscard]] double ladder_size(std::int64_t step);
/// Smallest step whose size is at least `size`, which is positive and within the ladder.
[[nodiscard]] std::int64_t ladder_step(double size);

class Domain {
 public:
  /// \param state of a domain with the same rule, from which to continue.
  /// \throws ArgumentError with the invalid member of the rule, or for an invalid state.
  explicit Domain(const DomainRule& rule, const DomainState& state = {});

  /// The grid for a bunch with these moments. A fixed domain ignores them.
  /// \throws ArgumentError ("moments") if a coordinate of a particle is not finite, no particle
  /// counts, all three extents vanish, or the bunch is so far from zero or so wide that nodes of
  /// its grid would coincide. The state does not change then.
  [[nodiscard]] Grid grid(const BunchMoments& moments);

  [[nodiscard]] const DomainRule& rule() const { return rule_; }
  [[nodiscard]] const DomainState& state() const { return state_; }
  /// Share of the calls of grid() that kept the spacings; 0 before the first call.
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
