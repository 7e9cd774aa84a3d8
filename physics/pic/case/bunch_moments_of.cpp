#include "physics/pic/case/bunch_moments_of.hpp"

#include "core/base/error.hpp"

#include <cmath>
#include <numbers>
#include <string>

namespace tessera::pic {
namespace {

/// Optics of one plane at the start of the line, from the line or the section.
PlaneOptics optics_of(const BunchSection& section, const BeamLine& line, Plane plane) {
  if (section.moments == MomentSource::matched) return periodic_optics(line.map(), plane);
  PlaneOptics optics;
  const bool is_x = plane == Plane::x;
  optics.beta = *(is_x ? section.beta_x : section.beta_y);
  optics.alpha = is_x ? section.alpha_x : section.alpha_y;
  return optics;
}

void set_plane(const BunchSection& section, const BeamLine& line, Plane plane,
               BunchDescription& description) {
  const PlaneOptics optics = optics_of(section, line, plane);
  double emittance = *(plane == Plane::x ? section.emittance_x : section.emittance_y);
  if (section.normalised) emittance /= line.reference().beta_gamma;
  const double spread = section.deviation_dpop;
  const MatchedSize matched = matched_size(optics, emittance, spread);
  const int u = plane == Plane::x ? 0 : 2;
  auto& c = description.covariance;
  c[u][u] = matched.size * matched.size;
  c[u + 1][u + 1] = matched.divergence * matched.divergence;
  c[u][u + 1] = c[u + 1][u] = matched.mixed;
  c[u][5] = c[5][u] = optics.dispersion * spread * spread;
  c[u + 1][5] = c[5][u + 1] = optics.dispersion_slope * spread * spread;
}

}  // namespace

void set_covariance(const BunchSection& section, const BeamLine& line,
                    BunchDescription& description) {
  auto& c = description.covariance;
  switch (*section.moments) {
    case MomentSource::deviations:
      for (std::size_t a = 0; a < 6; ++a)
        c[a][a] = (*section.deviations)[a] * (*section.deviations)[a];
      return;
    case MomentSource::covariance:
      for (std::size_t i = 0; i < 36; ++i)
        c[i / 6][i % 6] = section.covariance[i];
      return;
    case MomentSource::matched:
    case MomentSource::twiss:
      break;
  }
  try {
    set_plane(section, line, Plane::x, description);
    set_plane(section, line, Plane::y, description);
  } catch (const UnstableOpticsError& error) {
    throw InputError({section.origin.file, section.origin.line, "bunch.moments", "matched"},
                     error.what());
  } catch (const ArgumentError& error) {
    throw InputError({section.origin.file, section.origin.line, "bunch.moments",
                      std::string(name(*section.moments))},
                     error.what() + std::string(section.moments == MomentSource::matched
                                                    ? "; \"twiss\" takes given optics"
                                                    : ""));
  }
  // If both planes have dispersion, x and y are correlated through the momentum deviation.
  const double spread = section.deviation_dpop;
  if (spread > 0)
    for (int a = 0; a < 2; ++a)
      for (int b = 2; b < 4; ++b)
        c[a][b] = c[b][a] = c[a][5] * c[b][5] / (spread * spread);
  const double cdt = section.length ? *section.length / (line.reference().beta() * std::sqrt(12.0))
                                    : *section.deviation_cdt;
  c[4][4] = cdt * cdt;
  c[5][5] = spread * spread;
}

}  // namespace tessera::pic
