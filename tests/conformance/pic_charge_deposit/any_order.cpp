#include "tests/conformance/pic_charge_deposit/particle_shapes.hpp"
#include "tests/support/print_bits.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

/// \file
/// Properties of pic/charge_deposit with Determinism::any_order. Every standard input is also
/// checked to give the same bits for any particle order.

namespace tessera::pic::shapes {
namespace {

constexpr Determinism any_order = Determinism::any_order;

template <class Storage>
std::uint64_t hash_of(const Shared& shared) {
  return test::hash_of(std::vector<Storage>(shared.density.begin(), shared.density.end()));
}

TESSERA_PROPERTY(ChargeDeposit, "in any order the shares of a particle add up to it exactly") {
  for (const int order : {1, 2, 3}) {
    if (!takes<P>(implementation, {order, any_order})) continue;
    const Grid grid = unit_grid(6, 6, 6, false);
    for (const auto& place : places(60, 1, 4)) {
      const Shared shared = deposit<P>(implementation, grid, {place}, {order, any_order});
      if (sizeof(typename P::Storage) == 8) CHECK(shared.total() == 1);
      CHECK(std::abs(shared.total() - 1) < 1e-6);
    }
    const int n = 70001;
    const Shared many =
        deposit<P>(implementation, unit_grid(1, 1, 1, true), places(n, -3, 3), {order, any_order});
    CHECK(many.density == std::vector<double>{static_cast<double>(n)});
  }
}

TESSERA_PROPERTY(ChargeDeposit, "in any order all particles may lie on one node") {
  if (!takes<P>(implementation, {1, any_order})) return;
  const Grid grid = unit_grid(2, 2, 2, false);
  // Numbers of particles at and next to powers of two, where the unit of the integers changes;
  // weights likewise.
  for (const int n : {1, 2, 3, 1023, 1024, 1025, 65535, 65536})
    for (const double weight : {1.0, -1.0, 0x1.fffffep+9, -0x1.fffffep-30}) {
      const Places one_place(static_cast<std::size_t>(n), {0.5, 1.5, 0.5});
      const Shared shared =
          deposit<P>(implementation, grid, one_place,
                     {1, any_order, std::vector<double>(one_place.size(), weight)});
      const auto expected = static_cast<typename P::Storage>(n * weight);
      CHECK(shared.at(0, 1, 0) == static_cast<double>(expected));
      CHECK(shared.at(0, 0, 0) == 0);
    }
}

/// A grid whose bounds and spacings are not exact in binary.
Grid odd_grid(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool periodic) {
  Grid grid = unit_grid(nx, ny, nz, periodic);
  grid.periodic[1] = false;
  const double lower[3] = {-0.7, 0.1, 0.3};
  const double spacing[3] = {0.3, 0.7, 1.1};
  std::copy_n(lower, 3, grid.lower);
  std::copy_n(spacing, 3, grid.spacing);
  return grid;
}

/// Expected hashes of the density for particle shapes of orders 1, 2 and 3, from a program of plain
/// loops without fused multiply-adds.
struct Hashes {
  std::uint64_t of_double[3];
  std::uint64_t of_float[3];
};

template <class P>
void check_hashes(const Implementation<ChargeDeposit, P>& implementation, const Grid& grid,
                  const Places& all, const std::vector<double>& weights, const Hashes& expected,
                  int shuffles) {
  std::vector<std::size_t> order_of_particles(all.size());
  std::iota(order_of_particles.begin(), order_of_particles.end(), std::size_t{0});
  RandomSequence random(9);
  for (int shuffle = 0; shuffle < shuffles; ++shuffle) {
    Asked asked{1, any_order, {}, 0.1};
    Places given;
    for (const std::size_t p : order_of_particles) {
      given.push_back(all[p]);
      if (!weights.empty()) asked.weights.push_back(weights[p]);
    }
    for (const int order : {1, 2, 3}) {
      asked.order = order;
      if (!takes<P>(implementation, asked)) continue;
      const bool in_double = sizeof(typename P::Storage) == 8;
      CHECK(hash_of<typename P::Storage>(deposit<P>(implementation, grid, given, asked)) ==
            (in_double ? expected.of_double : expected.of_float)[order - 1]);
    }
    std::shuffle(order_of_particles.begin(), order_of_particles.end(), random);
  }
}

TESSERA_PROPERTY(ChargeDeposit,
                 "in any order bits depend neither on the backend nor on the order") {
  const Grid grid = odd_grid(6, 5, 7, true);
  Places all = places(2000, -1, 4, 7);
  std::vector<double> weights;
  for (const auto& weight : places(2000, -1, 1, 8))
    weights.push_back(weight[0]);
  // More than eight particles per node: positions are rounded, which has no effect in float.
  check_hashes<P>(implementation, grid, all, weights,
                  {{0xb1fbfed3931bd4ef, 0xaaf1faf470d663f6, 0x04ba997c2c825546},
                   {0x7d6ddc2c868e2316, 0xd5176741468f615f, 0x7e81ad2d5a1a2fdf}},
                  3);
  all.resize(1600);
  weights.resize(1600);
  check_hashes<P>(implementation, grid, all, weights,
                  {{0xa723d5de2526a9e9, 0x68eba9592cbfc010, 0xdfd454af7eb1eea5},
                   {0x457ec7233e0678a6, 0xc278b393d304762b, 0xad9f914bcddee982}},
                  3);
}

TESSERA_PROPERTY(ChargeDeposit, "in any order bits of many particles do not depend on the way") {
  // Enough particles for windows, and for bins, in implementations that have them.
  const Places few_nodes = places(70000, -1, 4, 7);
  check_hashes<P>(implementation, odd_grid(6, 5, 7, true), few_nodes, {},
                  {{0xa0a55df5b18ebc63, 0x3d99b85b582f7cae, 0x88db510a5ba9ad1e},
                   {0xf805ac9b72f1493e, 0x5567f99ad6b3b7db, 0x68d31c6ffc504c3e}},
                  2);
  check_hashes<P>(implementation, odd_grid(6, 5, 7, false), few_nodes, {},
                  {{0x1c88c70c078a95ad, 0x08bd12aac9b4cea8, 0xb555c9e7f53f33c1},
                   {0x0da051dabb0e337b, 0x8092a773e19bbd08, 0x78a957c19d4ca487}},
                  2);
  check_hashes<P>(implementation, odd_grid(40, 40, 40, false), places(520000, -1, 13, 7), {},
                  {{0xbdfbdb01f7e2e19a, 0x037f59c7bcd22df9, 0xe942b54689880090},
                   {0x37946e4179ff02c6, 0x4d8e6dafbc99e702, 0x4681c5f01dc6c554}},
                  1);
}

TESSERA_PROPERTY(ChargeDeposit, "in any order a weight that is no number spoils the density") {
  if (!takes<P>(implementation, {1, any_order})) return;
  const Grid grid = unit_grid(4, 4, 4, false);
  Places two{{1, 2, 3}, {40, 2, 3}};
  for (const double bad : {double(NAN), double(INFINITY), -double(INFINITY)}) {
    const Shared outside = deposit<P>(implementation, grid, two, {1, any_order, {1, bad}});
    CHECK(outside.total() == 1);
    CHECK(outside.outside == 1);
    for (const double former : {double(NAN), 1.0}) {
      const Shared on = deposit<P>(implementation, grid, two, {1, any_order, {bad, 1}, former});
      CHECK(on.outside == 1);
      CHECK(std::all_of(on.density.begin(), on.density.end(),
                        [](double v) { return std::isnan(v); }));
    }
  }
}

}  // namespace
}  // namespace tessera::pic::shapes
