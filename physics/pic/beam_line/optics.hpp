#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_OPTICS_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_OPTICS_HPP

#include "core/base/error.hpp"
#include "physics/pic/linear_map.hpp"

#include <string>
#include <string_view>

/// \file
/// The optics of one transverse plane (E. D. Courant, H. S. Snyder, Ann. Phys. 3, 1 (1958);
/// H. Wiedemann, Particle Accelerator Physics, chapters on beam optics and periodic lattices).
/// cdt and dpop are held fixed: the effect of a cavity on the transverse planes through dispersion
/// is neglected.

namespace tessera::pic {

enum class Plane { x, y };

[[nodiscard]] constexpr std::string_view name(Plane plane) {
  return plane == Plane::x ? "x" : "y";
}

struct PlaneOptics {
  double beta = 1;              ///< [m], positive
  double alpha = 0;             ///< -(d beta / ds) / 2
  double phase = 0;             ///< [rad]
  double dispersion = 0;        ///< du / d(dpop) [m]
  double dispersion_slope = 0;  ///< du' / d(dpop)

  [[nodiscard]] double gamma() const { return (1 + alpha * alpha) / beta; }
  /// Phase in turns.
  [[nodiscard]] double tune() const;
};

/// Error for a map without periodic optics: the trace of its 2x2 matrix is not between -2 and 2.
class UnstableOpticsError : public Error {
 public:
  UnstableOpticsError(Plane plane, double trace);

  [[nodiscard]] Plane plane() const noexcept { return plane_; }
  [[nodiscard]] double trace() const noexcept { return trace_; }

 private:
  Plane plane_;
  double trace_;
};

/// Optics that a map reproduces: cos(mu) = trace / 2, beta sin(mu) = M12, alpha sin(mu) = (M11 -
/// M22) / 2; the dispersion solves D = M D + d, with d the column of dpop. `phase` is mu, in (0, 2
/// pi): a matrix does not contain whole turns.
/// \throws UnstableOpticsError; ArgumentError where the map couples x and y.
[[nodiscard]] PlaneOptics periodic_optics(const LinearMap& map, Plane plane);

/// Optics after a map. The phase increases by the result of atan2, in (-pi, pi], so that this is
/// valid for maps of elements and not of whole rings.
/// \throws ArgumentError if the map couples x and y, or beta is not positive.
[[nodiscard]] PlaneOptics optics_behind(const PlaneOptics& before, const LinearMap& map,
                                        Plane plane);

/// Root mean square sizes of a bunch that a pass reproduces.
struct MatchedSize {
  double size = 0;        ///< sqrt(beta emittance + (D spread)^2) [m]
  double divergence = 0;  ///< sqrt(gamma emittance + (D' spread)^2)
  double mixed = 0;       ///< <u u'>: -alpha emittance + D D' spread^2 [m]
};

/// \param emittance root mean square, not normalised [m rad].
/// \param spread root mean square of dpop.
/// \throws ArgumentError where an argument is negative or not finite.
[[nodiscard]] MatchedSize matched_size(const PlaneOptics& optics, double emittance,
                                       double spread = 0);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_OPTICS_HPP
