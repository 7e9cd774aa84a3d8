#include "physics/md/pair_force/pair_force_cases.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "physics/md/minimum_image.hpp"
#include "physics/md/pair_force/sample_coefficients.hpp"
#include "physics/md/pair_potential/pair_table.hpp"
#include "physics/md/reduced_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

namespace tessera::md {
namespace {

using Random = RandomSequence;

double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

/// A table for `types` types with the same coefficients for all pairs.
CoefficientTable one_scale(const std::string& potential, int types, const SampleScale& scale) {
  CoefficientTable table(pair_potentials().find(potential), types);
  table.set_all(sample_coefficients(table.potential(), scale));
  return table;
}

PairForceCase empty_case(std::array<double, 3> length,
                         std::array<bool, 3> periodic = {true, true, true}) {
  PairForceCase c;
  for (std::size_t d = 0; d < 3; ++d) {
    c.box.length[d] = length[d];
    c.box.periodic[d] = periodic[d];
  }
  c.coefficients = one_scale(default_pair_potential(), 1, {});
  return c;
}

void add(PairForceCase& c, double x, double y, double z, std::int32_t type = 0) {
  c.positions.insert(c.positions.end(), {x, y, z});
  c.types.push_back(type);
}

bool is_free(const PairForceCase& c, const std::array<double, 3>& r, double least) {
  const MinimumImage nearest(c.box);
  for (std::size_t j = 0; j < c.types.size(); ++j) {
    const double* other = c.positions.data() + 3 * j;
    const Vec3<double> s = nearest({r[0] - other[0], r[1] - other[1], r[2] - other[2]});
    if (dot(s, s) < least * least) return false;
  }
  return true;
}

/// Adds atoms at random positions, at least 0.85 apart so that no pair dominates the forces.
void scatter(PairForceCase& c, int atoms, Random& random, std::array<double, 3> low,
             std::array<double, 3> high, int types = 1) {
  for (int placed = 0; placed < atoms;) {
    std::array<double, 3> r{};
    for (std::size_t d = 0; d < 3; ++d)
      r[d] = low[d] + (high[d] - low[d]) * random.uniform();
    if (!is_free(c, r, 0.85)) continue;
    add(c, r[0], r[1], r[2], static_cast<std::int32_t>(random.below(types)));
    ++placed;
  }
}

PairForceCase random_case(int atoms, double edge,
                          std::array<bool, 3> periodic = {true, true, true}) {
  PairForceCase c = empty_case({edge, edge + 0.5, edge + 1}, periodic);
  Random random(100 + static_cast<unsigned>(atoms));
  scatter(c, atoms, random, {0, 0, 0}, {edge, edge + 0.5, edge + 1});
  return c;
}

/// Sets the tilts, as fractions of the box lengths along which they point.
void tilt(PairForceCase& c, double xy, double xz, double yz) {
  c.box.tilt[0] = xy * c.box.length[0];
  c.box.tilt[1] = xz * c.box.length[0];
  c.box.tilt[2] = yz * c.box.length[1];
}

PairForceCase tilted_case(int atoms, std::array<double, 3> length, double xy, double xz, double yz,
                          std::array<bool, 3> periodic = {true, true, true}) {
  PairForceCase c = empty_case(length, periodic);
  tilt(c, xy, xz, yz);
  c.box.lower[0] = -3;
  c.box.lower[1] = 1;
  Random random(200 + static_cast<unsigned>(atoms));
  const double* low = c.box.lower;
  scatter(c, atoms, random, {low[0], low[1], low[2]},
          {low[0] + length[0], low[1] + length[1], low[2] + length[2]});
  return c;
}

PairForceCase shaken_fcc(std::array<int, 3> cells) {
  const double edge = std::cbrt(4 / 0.8442);
  PairForceCase c = empty_case({edge * cells[0], edge * cells[1], edge * cells[2]});
  Random random(42);
  constexpr std::array<std::array<double, 3>, 4> basis{
      {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}}};
  for (int z = 0; z < cells[2]; ++z)
    for (int y = 0; y < cells[1]; ++y)
      for (int x = 0; x < cells[0]; ++x)
        for (const auto& b : basis)
          add(c, edge * (x + b[0]) + 0.07 * normal(random),
              edge * (y + b[1]) + 0.07 * normal(random), edge * (z + b[2]) + 0.07 * normal(random));
  return c;
}

PairForceCase three_types(bool leave_one_empty) {
  PairForceCase c = empty_case({11, 11, 11});
  c.coefficients = one_scale(default_pair_potential(), 3, {});
  const std::array<double, 3> energy{1.0, 0.5, 2.0};
  const std::array<double, 3> length{1.0, 0.8, 1.1};
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      const auto at = [](const std::array<double, 3>& of, int type) {
        return of[static_cast<std::size_t>(type)];
      };
      // Types 1 and 2 have the flag, for instance a shift to zero at the cutoff; pairs of type 0 do
      // not interact with each other.
      SampleScale scale{.energy = std::sqrt(at(energy, a) * at(energy, b)),
                        .length = 0.5 * (at(length, a) + at(length, b)),
                        .flag = a + b == 3};
      scale.cutoff = a == 0 && b == 0 ? 0.0 : (2.0 + 0.1 * (a + b)) * scale.length;
      c.coefficients.set(a, b, sample_coefficients(c.coefficients.potential(), scale));
    }
  Random random(5);
  scatter(c, 600, random, {0, 0, 0}, {11, 11, 11}, 3);
  if (leave_one_empty)
    for (auto& type : c.types)
      if (type == 1) type = 2;
  return c;
}

PairForceCase clustered() {
  PairForceCase c = empty_case({60, 60, 60});
  Random random(6);
  scatter(c, 300, random, {10, 10, 10}, {18, 18, 18});
  scatter(c, 33, random, {57.5, 0, 0}, {62.5, 5, 5});
  scatter(c, 20, random, {0, 0, 0}, {60, 60, 60});
  return c;
}

PairForceCase unwrapped() {
  PairForceCase c = random_case(500, 10);
  Random random(8);
  for (std::size_t i = 0; i < c.positions.size(); ++i)
    c.positions[i] += c.box.length[i % 3] * (static_cast<double>(random.below(5)) - 2);
  return c;
}

/// Atoms up to two lattice vectors in each direction away from a box with large tilts.
PairForceCase tilted_unwrapped() {
  PairForceCase c = tilted_case(500, {9, 10, 11}, 1.7, -0.8, 0.5);
  Random random(9);
  const auto images = [&] { return static_cast<double>(random.below(5)) - 2; };
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    const Vec3<double> by = c.box.edges({images(), images(), images()});
    c.positions[3 * i] += by.x;
    c.positions[3 * i + 1] += by.y;
    c.positions[3 * i + 2] += by.z;
  }
  return c;
}

/// Atoms on corners, edges and faces of a parallelepiped, and atoms close to them through the
/// faces.
PairForceCase tilted_on_boundary() {
  PairForceCase c = empty_case({8, 7, 9});
  tilt(c, 0.5, -0.5, 0.75);
  const double shares[][3] = {{0, 0, 0},     {0.5, 0, 0},   {1, 0.5, 0},   {0, 0.5, 0.5},
                              {0.5, 1, 0.5}, {0.5, 0.5, 1}, {0.25, 0, 1},  {0.9, 0.9, 0.1},
                              {0.1, 0.9, 0}, {1, 0.2, 0.8}, {0.7, 0.7, 0}, {0.7, 0.55, 0.95}};
  for (const auto& s : shares) {
    const Vec3<double> r = c.box.edges({s[0], s[1], s[2]});
    if (is_free(c, {r.x, r.y, r.z}, 0.85)) add(c, r.x, r.y, r.z);
  }
  return c;
}

/// An fcc crystal in a box whose tilts are lattice translations, so that it continues through every
/// face.
PairForceCase tilted_fcc() {
  PairForceCase c = shaken_fcc({12, 12, 12});
  tilt(c, 4 / 12.0, -3 / 12.0, 5 / 12.0);
  return c;
}

/// Atoms far from the box along its open directions, where the box does not bound them.
PairForceCase far_from_an_open_box() {
  PairForceCase c = random_case(400, 9, {false, true, false});
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    c.positions[3 * i] += 5000;
    c.positions[3 * i + 1] += 5 * c.box.length[1];
    c.positions[3 * i + 2] -= 70;
  }
  return c;
}

/// Pairs at exactly the cutoff, with coordinates that float represents exactly: they must not
/// interact.
PairForceCase at_cutoff() {
  PairForceCase c = empty_case({16, 16, 16});
  add(c, 4, 4, 4);
  add(c, 6.5, 4, 4);
  add(c, 4, 6.5, 4);
  add(c, 15, 4, 1);
  add(c, 1.5, 4, 1);
  return c;
}

/// Atoms on faces, edges and corners, with partners through the boundary.
PairForceCase on_boundary() {
  PairForceCase c = empty_case({8, 8, 8});
  add(c, 0, 0, 0);
  add(c, 8, 4, 4);
  add(c, 1, 4, 4);
  add(c, 7, 0, 0);
  add(c, 4, 8, 0);
  add(c, 4, 7, 7.5);
  add(c, 4, 1, 0.25);
  add(c, 0, 7.25, 7.25);
  return c;
}

/// Adds the `atoms` sites of a shaken crystal that are nearest to `center`. \returns the radius of
/// the ball.
double add_ball(PairForceCase& c, std::int64_t atoms, std::array<double, 3> center,
                Random& random) {
  const double edge = std::cbrt(4 / 0.8442);
  const double radius = std::cbrt(static_cast<double>(atoms) * 3 / (4 * std::numbers::pi * 0.8442));
  const int cells = static_cast<int>(radius / edge) + 2;
  constexpr std::array<std::array<double, 3>, 4> basis{
      {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}}};
  std::vector<std::pair<double, std::array<double, 3>>> sites;
  for (int z = -cells; z <= cells; ++z)
    for (int y = -cells; y <= cells; ++y)
      for (int x = -cells; x <= cells; ++x)
        for (const auto& b : basis) {
          const std::array<double, 3> r{edge * (x + b[0]), edge * (y + b[1]), edge * (z + b[2])};
          sites.emplace_back(r[0] * r[0] + r[1] * r[1] + r[2] * r[2], r);
        }
  std::stable_sort(sites.begin(), sites.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < static_cast<std::size_t>(atoms); ++i)
    add(c, center[0] + sites[i].second[0] + 0.07 * normal(random),
        center[1] + sites[i].second[1] + 0.07 * normal(random),
        center[2] + sites[i].second[2] + 0.07 * normal(random));
  return radius;
}

/// Two balls of atoms and a stray atom, one ball across the faces of a box of 3,000 cutoffs.
PairForceCase sparse(std::array<bool, 3> periodic, double xy, double xz, double yz) {
  PairForceCase c = empty_case({7500, 6000, 9000}, periodic);
  tilt(c, xy, xz, yz);
  Random random(12);
  add_ball(c, 300, {-1, 2, 1}, random);
  add_ball(c, 200, {1500, 2900, 4400}, random);
  add(c, 1900, 10, 3000);
  return c;
}

/// Atoms on a straight line that is not parallel to an edge of the box, and on a sheet.
PairForceCase line_and_sheet() {
  PairForceCase c = empty_case({4000, 4000, 4000});
  for (int i = 0; i < 150; ++i)
    add(c, 1.1 * i, 1.1 * i, 0.9 * i);
  for (int i = 0; i < 15; ++i)
    for (int j = 0; j < 15; ++j)
      add(c, 2000 + 1.1 * i, 1000, 1.2 * j);
  return c;
}

/// Atoms with equal z, at the density of a two-dimensional liquid.
PairForceCase plane(std::array<double, 3> lengths, std::array<bool, 3> periodic) {
  PairForceCase c = empty_case(lengths, periodic);
  Random random(17);
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) {
      const double x = 1.2 * i + 0.08 * normal(random);
      add(c, x, 1.2 * j + 0.08 * normal(random), 0.7);
    }
  return c;
}

/// Three types with cutoffs of 1.2, 2.5 and 5 with atoms of their own type and their means with
/// others, except that types 1 and 2 have half of the mean and types 0 and 2 do not interact.
PairForceCase three_cutoffs(PairForceCase c) {
  c.coefficients = one_scale(default_pair_potential(), 3, {});
  const std::array<double, 3> own{1.2, 2.5, 5};
  for (int a = 0; a < 3; ++a)
    for (int b = a; b < 3; ++b) {
      const double mean =
          0.5 * (own[static_cast<std::size_t>(a)] + own[static_cast<std::size_t>(b)]);
      SampleScale scale{.energy = 1 + 0.1 * (a + b), .length = 0.9 + 0.05 * (a + b)};
      scale.cutoff = a + b == 3 ? 0.5 * mean : (a == 0 && b == 2 ? 0.0 : mean);
      c.coefficients.set(a, b, sample_coefficients(c.coefficients.potential(), scale));
    }
  Random random(13);
  for (auto& type : c.types)
    type = static_cast<std::int32_t>(random.below(10) == 0 ? 2 : random.below(2));
  return c;
}

void exclude(PairForceCase& c, const std::vector<std::vector<std::int32_t>>& partners) {
  c.excluded_from.push_back(0);
  for (const auto& list : partners) {
    c.excluded.insert(c.excluded.end(), list.begin(), list.end());
    c.excluded_from.push_back(static_cast<std::int32_t>(c.excluded.size()));
  }
}

/// Three-site molecules with charges in units real; atoms of one molecule are excluded from each
/// other. Hydrogen has a charge and no pair energy of its own.
PairForceCase water(const std::string& potential) {
  PairForceCase c = empty_case({15.6, 15.6, 15.6});
  const SampleScale hydrogen{.energy = 0,
                             .length = 3.166,
                             .cutoff = 7,
                             .charge_cutoff = 7.5,
                             .number = 78,
                             .constant = 332.06371};
  SampleScale oxygen = hydrogen;
  oxygen.energy = 0.1553;
  c.coefficients = one_scale(potential, 2, hydrogen);
  c.coefficients.set(0, 0, sample_coefficients(c.coefficients.potential(), oxygen));
  Random random(11);
  std::vector<std::vector<std::int32_t>> partners;
  for (int m = 0; m < 125; ++m) {
    const std::array<double, 3> o{3.12 * (m / 25) + 0.3 * random.uniform(),
                                  3.12 * (m / 5 % 5) + 0.3 * random.uniform(),
                                  3.12 * (m % 5) + 0.3 * random.uniform()};
    add(c, o[0], o[1], o[2], 0);
    for (int h = 0; h < 2; ++h) {
      std::array<double, 3> u{normal(random), normal(random), normal(random)};
      const double length = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      add(c, o[0] + u[0] / length, o[1] + u[1] / length, o[2] + u[2] / length, 1);
    }
    const std::int32_t first = 3 * m;
    partners.push_back({first + 1, first + 2});
    partners.push_back({first + 2, first});
    partners.push_back({first, first + 1});
    c.charges.insert(c.charges.end(), {-0.8476, 0.4238, 0.4238});
  }
  exclude(c, partners);
  return c;
}

/// Chains through the boundary; each atom is excluded from those at most two bonds away.
PairForceCase chains() {
  PairForceCase c = random_case(600, 9.5);
  std::vector<std::vector<std::int32_t>> partners(600);
  for (std::int32_t i = 0; i < 600; ++i)
    for (const std::int32_t step : {-2, -1, 1, 2})
      if (i + step >= 0 && i + step < 600 && (i + step) / 20 == i / 20)
        partners[static_cast<std::size_t>(i)].push_back(i + step);
  exclude(c, partners);
  return c;
}

/// A standard case in other units: lengths and energies are multiplied by these factors.
PairForceCase in_units(PairForceCase c, double length, double energy) {
  for (double& x : c.positions)
    x *= length;
  for (int d = 0; d < 3; ++d) {
    c.box.lower[d] *= length;
    c.box.length[d] *= length;
    c.box.tilt[d] *= length;
  }
  const std::vector<CoefficientField>& fields = c.coefficients.potential().fields();
  CoefficientTable table = c.coefficients;
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b) {
      CoefficientValues values;
      for (std::size_t f = 0; f < fields.size(); ++f)
        values[fields[f].name] = c.coefficients.at(a, b, f) * std::pow(length, fields[f].length) *
                                 std::pow(energy, fields[f].energy);
      table.set(a, b, values);
    }
  c.coefficients = table;
  return c;
}

/// Grains of diameter 100, with grains of diameter 1 between them and in a separate heap.
PairForceCase unequal_grains() {
  PairForceCase c = empty_case({620, 640, 660});
  c.coefficients = one_scale(default_pair_potential(), 2, {});
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b) {
      const double length = a + b == 0 ? 100 : a + b == 1 ? 50.5 : 1;
      c.coefficients.set(
          a, b,
          sample_coefficients(
              c.coefficients.potential(),
              {.energy = 1 + 0.5 * (a + b), .length = length, .cutoff = 2.5 * length}));
    }
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      add(c, 15 + 105 * x, 20 + 110 * y, 330 + 7 * (x + y));
  Random random(21);
  scatter(c, 200, random, {500, 400, 100}, {508, 408, 108});
  scatter(c, 40, random, {10, 20, 410}, {320, 340, 480});
  for (std::size_t i = 9; i < c.types.size(); ++i)
    c.types[i] = 1;
  return c;
}

using Maker = std::function<PairForceCase()>;

const std::vector<std::pair<std::string, Maker>>& makers() {
  static const std::vector<std::pair<std::string, Maker>> all = {
      {"empty",
       [] {
         return empty_case({10, 10, 10});
       }},
      {"one", [] { return random_case(1, 8); }},
      {"two",
       [] {
         PairForceCase c = empty_case({10, 10, 10});
         add(c, 9.5, 5, 5);
         add(c, 0.5, 5.1, 4.8);
         return c;
       }},
      {"31", [] { return random_case(31, 6); }},
      {"33", [] { return random_case(33, 6); }},
      {"1000 random", [] { return random_case(1000, 12); }},
      {"at the cutoff", at_cutoff},
      {"on the boundary", on_boundary},
      {"clustered", clustered},
      {"unwrapped", unwrapped},
      {"slab",
       [] {
         return random_case(400, 9, {true, true, false});
       }},
      {"droplet",
       [] {
         return random_case(400, 9, {false, false, false});
       }},
      {"three types", [] { return three_types(false); }},
      {"an empty type", [] { return three_types(true); }},
      {"cutoff of half the box", [] { return random_case(60, 5); }},
      {"two cells along x",
       [] {
         return shaken_fcc({4, 9, 3});
       }},
      {"long box",
       [] {
         return shaken_fcc({40, 3, 3});
       }},
      {"far from an open box", far_from_an_open_box},
      {"tilted by 0.3",
       [] {
         return tilted_case(500, {9, 10, 11}, 0.3, -0.3, 0.3);
       }},
      {"tilted by 0.5",
       [] {
         return tilted_case(500, {9, 10, 11}, -0.5, 0.5, 0.5);
       }},
      {"tilted by 0.8",
       [] {
         return tilted_case(500, {9, 10, 11}, 0.8, 0.8, -0.8);
       }},
      {"tilted by 1.7",
       [] {
         return tilted_case(500, {9, 10, 11}, 1.7, -1.7, 1.7);
       }},
      {"tilted, one cell",
       [] {
         return tilted_case(60, {5, 5, 5}, 0.5, 0.5, -0.5);
       }},
      {"tilted by 1.7, one cell",
       [] {
         return tilted_case(60, {5, 5.5, 5}, 1.7, 1.7, 1.7);
       }},
      {"tilted, two cells",
       [] {
         return tilted_case(150, {6.5, 7, 7.5}, -0.3, 0.8, 0.5);
       }},
      {"tilted, three cells",
       [] {
         return tilted_case(350, {9.5, 9, 9}, 1.7, 0.5, 0.3);
       }},
      {"tilted, long",
       [] {
         return tilted_case(500, {60, 5, 6}, 0.5, 0.4, -0.5);
       }},
      {"tilted slab",
       [] {
         return tilted_case(400, {9, 10, 11}, 0.8, 0, 0, {true, true, false});
       }},
      {"tilted sheet",
       [] {
         return tilted_case(400, {9, 10, 11}, 0, 0, -1.7, {false, true, true});
       }},
      {"tilted, unwrapped", tilted_unwrapped},
      {"tilted, on the boundary", tilted_on_boundary},
      {"tilted melt 6912", tilted_fcc},
      {"sparse",
       [] {
         return sparse({true, true, true}, 0, 0, 0);
       }},
      {"sparse, open",
       [] {
         return sparse({false, false, false}, 0, 0, 0);
       }},
      {"sparse, tilted",
       [] {
         return sparse({true, true, true}, 0.4, -0.3, 0.7);
       }},
      {"line and sheet", line_and_sheet},
      {"plane",
       [] {
         return plane({24, 24, 1}, {true, true, false});
       }},
      {"plane in a wide box",
       [] {
         return plane({4000, 4000, 4000}, {true, true, true});
       }},
      {"three cutoffs", [] { return three_cutoffs(random_case(700, 11)); }},
      {"three cutoffs, open",
       [] {
         return three_cutoffs(random_case(700, 11, {false, true, false}));
       }},
      {"three cutoffs, tilted",
       [] {
         return three_cutoffs(tilted_case(900, {12, 11, 13}, 0.5, -0.4, 0.8));
       }},
      {"three cutoffs, sparse",
       [] {
         return three_cutoffs(sparse({true, true, false}, 0, 0, 0));
       }},
      {"chains", chains},
      {"in meters", [] { return in_units(random_case(500, 10), 3.4e-10, 1.65e-21); }},
      {"lengths of 2000", [] { return in_units(random_case(500, 10), 2000, 3.0); }},
      {"lengths of 1e-4", [] { return in_units(random_case(500, 10), 1e-4, 1.0); }},
      {"lengths of 1e-11, joules", [] { return in_units(random_case(500, 10), 1e-11, 1.6e-21); }},
      {"lengths of 1e6", [] { return in_units(random_case(500, 10), 1e6, 1.0); }},
      {"lengths of 1e6, joules", [] { return in_units(random_case(500, 10), 1e6, 1.6e-21); }},
      {"unequal grains", unequal_grains},
      {"unequal grains of 1e-12", [] { return in_units(unequal_grains(), 1e-12, 1.6e-21); }},
      {"unequal grains of 1e4, joules", [] { return in_units(unequal_grains(), 1e4, 1.6e-21); }},
      {"melt 2048",
       [] {
         return shaken_fcc({8, 8, 8});
       }},
      {"melt 6912",
       [] {
         return shaken_fcc({12, 12, 12});
       }},
  };
  return all;
}

/// Places of the atoms along an axis, in lengths perpendicular to the faces of the box.
std::vector<double> places_along(const PairForceCase& c, int axis) {
  std::vector<double> places;
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    double s[3];
    for (int d = 2; d >= 0; --d) {
      s[d] = c.positions[3 * i + static_cast<std::size_t>(d)] - c.box.lower[d];
      for (int above = d + 1; above < 3; ++above)
        s[d] -= s[above] * c.box.tilt[d == 0 ? above - 1 : 2];
      s[d] /= c.box.length[d];
    }
    const double share = c.box.periodic[axis] ? s[axis] - std::floor(s[axis]) : s[axis];
    places.push_back(share * width_between_faces(c.box, axis));
  }
  return places;
}

}  // namespace

