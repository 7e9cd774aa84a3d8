#ifndef TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP
#define TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP

#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// Random bunches: particles of a distribution in six coordinates x, x', y, y', z, z' with given
/// means and second moments. A linear map of a distribution is a distribution of the same kind with
/// other moments, so that the caller chooses units and frames.
///
///     gaussian        normal in all six, cut off on request
///     waterbag        uniform inside an ellipsoid in six dimensions
///     uniform         uniform inside an ellipsoid in x, y, z; momenta normal
///     kv              uniform on the surface of an ellipsoid in x, x', y, y': uniform transverse
///                     density (I. M. Kapchinskij, V. V. Vladimirskij, Proc. Int. Conf. on High
///                     Energy Accelerators, 1959); z uniform over its length, z' normal
///     kurth4          uniform transverse density too, particles inside of the ellipsoid; z, z' as
///                     in kv
///     kurth6          uniform density inside an ellipsoid in x, y, z, at rest under linear forces
///                     (R. Kurth, Quarterly of Applied Mathematics 36, 325 (1978); C. E. Mitchell,
///                     K. Hwang, R. D. Ryne, "Kurth Vlasov-Poisson solution for a beam in the
///                     presence of time-dependent isotropic focusing", IPAC 2021)
///
/// In units of the ellipsoid a particle of a kurth distribution at radius r has a momentum across
/// the radius that is uniform in (-1, 1), or in three dimensions in the unit disc, and a momentum
/// along the radius of sqrt((1 - r^2)(1 - p_t^2)) cos(pi u), u uniform in (0, 1): the density ((1 -
/// r^2)(1 - p_t^2) - p_r^2)^(-1/2) depends only on r^2 + p^2 and on the angular momentum r p_t,
/// which linear forces conserve.

namespace tessera::pic {

enum class BunchKind { gaussian, waterbag, uniform, kv, kurth4, kurth6 };

/// \throws SelectionError for an unknown name.
[[nodiscard]] BunchKind bunch_kind(std::string_view name);
[[nodiscard]] std::string_view name(BunchKind kind);

struct BunchDescription {
  BunchKind kind = BunchKind::gaussian;
  std::int64_t particles = 0;
  double mean[6] = {};
  double covariance[6][6] = {};  ///< symmetric, no negative eigenvalue; 0: no spread
  /// For gaussian: cutoff of each coordinate of the uncorrelated distribution in deviations, which
  /// reduces the moments. 0: no cutoff.
  double cutoff = 0;
  std::uint64_t seed = 1;
  /// Whether the generated particles, and not only their distribution, have these moments up to
  /// rounding. Requires more than six particles.
  bool match_moments = false;
};

/// Generates particles x 6 coordinates, row by row. The coordinates of a particle do not depend on
/// the number of particles unless moments are matched.
/// \throws ArgumentError with the invalid member of the description.
[[nodiscard]] std::vector<double> generate_bunch(const BunchDescription& description);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP
