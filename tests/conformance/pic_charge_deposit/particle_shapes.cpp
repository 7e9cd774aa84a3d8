#include "tests/conformance/pic_charge_deposit/particle_shapes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

/// \file
/// Properties of pic/charge_deposit that hold for particle shapes of each order.

namespace tessera::pic::shapes {
namespace {

template <class P, class Property>
void in_each_order(const Implementation<ChargeDeposit, P>& implementation,
                   const Property& property) {
  for (const int order : {1, 2, 3}) {
    if (takes<P>(implementation, {order})) {
      CAPTURE(order);
      property(order);
    } else {
      CHECK(order > 1);
    }
  }
}

double largest_difference(const Shared& a, const Shared& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.density.size(); ++i)
    largest = std::fmax(largest, std::abs(a.density[i] - b.density[i]));
  return largest;
}

TESSERA_PROPERTY(ChargeDeposit, "nodes have the shares that are published, along each direction") {
  in_each_order(implementation, [&](int order) {
    const std::vector<double> on_a_node[] = {
        {0, 0, 1, 0, 0}, {0, 1.0 / 8, 3.0 / 4, 1.0 / 8, 0}, {0, 1.0 / 6, 2.0 / 3, 1.0 / 6, 0}};
    const std::vector<double> between[] = {
        {0, 0, 0.5, 0.5, 0}, {0, 0, 0.5, 0.5, 0}, {0, 1.0 / 48, 23.0 / 48, 23.0 / 48, 1.0 / 48}};
    const Grid grid = unit_grid(5, 5, 5, false);
    for (std::size_t direction = 0; direction < 3; ++direction)
      for (const bool on : {true, false}) {
        Places one{{2.5, 2.5, 2.5}};
        if (!on) one[0][direction] = 3;
        const Shared shared = deposit<P>(implementation, grid, one, {order});
        const auto& expected = (on ? on_a_node : between)[order - 1];
        double sums[5] = {};
        for (std::int64_t i = 0; i < 5; ++i)
          for (std::int64_t j = 0; j < 5; ++j)
            for (std::int64_t k = 0; k < 5; ++k)
              sums[direction == 0 ? i : direction == 1 ? j : k] += shared.at(i, j, k);
        for (std::size_t i = 0; i < 5; ++i)
          CHECK(std::abs(sums[i] - expected[i]) < rounding<P>);
        CHECK(shared.outside == 0);
      }
  });
}

TESSERA_PROPERTY(ChargeDeposit,
                 "charge and first moments are those of the particles in any order "
                 "of the shape") {
  in_each_order(implementation, [&](int order) {
    const Grid grid = unit_grid(7, 9, 8, false);
    const Places all = places(3000, 1, 5);
    const Shared shared = deposit<P>(implementation, grid, all, {order});
    CHECK(std::abs(shared.total() - 3000) < 10 * rounding<P> * 3000);
    double moment[3] = {0, 0, 0}, expected[3] = {0, 0, 0};
    for (std::int64_t i = 0; i < 7; ++i)
      for (std::int64_t j = 0; j < 9; ++j)
        for (std::int64_t k = 0; k < 8; ++k) {
          moment[0] += shared.at(i, j, k) * (static_cast<double>(i) + 0.5);
          moment[1] += shared.at(i, j, k) * (static_cast<double>(j) + 0.5);
          moment[2] += shared.at(i, j, k) * (static_cast<double>(k) + 0.5);
        }
    for (const auto& place : all)
      for (std::size_t a = 0; a < 3; ++a)
        expected[a] += place[a];
    for (int a = 0; a < 3; ++a)
      CHECK(std::abs(moment[a] - expected[a]) < 10 * rounding<P> * expected[a]);
  });
}

TESSERA_PROPERTY(ChargeDeposit, "shares have no jump where a particle gets another stencil") {
  in_each_order(implementation, [&](int order) {
    const Grid grid = unit_grid(8, 8, 8, false);
    // In order 2 the stencil changes halfway between nodes, in other orders at nodes.
    const double edge = order == 2 ? 4 : 3.5;
    const double step = std::is_same_v<typename P::Storage, float> ? 0x1p-18 : 0x1p-40;
    for (std::size_t direction = 0; direction < 3; ++direction) {
      Places below{{3.75, 4.125, 4.375}};
      below[0][direction] = edge - step;
      Places above = below;
      above[0][direction] = edge + step;
      const double jump = largest_difference(deposit<P>(implementation, grid, below, {order}),
                                             deposit<P>(implementation, grid, above, {order}));
      // A share changes by less than the displacement of the particle.
      CHECK(jump < 2 * step + rounding<P> / 4);
      CHECK(jump > 0);
    }
  });
}

TESSERA_PROPERTY(ChargeDeposit, "a particle that shares nodes off the grid deposits nothing") {
  in_each_order(implementation, [&](int order) {
    const Grid grid = unit_grid(6, 6, 6, false);
    const double inset = 0.5 * (order - 1);
    for (std::size_t direction = 0; direction < 3; ++direction)
      for (const double edge : {0.5 + inset, 5.5 - inset}) {
        const double outward = edge < 3 ? -0x1p-12 : 0x1p-12;
        Places one{{3, 3, 3}};
        one[0][direction] = edge;
        const Shared on = deposit<P>(implementation, grid, one, {order});
        CHECK(on.outside == 0);
        CHECK(std::abs(on.total() - 1) < rounding<P>);
        one[0][direction] = edge + outward;
        const Shared off = deposit<P>(implementation, grid, one, {order});
        CHECK(off.outside == 1);
        CHECK(std::all_of(off.density.begin(), off.density.end(), [](double v) { return v == 0; }));
      }
  });
}

TESSERA_PROPERTY(ChargeDeposit, "nodes that are fewer than share a particle take several shares") {
  in_each_order(implementation, [&](int order) {
    const Grid grid = unit_grid(1, 2, 3, true);
    Places one{{0.25, 0.5, 1.5}};
    const Shared shared = deposit<P>(implementation, grid, one, {order});
    // The particle is at nodes of y and z; the shares of neighboring nodes wrap onto the others.
    const double beside[] = {0, 0.125, 1.0 / 6};
    const double side = beside[order - 1];
    for (std::int64_t k = 0; k < 3; ++k) {
      const double along_z = k == 1 ? 1 - 2 * side : side;
      CHECK(std::abs(shared.at(0, 0, k) - (1 - 2 * side) * along_z) < rounding<P>);
      CHECK(std::abs(shared.at(0, 1, k) - 2 * side * along_z) < rounding<P>);
    }
    one[0][0] = 17.75;
    CHECK(largest_difference(shared, deposit<P>(implementation, grid, one, {order})) < rounding<P>);
  });
}

TESSERA_PROPERTY(ChargeDeposit, "probes of weight 0 deposit exactly nothing and count outside") {
  in_each_order(implementation, [&](int order) {
    const Grid grid = unit_grid(8, 8, 8, false);
    Places probes = places(1000, 1, 6);
    probes[700][1] = 100;
    for (const Determinism determinism : {Determinism::none, Determinism::any_order}) {
      Asked asked{order, determinism, std::vector<double>(1000, 0.0)};
      if (!takes<P>(implementation, asked)) continue;
      for (const double former : {double(NAN), 0.1}) {
        asked.former = former;
        const Shared shared = deposit<P>(implementation, grid, probes, asked);
        CHECK(shared.outside == 1);
        const auto left = static_cast<typename P::Storage>(std::isnan(former) ? 0 : former);
        CHECK(std::all_of(shared.density.begin(), shared.density.end(),
                          [&](double v) { return v == static_cast<double>(left); }));
      }
    }
  });
}

}  // namespace
}  // namespace tessera::pic::shapes
