#ifndef TESSERA_PHYSICS_PIC_CASE_BUNCH_SECTION_HPP
#define TESSERA_PHYSICS_PIC_CASE_BUNCH_SECTION_HPP

#include "core/case/section.hpp"
#include "physics/pic/generate/bunch.hpp"
#include "physics/pic/io/snapshot.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The section [bunch] of a case.

namespace tessera::pic {

/// Source of the second moments of a bunch.
enum class MomentSource { matched, twiss, deviations, covariance };

[[nodiscard]] constexpr std::string_view name(MomentSource source) {
  switch (source) {
    case MomentSource::matched:
      return "matched";
    case MomentSource::twiss:
      return "twiss";
    case MomentSource::deviations:
      return "deviations";
    case MomentSource::covariance:
      return "covariance";
  }
  return "unknown";
}

/// A generated bunch, or the bunch of a file or a restart file, which replaces all other keys of
/// the section.
struct BunchSection {
  cases::GivenPath restart;
  cases::GivenPath file;
  std::optional<std::int64_t> iteration;  ///< of an openPMD file
  std::string species;                    ///< of an openPMD file
  /// z of the reference particle in an openPMD file [m].
  double place = 0;
  std::optional<double> time;  ///< time of the reference particle in an openPMD file [s]
  Snapshot snapshot = Snapshot::drift;
  BunchKind kind = BunchKind::gaussian;
  std::int64_t particles = 0;
  std::uint64_t seed = 1;
  double cutoff = 0;
  bool match_moments = false;
  std::array<double, 6> mean = {};
  std::optional<MomentSource> moments;
  std::optional<double> emittance_x, emittance_y;  ///< rms [m]
  bool normalised = false;
  std::optional<double> beta_x, beta_y;  ///< [m]
  double alpha_x = 0;
  double alpha_y = 0;
  std::optional<double> deviation_cdt;  ///< [m]; alternatively `length`
  std::optional<double> length;         ///< [m]
  double deviation_dpop = 0;
  std::optional<std::array<double, 6>> deviations;
  std::vector<double> covariance;  ///< 6 x 6 numbers
  cases::Origin origin = {};

  friend bool operator==(const BunchSection&, const BunchSection&) = default;

  static cases::Section<BunchSection> section();
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CASE_BUNCH_SECTION_HPP
