#include "core/base/random.hpp"
#include "core/memory/array.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

/// \file
/// Properties of pic/frame_change that need no oracle.

namespace tessera::pic {
namespace {

using Lab = LongitudinalCoordinates;

template <class P>
struct Bunch {
  std::vector<typename P::Storage> coordinates;
  std::int64_t impossible = 0;
};

template <class P>
Bunch<P> change(const Implementation<FrameChange, P>& implementation,
                const std::vector<typename P::Storage>& coordinates,
                const ReferenceParticle& reference, Lab accelerator, Frame to) {
  const Context context = test::context();
  Array<typename P::Storage> array(context, coordinates);
  Array<std::int64_t> impossible(context, 1);
  const auto plan = implementation.make_plan({array.size() / 6}, context, {});
  plan->execute({array.rows(6), {}, reference, accelerator, to, impossible.view()});
  return {array.to_host(), impossible.to_host().front()};
}

TEST_CASE("there and back again, from slow to ultrarelativistic") {
  test::with_target<FrameChange>([]<class P>(const Implementation<FrameChange, P>& implementation) {
    using Storage = typename P::Storage;
    for (const double gamma : {1.001, 1.5, 10.0, 133.2, 1e4})
      for (const Lab accelerator : {Lab::cdt_dpop, Lab::zeta_ptau, Lab::t_pt}) {
        const ReferenceParticle reference = ReferenceParticle::with_gamma(gamma);
        RandomSequence random(3);
        std::vector<Storage> start;
        for (int p = 0; p < 1000; ++p)
          for (const double most : {1e-3, 5e-3, 1e-3, 5e-3, 0.2, 1e-2})
            start.push_back(static_cast<Storage>(most * (2 * random.uniform() - 1)));
        // Corners of that range too.
        for (unsigned corner = 0; corner < 8; ++corner) {
          const auto to = [&](unsigned bit, double most) {
            return static_cast<Storage>((corner >> bit & 1) != 0 ? most : -most);
          };
          start.insert(start.end(), {0, to(0, 5e-3), 0, to(1, 5e-3), Storage(0.1), to(2, 1e-2)});
        }
        const Bunch<P> there = change(implementation, start, reference, accelerator, Frame::beam);
        const Bunch<P> back =
            change(implementation, there.coordinates, reference, accelerator, Frame::accelerator);
        CHECK(there.impossible == 0);
        CHECK(back.impossible == 0);
        double worst = 0;
        for (std::size_t k = 0; k < start.size(); ++k)
          worst = std::fmax(worst, std::abs(static_cast<double>(back.coordinates[k]) -
                                            static_cast<double>(start[k])));
        CAPTURE(gamma);
        CAPTURE(name(accelerator));
        CHECK(worst < (sizeof(Storage) == 8 ? 1e-12 : 2e-6));
      }
  });
}

TEST_CASE("the reference particle rests, and one behind it is behind it") {
  test::with_target<FrameChange>([]<class P>(const Implementation<FrameChange, P>& implementation) {
    const ReferenceParticle reference{0.75};  // gamma 1.25, beta 0.6
    const Bunch<P> out = change(implementation, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0}, reference,
                                Lab::cdt_dpop, Frame::beam);
    CHECK(out.coordinates[4] == 0);
    CHECK(out.coordinates[5] == 0);
    CHECK(static_cast<double>(out.coordinates[10]) == test::relative(-1.5));
    CHECK(out.coordinates[11] == 0);
  });
}

TEST_CASE("the coordinates of three codes name the same particle") {
  test::with_target<FrameChange>([]<class P>(const Implementation<FrameChange, P>& implementation) {
    using Storage = typename P::Storage;
    const ReferenceParticle reference{0.75};
    const double beta = 0.6;
    const double mass = 1 / 0.75;
    const double dpop = 0.01;
    const double ptau = std::hypot(1 + dpop, mass) - 1 / beta;
    const auto momentum = [&](Lab lab, double place, double value) {
      return change(implementation,
                    {0, Storage(1e-3), 0, Storage(-2e-3), static_cast<Storage>(place),
                     static_cast<Storage>(value)},
                    reference, lab, Frame::beam)
          .coordinates;
    };
    const auto a = momentum(Lab::cdt_dpop, 0.5, dpop);
    const auto b = momentum(Lab::zeta_ptau, -0.5 * beta, ptau);
    const auto c = momentum(Lab::t_pt, 0.5, -ptau);
    const double digits = sizeof(Storage) == 8 ? 1e-13 : 1e-5;
    for (const std::size_t k : {std::size_t{4}, std::size_t{5}}) {
      CHECK(static_cast<double>(b[k]) == test::relative(static_cast<double>(a[k])).epsilon(digits));
      CHECK(static_cast<double>(c[k]) == test::relative(static_cast<double>(a[k])).epsilon(digits));
    }
    // Compared with the Lorentz transformation itself.
    const double pz = std::sqrt((1 + dpop) * (1 + dpop) - 5e-6);
    const double zp = 1.25 * (pz - beta * std::hypot(1 + dpop, mass));
    CHECK(static_cast<double>(a[5]) ==
          test::relative(zp).epsilon(sizeof(Storage) == 8 ? 1e-12 : 1e-4));
  });
}

TEST_CASE("who cannot be converted is counted and keeps its coordinates") {
  test::with_target<FrameChange>([]<class P>(const Implementation<FrameChange, P>& implementation) {
    using Storage = typename P::Storage;
    const ReferenceParticle reference{3};
    const std::vector<Storage> start = {0, 0, 0, 0, 1, 0,  0, 2, 0, 0, 1, 0,
                                        0, 0, 0, 0, 1, -2, 0, 0, 0, 0, 1, std::nanf("")};
    const Bunch<P> out = change(implementation, start, reference, Lab::cdt_dpop, Frame::beam);
    CHECK(out.impossible == 3);
    CHECK(static_cast<double>(out.coordinates[4]) == test::relative(-3));
    for (std::size_t k = 6; k < 23; ++k)
      CHECK(out.coordinates[k] == start[k]);
    // A particle whose momentum points against the beam in both frames is reported as impossible.
    const Bunch<P> back =
        change(implementation, {0, 0, 0, 0, 1, -100}, reference, Lab::cdt_dpop, Frame::accelerator);
    CHECK(back.impossible == 1);
  });
}

}  // namespace
}  // namespace tessera::pic
