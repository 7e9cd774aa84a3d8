#ifndef TESSERA_PHYSICS_PIC_DOMAIN_HPP
#define TESSERA_PHYSICS_PIC_DOMAIN_HPP

#include "physics/pic/bunch_moments.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// Where the grid of a space-charge step lies, from the statistics of the bunch. Positions are
/// columns 0, 2 and 4, in the frame in which the field is solved.
///
/// A Green function on the grid depends on the spacing alone, and making it costs as much as a
/// solve; a bunch changes by little from step to step. Sizes are therefore those of a ladder,
/// 2^(k/8), and one is kept for as long as it serves: where the wanted size is more than the kept
/// one, or less than two steps (16 %) of the ladder below it, the step that is taken is the least
/// with 2^(1/16) (4.4 %) to spare. Between two changes of a direction its wanted size changes by
/// 4.4 % at least, whatever happens, and the size is never more than 19 % above the wanted one. The
/// centre of the domain moves with the bunch at any time.

namespace tessera::pic {

enum class DomainKind {
  n_sigma,  ///< so many deviations wide, around the mean; as `all` where all deviations vanish
  all,      ///< all particles, and a margin
  fixed     ///< what the rule says
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

/// What a domain is made by. Lengths are in the unit of the positions.
struct DomainRule {
  DomainKind kind = DomainKind::n_sigma;
  std::int64_t nodes[3] = {32, 32, 64};  ///< at least 4
  /// Of n_sigma: the width in deviations; 8 reaches 4 of them to either side.
  double n_sigma = 8;
  /// Of all: nodes left free outside of the outermost particle, at either end. With 1 every
  /// particle is a node inside, and no charge falls on the edge.
  double margin = 1;
  /// Of fixed: the centre and the whole width.
  double offset[3] = {0, 0, 0};
  double size[3] = {0, 0, 0};
  /// z is periodic, with the centre 0 and this width, whatever the kind.
  bool periodic_z = false;
  double period = 0;
  /// A deviation (an extent, of all) up to this one vanishes. It takes the place of the smaller of
  /// the other two where neither vanishes, else of the larger. Where all three deviations vanish,
  /// or there is no weight, n_sigma takes extents instead, with one node free at either end.
  double vanishing = 1e-10;
  /// Sizes are those of the ladder; else they are what is wanted, and change at every call.
  bool quantised = true;
};

/// What a domain remembers: plain numbers, which continue a run with the same bits.
struct DomainState {
  std::int64_t step[3] = {0, 0, 0};  ///< of the ladder, where quantised
  double spacing[3] = {0, 0, 0};     ///< of the last grid
  std::int64_t asked = 0;            ///< grids that were asked for
  std::int64_t kept = 0;             ///< those with the spacings of the grid before

  friend bool operator==(const DomainState&, const DomainState&) = default;
};

/// 2^(k/8) for -8000 <= k <= 8000, the same bits everywhere.
[[nodiscard]] double ladder_size(std::int64_t step);
/// The least step whose size is at least this one, which is positive and within the ladder.
[[nodiscard]] std::int64_t ladder_step(double size);

class Domain {
 public:
  /// \param state of a domain with the same rule, to go on from.
  /// \throws ArgumentError that names the member of the rule, or the state, that makes no sense.
  explicit Domain(const DomainRule& rule, const DomainState& state = {});

  /// The grid for a bunch. Of a fixed domain the moments are not looked at.
  /// \throws ArgumentError ("moments") where a coordinate of a particle was not finite, where no
  ///     particle counts, where all three extents vanish, or where the bunch is too far from
  ///     zero or too wide for its grid to have distinct nodes. The state is what it was then.
  [[nodiscard]] Grid grid(const BunchMoments& moments);

  [[nodiscard]] const DomainRule& rule() const { return rule_; }
  [[nodiscard]] const DomainState& state() const { return state_; }
  /// kept / asked; 0 before the first.
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
