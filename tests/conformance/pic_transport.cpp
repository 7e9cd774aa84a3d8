#include "tests/conformance/pic_transport/bunch.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

/// \file
/// Properties of pic/transport that need no oracle.

namespace tessera::pic {
namespace {

using namespace transport_test;

TESSERA_PROPERTY(Transport, "a drift is two of half its length, and back where it came from") {
  using Storage = typename P::Storage;
  const std::vector<Storage> start = random_bunch<Storage>(1000);
  for (const double gamma : {1.001, 3.0, 1e4}) {
    const auto reference = ReferenceParticle::with_gamma(gamma);
    Bunch<P> once(implementation, start, reference);
    Bunch<P> twice(implementation, start, reference);
    CHECK(once.through(drift(2.5)) == 0);
    CHECK(twice.through(drift(1.25)) == 0);
    CHECK(twice.through(drift(1.25)) == 0);
    const auto a = once.coordinates();
    const auto b = twice.coordinates();
    CHECK(once.through(drift(-2.5)) == 0);
    const auto c = once.coordinates();
    double halves = 0, back = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double size = std::abs(static_cast<double>(a[k])) + sizes[k % 6];
      halves = std::fmax(halves, std::abs(static_cast<double>(a[k] - b[k])) / size);
      back = std::fmax(back, std::abs(static_cast<double>(c[k] - start[k])) / size);
    }
    CAPTURE(gamma);
    CHECK(halves < (sizeof(Storage) == 8 ? 2e-15 : 5e-7));
    CHECK(back < (sizeof(Storage) == 8 ? 2e-15 : 5e-7));
  }
}

TESSERA_PROPERTY(Transport, "times of flight and energies that are known") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{0.75};  // mass 4/3, energy 5/3
  const double digits = sizeof(Storage) == 8 ? 1e-14 : 2e-7;
  // The first particle has p = 4/3 along the beam and energy 4 sqrt(2) / 3; the second has p = 1,
  // with a transverse component of 0.6 and pz = 0.8.
  Bunch<P> flown(implementation,
                 {0, 0, 0, 0, 0, static_cast<Storage>(1.0 / 3), 0, Storage(0.6), 0, 0, 0, 0},
                 reference);
  CHECK(flown.through(drift(3)) == 0);
  const auto v = flown.coordinates();
  CHECK(static_cast<double>(v[4]) ==
        test::relative(3 * (std::sqrt(2.0) - 5.0 / 3)).epsilon(4 * digits));
  CHECK(v[0] == 0);
  CHECK(static_cast<double>(v[6]) == test::relative(2.25).epsilon(4 * digits));
  CHECK(static_cast<double>(v[10]) ==
        test::relative(3 * 5.0 / 3 * (1 / 0.8 - 1)).epsilon(4 * digits));

  // From energy 5/3 to 7/3: p^2 = 49/9 - 16/9.
  Bunch<P> gained(implementation, {0, 0, 0, 0, 0, 0}, reference);
  Element cavity = transport_element(Cavity{2.0 / 3, 0, std::acos(0.0)}, reference);
  CHECK(gained.through(cavity) == 0);
  CHECK(static_cast<double>(gained.coordinates()[5]) ==
        test::relative(std::sqrt(33.0) / 3 - 1).epsilon(4 * digits));
  // A late particle arrives at a later phase, and gains more below the crest.
  cavity = transport_element(Cavity{1e-2, 1e8, 0}, reference);
  Bunch<P> early_and_late(implementation,
                          {0, 0, 0, 0, Storage(-0.1), 0, 0, 0, 0, 0, Storage(0.1), 0}, reference);
  CHECK(early_and_late.through(cavity) == 0);
  CHECK(early_and_late.coordinates()[5] < 0);
  CHECK(early_and_late.coordinates()[11] > 0);
}

