#ifndef TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP
#define TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP

#include <cstdint>
#include <string_view>
#include <vector>

/// \file
/// Bunches made of random numbers: particles of a distribution in six coordinates x, x', y, y', z,
/// z' with given means and second moments. Any linear map of a distribution is one of its kind with
/// other moments, so units and frames are the caller's.
///
/// gaussian        normal in all six, cut off where asked for
/// waterbag        even inside an ellipsoid in six dimensions
/// uniform         even inside an ellipsoid in x, y, z; momenta normal
/// kv              even on the surface of an ellipsoid in x, x', y, y': even density across (I. M.
///                 Kapchinskij, V. V. Vladimirskij, Proc. Int. Conf. on High Energy Accelerators,
///                 1959); z even over its length, z' normal
/// kurth4          even density across too, particles inside of the ellipsoid; z, z' as in kv
/// kurth6          even density inside an ellipsoid in x, y, z, at rest under linear forces (R.
///                 Kurth, Quarterly of Applied Mathematics 36, 325 (1978); C. E. Mitchell, K.
///                 Hwang, R. D. Ryne, "Kurth Vlasov-Poisson solution for a beam in the presence of
///                 time-dependent isotropic focusing", IPAC 2021)
///
/// In units of the ellipsoid a particle of kurth at radius r has a momentum across the radius that
/// is even in (-1, 1), in three dimensions in the unit disc, and one along it of
/// sqrt((1 - r^2)(1 - p_t^2)) cos(pi u), u even in (0, 1): the density ((1 - r^2)(1 - p_t^2) -
/// p_r^2)^(-1/2) depends on r^2 + p^2 and on the angular momentum r p_t alone, which linear forces
/// keep.

namespace tessera::pic {

enum class BunchKind { gaussian, waterbag, uniform, kv, kurth4, kurth6 };

/// \throws SelectionError for a name that is none.
[[nodiscard]] BunchKind bunch_kind(std::string_view name);
[[nodiscard]] std::string_view name(BunchKind kind);

struct BunchRecipe {
  BunchKind kind = BunchKind::gaussian;
  std::int64_t particles = 0;
  double mean[6] = {};
  double covariance[6][6] = {};  ///< symmetric, no negative eigenvalue; zero is no spread
  /// Of gaussian: no coordinate of the uncorrelated distribution beyond so many deviations, which
  /// makes moments smaller. 0: none is cut off.
  double cutoff = 0;
  std::uint64_t seed = 1;
  /// Whether the particles themselves have the moments to rounding, not the distribution alone.
  /// Takes more than six particles.
  bool match_moments = false;
};

/// particles x 6, one after the other; a particle's numbers do not depend on how many there are,
/// but where moments are matched.
/// \throws ArgumentError that names the member of the recipe that makes no sense.
[[nodiscard]] std::vector<double> generate_bunch(const BunchRecipe& recipe);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GENERATE_BUNCH_HPP