HalfCase cut_in_half(const PairForceCase& whole, int part, bool ghost_lists) {
  HalfCase half;
  PairForceCase& c = half.system;
  c.name = "half of " + whole.name;
  c.box = whole.box;
  c.coefficients = whole.coefficients;
  c.skin = whole.skin;
  const PairPotential& potential = whole.coefficients.potential();
  for (const double charge : whole.charges)
    c.largest_charge = std::max(c.largest_charge, std::abs(charge));
  const double length = typical_length(potential, whole.coefficients.view());
  for (const double dipole : whole.dipoles)
    c.largest_charge = std::max(c.largest_charge, std::abs(dipole) / length);

  for (std::size_t k = 0; k < whole.positions.size(); ++k)
    c.lowest[k % 3] = std::min(c.lowest[k % 3], whole.positions[k]);

  int axis = 0;
  std::vector<double> places;
  double longest = -1;
  for (int d = 0; d < 3; ++d) {
    std::vector<double> along = places_along(whole, d);
    const auto [low, high] = std::minmax_element(along.begin(), along.end());
    if (along.empty() || !(*high - *low > longest)) continue;
    longest = *high - *low;
    axis = d;
    places = std::move(along);
  }
  std::vector<double> sorted = places;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const double cut = sorted.empty() ? 0 : sorted[middle];
  const auto is_target = [&](double place) { return (place < cut) == (part == 0); };
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double place : places)
    if (is_target(place)) {
      low = std::min(low, place);
      high = std::max(high, place);
    }
  const double reach = whole.coefficients.largest_cutoff() * (1 + 1e-6);
  const double period = whole.box.periodic[axis] ? width_between_faces(whole.box, axis) : HUGE_VAL;
  const auto is_near = [&](double place) {
    return std::max(low - place, place - high) <= reach || place - period >= low - reach ||
           place + period <= high + reach;
  };
  for (const bool ghosts : {false, true})
    for (std::size_t i = 0; i < places.size(); ++i)
      if (is_target(places[i]) != ghosts && (!ghosts || is_near(places[i]))) {
        half.rows.push_back(static_cast<std::int64_t>(i));
        c.ghosts += ghosts ? 1 : 0;
      }

  const std::int64_t targets = std::ssize(half.rows) - c.ghosts;
  std::vector<std::int32_t> row_of(places.size(), -1);
  for (std::size_t r = 0; r < half.rows.size(); ++r)
    row_of[static_cast<std::size_t>(half.rows[r])] = static_cast<std::int32_t>(r);
  if (!whole.excluded_from.empty()) c.excluded_from.push_back(0);
  for (std::size_t r = 0; r < half.rows.size(); ++r) {
    const auto i = static_cast<std::size_t>(half.rows[r]);
    c.types.push_back(whole.types[i]);
    const auto take = [i](std::vector<double>& to, const std::vector<double>& from,
                          std::size_t width) {
      if (!from.empty())
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(i * width),
                  from.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    };
    take(c.positions, whole.positions, 3);
    take(c.charges, whole.charges, 1);
    take(c.dipoles, whole.dipoles, 3);
    if (whole.excluded_from.empty()) continue;
    const bool listed = ghost_lists || static_cast<std::int64_t>(r) < targets;
    for (auto e = whole.excluded_from[i]; listed && e < whole.excluded_from[i + 1]; ++e)
      if (const auto partner = whole.excluded[static_cast<std::size_t>(e)];
          row_of[static_cast<std::size_t>(partner)] >= 0)
        c.excluded.push_back(row_of[static_cast<std::size_t>(partner)]);
    c.excluded_from.push_back(static_cast<std::int32_t>(c.excluded.size()));
  }
  return half;
}

std::vector<std::string> pair_force_case_names() {
  std::vector<std::string> names;
  for (const auto& [name, make] : makers())
    names.push_back(name);
  return names;
}

PairForceCase make_pair_force_case(const std::string& name) {
  for (const auto& [candidate, make] : makers()) {
    if (candidate != name) continue;
    PairForceCase c = make();
    c.name = name;
    return c;
  }
  throw SelectionError("input of md/pair_force", name, pair_force_case_names());
}