TESSERA_PROPERTY(Transport, "who is on the edge of an aperture passes, who is beside it is lost") {
  using Storage = typename P::Storage;
  const auto a = Storage(0.25);
  const auto b = Storage(0.125);
  const Storage more = std::nextafter(a, Storage(1));
  const Storage less = std::nextafter(a, Storage(0));
  const Storage above = std::nextafter(b, Storage(1));
  const std::vector<Storage> start = {
      a,     0, 0,      0, 0, 0,  // on the edge, four times
      -a,    0, 0,      0, 0, 0,  //
      0,     0, b,      0, 0, 0,  //
      0,     0, -b,     0, 0, 0,  //
      less,  0, 0,      0, 0, 0,  // inside
      more,  0, 0,      0, 0, 0,  // outside, four times
      -more, 0, 0,      0, 0, 0,  //
      0,     0, above,  0, 0, 0,  //
      0,     0, -above, 0, 0, 0,  //
      a,     0, b,      0, 0, 0,  // the corner of a rectangle
      0,     0, 0,      0, 0, 0,
  };
  for (const ApertureShape shape : {ApertureShape::rectangle, ApertureShape::ellipse}) {
    const bool round = shape == ApertureShape::ellipse;
    Bunch<P> bunch(implementation, start, {1});
    const Element aperture = transport_element(Aperture{shape, 0.25, 0.125}, {1});
    CHECK(bunch.through(aperture) == (round ? 5 : 4));
    CHECK(bunch.through(aperture) == 0);
    const std::vector<std::uint8_t> expected = {
        1, 1, 1, 1, 1, 0, 0, 0, 0, static_cast<std::uint8_t>(round ? 0 : 1), 1};
    CHECK(bunch.alive() == expected);
    CHECK(bunch.coordinates() == start);
    // An aperture off the axis passes only particles within 1/4 of x = 1/4.
    Bunch<P> other(implementation, start, {1});
    CHECK(other.through(transport_element(Aperture{shape, 0.25, INFINITY, 0.25}, {1})) == 2);
    CHECK(other.alive()[1] == 0);
    CHECK(other.alive()[6] == 0);
  }
}

TESSERA_PROPERTY(Transport, "lost particles stay bit for bit, with the code of the first loss") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{3};
  const int particles = 1000;
  std::vector<Storage> start = random_bunch<Storage>(particles);
  start[6 * 7 + 1] = 1;   // no momentum along the beam
  start[6 * 8 + 5] = -1;  // no momentum
  start[6 * 9 + 3] = std::nanf("");
  const Element narrow =
      transport_element(Aperture{ApertureShape::ellipse, 2.5e-3, 2.5e-3}, reference);
  Bunch<P> bunch(implementation, start, reference);
  CHECK(bunch.through(drift(0), 11) == 3);
  const std::int64_t code = (std::int64_t{1} << 40) + 12;
  const std::int64_t lost = bunch.through(narrow, code);
  CHECK(lost > particles / 10);
  CHECK(lost < particles / 2);
  const std::vector<std::int64_t> codes = bunch.lost_at();
  const std::vector<std::uint8_t> alive = bunch.alive();
  std::int64_t with_code = 0;
  for (std::size_t p = 0; p < codes.size(); ++p) {
    CHECK((codes[p] != 0) == (alive[p] == 0));
    if (codes[p] == code) ++with_code;
  }
  CHECK(with_code == lost);
  for (const std::size_t p : {7U, 8U, 9U})
    CHECK(codes[p] == 11);
  const std::vector<Storage> before = bunch.coordinates();
  for (const BeamElement& element :
       {BeamElement(Drift{1}), BeamElement(Quadrupole{0.3, 1}), BeamElement(Cavity{1e-3, 1e8, 1})})
    CHECK(bunch.through(transport_element(element, reference), 13) == 0);
  const std::vector<Storage> after = bunch.coordinates();
  int moved = 0;
  for (std::size_t p = 0; p < codes.size(); ++p) {
    const bool same = std::memcmp(&before[6 * p], &after[6 * p], 6 * sizeof(Storage)) == 0;
    if (!same) ++moved;
    CHECK(same == (alive[p] == 0));
  }
  CHECK(moved == particles - 3 - lost);
  CHECK(bunch.lost_at() == codes);
}

TESSERA_PROPERTY(Transport, "who is stopped by a cavity is lost as it was") {
  using Storage = typename P::Storage;
  const ReferenceParticle reference{0.75};  // kinetic energy 5/3 - 4/3
  const std::vector<Storage> start = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, Storage(1.9),
                                      0, 0, 0, 1};
  Bunch<P> bunch(implementation, start, reference);
  const Element cavity = transport_element(Cavity{-0.34, 0, std::acos(0.0)}, reference);
  // The third particle loses all of its momentum along the beam.
  CHECK(bunch.through(cavity) == 2);
  CHECK(bunch.alive() == std::vector<std::uint8_t>{0, 1, 0});
  const auto end = bunch.coordinates();
  for (const std::size_t k : {5U, 13U, 17U})
    CHECK(end[k] == start[k]);
  CHECK(end[11] < start[11]);
  // A loss that would make the energy negative must not count as a gain.
  Bunch<P> reversed(implementation, start, reference);
  CHECK(reversed.through(transport_element(Cavity{-9, 0, std::acos(0.0)}, reference)) == 3);
}

}  // namespace
}  // namespace tessera::pic
