#ifndef TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_ELEMENT_HPP
#define TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_ELEMENT_HPP

#include "physics/pic/linear_map.hpp"
#include "physics/pic/reference_particle.hpp"
#include "physics/pic/transport/element.hpp"

#include <variant>

/// \file
/// Physical descriptions of magnets, cavities and apertures, and their conversion to elements of
/// pic/transport and to maps of linear optics. Lengths are in m, angles in rad, strengths are
/// divided by the magnetic rigidity of the reference particle as in MAD-X. Coordinates are (x, x',
/// y, y', cdt, dpop), see physics/pic/transport/transport.hpp. Positive k1 focuses horizontally, a
/// positive angle bends towards negative x.
///
/// Linear maps of H. Wiedemann, Particle Accelerator Physics, chapter on linear beam dynamics, and
/// the MAD-X physical methods manual (F. C. Iselin), chapter on transfer maps. With
/// C(K) = cos(sqrt(K) L), S(K) = sin(sqrt(K) L) / sqrt(K), hyperbolic for K < 0, and h = angle / L:
///
///     plane of focusing K:  u  ->  C u + S u',        u' -> -K S u + C u'
///     quadrupole:           K = k1 for x, -k1 for y
///     sector dipole:        K = h^2 + k1 for x, -k1 for y
///         x   += h (1 - C) / K dpop,   x' += h S dpop
///         cdt += (h S x + h (1 - C) / K x' + h^2 (L - S) / K dpop) / beta
///     all of length L:      cdt -= L / (beta gamma^2) dpop
///     edge of a dipole:     x' += h tan(angle) x,   y' -= h tan(angle) y
///     thin quadrupole:      x' -= k1l x,   y' += k1l y
///     solenoid, K = ks / 2, C = cos(K L), S = sin(K L):
///         x  ->  C^2 x + S C / K x' + S C y + S^2 / K y'
///         x' -> -K S C x + C^2 x' - K S^2 y + S C y'
///         y, y': the same with x and y exchanged and -K for K
///     cavity:               dpop += (g / beta) (sin(phase) + wave_number cos(phase) cdt)
///
/// A momentum deviation changes the path by h x and the time along it by path / beta; through the
/// velocity it changes cdt by -L / (beta gamma^2), the momentum compaction. All maps are symplectic
/// in (x, x'), (y, y'), (cdt, -beta dpop), see map_algebra.hpp. The cavity is symplectic because
/// its energy change is taken as beta dpop, which holds to first order in dpop and in the energy
/// gain of the reference particle.

namespace tessera::pic {

/// Linear optics uses a linear map, pic/transport the exact one.
struct Drift {
  double length = 0;
};

struct Quadrupole {
  double length = 0;
  double k1 = 0;  ///< gradient over rigidity [1/m^2], any sign
};

/// Body of a dipole with the edges of a sector dipole. A DipoleEdge before and after it makes other
/// edges.
struct SectorDipole {
  double length = 0;  ///< length of the arc, positive
  double angle = 0;   ///< any sign; 0 makes a quadrupole
  double k1 = 0;
};

/// Thin element without fringe field.
struct DipoleEdge {
  double curvature = 0;  ///< h of the dipole [1/m]
  double angle = 0;      ///< angle between this edge and the edge of a sector dipole; below pi/2
};

/// Solenoid with the fringe fields of its ends. Its parts one after another equal the whole.
struct Solenoid {
  double length = 0;
  double ks = 0;  ///< field over rigidity [1/m]
};

struct ThinQuadrupole {
  double k1l = 0;  ///< k1 times length = 1 / focal length [1/m]
};

/// Thin element. pic/transport applies the exact map.
struct Cavity {
  double energy_gain = 0;  ///< q V / (p_ref c), see relative_energy
  double frequency = 0;    ///< [Hz]
  double phase = 0;        ///< 0: no energy gain for the reference particle, a gain for a late one
};

enum class ApertureShape { rectangle, ellipse };

/// Linear optics ignores it.
struct Aperture {
  ApertureShape shape = ApertureShape::rectangle;
  double half_x = 0;
  double half_y = 0;
  double center_x = 0;
  double center_y = 0;
};

/// An arbitrary linear map.
struct MatrixElement {
  LinearMap map;
  double length = 0;
};

using BeamElement = std::variant<Drift, Quadrupole, SectorDipole, DipoleEdge, Solenoid,
                                 ThinQuadrupole, Cavity, Aperture, MatrixElement>;

/// Converts an energy to units of p_ref c.
/// \param energy q V or similar, in the unit of `mass_energy`, which is m c^2.
[[nodiscard]] inline double relative_energy(double energy, double mass_energy,
                                            const ReferenceParticle& reference) {
  return energy / (mass_energy * reference.beta_gamma);
}

/// 2 pi frequency / c [1/m].
[[nodiscard]] double wave_number(const Cavity& cavity);

/// \throws ArgumentError for invalid numbers: one that is not finite, a negative length (allowed
/// for a drift), frequency or half axis, an edge parallel to the beam.
void check_beam_element(const BeamElement& element);

[[nodiscard]] double length(const BeamElement& element);

/// \throws ArgumentError as check_beam_element does; about `reference` where its momentum is not
/// positive and finite.
[[nodiscard]] LinearMap linear_map(const BeamElement& element, const ReferenceParticle& reference);

/// Element for pic/transport: drifts and cavities exact, apertures, every other kind as a linear
/// map.
/// \throws ArgumentError as linear_map does.
[[nodiscard]] Element transport_element(const BeamElement& element,
                                        const ReferenceParticle& reference);

/// One of `count` equal parts of an element along the beam. For a count of 1, the element itself,
/// of any kind.
/// \throws ArgumentError for a matrix or an element without length if count > 1, and for a count
/// below 1.
[[nodiscard]] BeamElement part(const BeamElement& element, int count);

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_BEAM_LINE_BEAM_ELEMENT_HPP