PairForceCase make_potential_case(const std::string& potential) {
  PairForceCase c = empty_case({9, 9.5, 10});
  c.name = "form " + potential;
  Random random(77);
  scatter(c, 300, random, {0, 0, 0}, {9, 9.5, 10}, 2);
  c.coefficients = one_scale(potential, 2, {});
  for (int a = 0; a < 2; ++a)
    for (int b = a; b < 2; ++b)
      c.coefficients.set(
          a, b,
          sample_coefficients(c.coefficients.potential(), {.energy = 1.3 + 0.2 * (a + b),
                                                           .length = 0.95 + 0.05 * (a + b),
                                                           .cutoff = 2.5 + 0.2 * (a + b)}));
  if (c.coefficients.potential().reads(AtomData::charge))
    for (std::size_t i = 0; i < c.types.size(); ++i)
      c.charges.push_back(i % 2 == 0 ? 0.7 : -0.7);
  if (c.coefficients.potential().reads(AtomData::dipole))
    for (std::size_t k = 0; k < c.positions.size(); ++k)
      c.dipoles.push_back(random.uniform(-0.6, 0.6));
  return c;
}

PairForceCase make_styles_case() {
  PairForceCase c = make_potential_case("lj/cut+morse+coul/cut");
  c.name = "other potentials by pair of types";
  c.coefficients.set(0, 0, {{"morse_cutoff", 0}, {"coulomb_cutoff", 0}});
  c.coefficients.set(0, 1, {{"cutoff", 0}});
  c.coefficients.set(1, 1, {{"morse_cutoff", 0}});
  return c;
}

PairForceCase make_water_case(const std::string& potential) {
  PairForceCase c = water(potential);
  c.name = "water " + potential;
  return c;
}

PairForceCase make_unlike_water(const std::string& potential) {
  PairForceCase c = make_water_case(potential);
  c.name += ", unlike pairs";
  const PairPotential& pair_potential = c.coefficients.potential();
  c.coefficients.set(0, 1,
                     sample_coefficients(pair_potential, {.energy = 0.02,
                                                          .length = 2.8,
                                                          .cutoff = 6.5,
                                                          .charge_cutoff = 6,
                                                          .number = 40,
                                                          .constant = 250}));
  return c;
}

PairForceCase make_partly_charged_water(const std::string& potential) {
  PairForceCase c = make_water_case(potential);
  c.name += ", partly charged";
  for (std::size_t atom = 0; atom < c.charges.size(); ++atom)
    if (atom / 3 % 3 == 0) c.charges[atom] = 0;
  return c;
}

PairForceCase make_shaken_melt(std::int64_t atoms) {
  const int cells =
      std::max(2, static_cast<int>(std::lround(std::cbrt(static_cast<double>(atoms) / 4))));
  PairForceCase c = shaken_fcc({cells, cells, cells});
  c.name = "melt " + std::to_string(c.types.size());
  return c;
}

PairForceCase make_ball(std::int64_t atoms, BallBox box) {
  constexpr double wide = 1e4;
  PairForceCase c = empty_case({wide, wide, wide});
  Random random(14);
  const bool two = box == BallBox::two_balls;
  const bool stray = box == BallBox::stray_atom && atoms > 0;
  const double radius =
      add_ball(c, two ? atoms - atoms / 2 : atoms - (stray ? 1 : 0), {0, 0, 0}, random);
  if (two) add_ball(c, atoms / 2, {3000, 4100, 2500}, random);
  if (stray) add(c, 3000, 4100, 2500);
  if (box == BallBox::fitting)
    for (double& length : c.box.length)
      length = 2 * radius + 7;
  return c;
}

PairForceCase make_two_long_cutoff_types(std::int64_t atoms, bool far) {
  PairForceCase c = make_shaken_melt(atoms);
  c.coefficients = one_scale(default_pair_potential(), 2,
                             {.cutoff = far ? std::fmin(15, 0.45 * c.box.length[0]) : 2.5});
  c.coefficients.set(0, 0, sample_coefficients(c.coefficients.potential(), {}));
  c.types.front() = 1;
  c.types[c.types.size() / 2 + 1] = 1;
  return c;
}

}  // namespace tessera::md
