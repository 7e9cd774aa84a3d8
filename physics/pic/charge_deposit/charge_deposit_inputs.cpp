#include "physics/pic/charge_deposit/charge_deposit_inputs.hpp"

#include "physics/pic/bunch_source.hpp"
#include "physics/pic/charge_deposit/cloud_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>
#include <utility>

namespace tessera::pic {
namespace {

using clouds::first_node;
using clouds::gaussian;
using clouds::grid_of;
using clouds::Numbers;
using clouds::Positions;
using clouds::sort_by_cell;
using clouds::uniform;

DepositInput simple(const Grid& grid, Positions positions) {
  DepositInput input;
  input.grid = grid;
  input.positions = std::move(positions);
  return input;
}

const Grid odd = grid_of(13, 7, 21);

DepositInput random(std::int64_t n) {
  return simple(odd, uniform(odd, n, 0));
}

/// Particles on all nodes, centers of faces and cells, and centers of edges of the grid. Spacings
/// are powers of two or three times a power of two, so that all positions are exact.
DepositInput on_nodes() {
  Positions positions;
  for (std::int64_t i = 0; i < 2 * odd.nodes[0] - 1; ++i)
    for (std::int64_t j = 0; j < 2 * odd.nodes[1] - 1; ++j)
      for (std::int64_t k = 0; k < 2 * odd.nodes[2] - 1; ++k)
        positions.push_back({first_node(odd, 0) + 0.5 * static_cast<double>(i) * odd.spacing[0],
                             first_node(odd, 1) + 0.5 * static_cast<double>(j) * odd.spacing[1],
                             first_node(odd, 2) + 0.5 * static_cast<double>(k) * odd.spacing[2]});
  return simple(odd, std::move(positions));
}

/// Some of the positions of on_nodes(), and positions between the last node and the first.
DepositInput on_periodic_nodes() {
  DepositInput input = simple(odd, {});
  const Positions all = on_nodes().positions;
  for (std::size_t p = 0; p < all.size(); p += 11) {
    input.positions.push_back(all[p]);
    // Some of the positions are moved to the boundary of the period along one direction.
    if (p % 4 < 3) input.positions.back()[p % 4] = odd.lower[p % 4];
  }
  std::fill_n(input.grid.periodic, 3, true);
  return input;
}

/// Positions on the outermost nodes, and 2^-16 of a spacing to either side of them.
DepositInput at_the_boundary() {
  Positions positions;
  const double steps[] = {-0x1p-16, 0, 0x1p-16};
  for (int a = 0; a < 3; ++a)
    for (const int last : {0, 1})
      for (const double step : steps)
        for (const auto& inside : uniform(odd, 20, 0, static_cast<std::uint64_t>(a) + 7)) {
          auto position = inside;
          const double node = last * static_cast<double>(odd.nodes[a] - 1);
          position[static_cast<std::size_t>(a)] =
              first_node(odd, a) + (node + step) * odd.spacing[a];
          positions.push_back(position);
        }
  return simple(odd, std::move(positions));
}

/// Positions beyond the grid, far beyond it, and not finite.
DepositInput outside() {
  DepositInput input = simple(odd, uniform(odd, 3000, -4));
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(), 1e30, -1e30};
  std::size_t p = 5;
  for (const double x : bad)
    for (std::size_t a = 0; a < 3; ++a, p += 11)
      input.positions[p][a] = x;
  return input;
}

DepositInput periodic(std::int64_t n, bool x, bool y, bool z) {
  Grid grid = odd;
  grid.periodic[0] = x;
  grid.periodic[1] = y;
  grid.periodic[2] = z;
  DepositInput input = simple(grid, uniform(grid, n, 0));
  for (std::size_t p = 0; p < input.positions.size(); ++p)
    for (std::size_t a = 0; a < 3; ++a) {
      if (!grid.periodic[a]) continue;
      // Some particles are on the boundary of the period, the others within three periods to either
      // side of it. Only a few are on the boundary in all directions, because equal terms are all
      // rounded in the same direction.
      const double period = static_cast<double>(grid.nodes[a]) * grid.spacing[a];
      if (p % 17 == 0 && (p / 17 >> a) % 2 == 1)
        input.positions[p][a] = grid.lower[a] + (p / 136 % 2 == 0 ? 0 : period);
      if (p % 19 == 0 && (p / 19 >> a) % 2 == 1)
        input.positions[p][a] = first_node(grid, static_cast<int>(a)) - 0x1p-20;
      input.positions[p][a] += (static_cast<double>(p % 7) - 3) * period;
    }
  return input;
}

DepositInput with_weights(std::int64_t n, double least) {
  DepositInput input = random(n);
  input.charge = -1.7;
  const Numbers numbers(3);
  for (std::size_t p = 0; p < input.positions.size(); ++p)
    input.weights.push_back(p % 13 == 0 ? 0 : least + 2 * numbers.uniform(p));
  return input;
}

DepositInput layout(std::int64_t n, PositionLayout positions, DensityLayout density) {
  DepositInput input = with_weights(n, 0.5);
  input.position_layout = positions;
  input.density_layout = density;
  return input;
}

DepositInput one_cell(std::int64_t n) {
  DepositInput input = simple(odd, uniform(odd, n, 0));
  for (auto& position : input.positions)
    for (int a = 0; a < 3; ++a) {
      auto& x = position[static_cast<std::size_t>(a)];
      const double width = static_cast<double>(odd.nodes[a] - 1);
      x = first_node(odd, a) + 3 * odd.spacing[a] + (x - first_node(odd, a)) / width;
    }
  return input;
}

DepositInput thin(std::int64_t n) {
  Grid grid = grid_of(2, 1, 40);
  grid.periodic[1] = true;
  return simple(grid, uniform(grid, n, 0));
}

/// A periodic grid of 1 x 2 x 3 nodes, fewer than those that share the charge of a particle, so
/// that several of these wrap to the same node.
DepositInput few_that_wrap(std::int64_t n) {
  Grid grid = grid_of(1, 2, 3);
  for (bool& periodic : grid.periodic)
    periodic = true;
  DepositInput input = simple(grid, uniform(grid, n, -3));
  const Numbers numbers(5);
  for (std::size_t p = 0; p < input.positions.size(); ++p)
    input.weights.push_back(2 * numbers.uniform(p) - 0.5);
  return input;
}

DepositInput large(std::int64_t n, bool sorted) {
  const Grid grid = grid_of(40, 33, 70);
  DepositInput input = simple(grid, gaussian(grid, n));
  if (sorted) sort_by_cell(grid, input.positions);
  return input;
}

/// A grid of 64 x 64 x 512 nodes; shorter for checks with few particles.
Grid beam_grid(std::int64_t n) {
  return grid_of(64, 64, n < 100000 ? 96 : 512);
}

/// A Gaussian beam within four standard deviations of the center.
DepositInput beam(std::int64_t n, bool by_cell) {
  const Grid grid = beam_grid(n);
  DepositInput input = simple(grid, gaussian(grid, n));
  if (by_cell) sort_by_cell(grid, input.positions);
  return input;
}

DepositInput reordered_beam(std::int64_t n) {
  DepositInput input = beam(n, false);
  clouds::reorder(input.grid, input.positions);
  return input;
}

/// Moves the particles of a beam by 15 degrees of betatron phase: by two cells rms in x and y.
void drift(DepositInput& input) {
  const Grid& grid = input.grid;
  // In a matched beam the transverse phase space rotates as a whole, and the momentum in units of
  // the beam size is an independent normal deviate.
  const double phase = std::numbers::pi / 12;
  const Numbers momenta(2);
  for (std::size_t p = 0; p < input.positions.size(); ++p) {
    const auto [px, py] = momenta.normal_pair(p);
    const double momentum[2] = {px, py};
    for (std::size_t a = 0; a < 2; ++a) {
      const double size = static_cast<double>(grid.nodes[a]) * grid.spacing[a];
      const double centre = grid.lower[a] + 0.5 * size;
      double& x = input.positions[p][a];
      x = centre + (x - centre) * std::cos(phase) + 0.125 * size * momentum[a] * std::sin(phase);
    }
  }
}

DepositInput drifted_beam(std::int64_t n) {
  DepositInput input = beam(n, true);
  drift(input);
  return input;
}

/// A beam after pic/reorder and five steps of three degrees of betatron phase each, which also move
/// it by 0.08 of a cell rms along z.
DepositInput beam_after_five_steps(std::int64_t n) {
  DepositInput input = reordered_beam(n);
  drift(input);
  const Numbers numbers(7);
  for (std::size_t p = 0; p < input.positions.size(); ++p)
    input.positions[p][2] += 0.08 * input.grid.spacing[2] * numbers.normal_pair(p).first;
  return input;
}

/// A uniform beam, with the same number of nodes for any number of particles.
DepositInput even_beam(std::int64_t n) {
  const Grid grid = grid_of(64, 64, 512);
  return simple(grid, uniform(grid, n, 0));
}

DepositInput in_order(ParticleOrder order, DepositInput input) {
  input.order = order;
  return input;
}

/// A bunch with a third of the particles lost, some of them off the grid; one lost particle has a
/// position that is not finite.
DepositInput some_lost(std::int64_t n) {
  DepositInput input = with_weights(n, 0.5);
  for (std::size_t p = 0; p < input.positions.size(); ++p) {
    input.alive.push_back(p % 3 == 1 ? 0 : 1);
    if (p % 5 == 1) input.positions[p][2] += 1000;
  }
  if (input.positions.size() > 4) input.positions[4][0] = NAN;
  return input;
}

using Rows = std::vector<TrialRow<DepositInput>>;

/// Inputs that also test shapes of order 2 and 3, chosen for their boundaries, wrapping, layouts
/// and weights.
bool is_tried_in_all_orders(const TrialInput& input) {
  static const std::set<std::string> chosen{"few nodes",
                                            "in one cell",
                                            "on nodes, faces and edges",
                                            "on nodes, faces and edges, periodic",
                                            "at the boundary",
                                            "outside",
                                            "periodic x",
                                            "periodic",
                                            "fewer nodes than share",
                                            "weights",
                                            "some are lost",
                                            "charges of both signs",
                                            "density by columns",
                                            "added",
                                            "fewer than planned",
                                            "random"};
  return chosen.contains(input.name);
}

/// A row whose inputs `change` modifies, with `suffix` appended to its name.
template <class Change>
TrialRow<DepositInput> changed(const TrialRow<DepositInput>& row, const std::string& suffix,
                               const Change& change) {
  TrialRow<DepositInput> other = row;
  other.input.name += suffix;
  if (!other.input.companion.empty()) other.input.companion += suffix;
  other.make = [make = row.make, change](std::int64_t n) {
    DepositInput input = make(n);
    change(input);
    return input;
  };
  return other;
}

void add_shape_orders(Rows& rows) {
  const std::size_t given = rows.size();
  for (const int order : {2, 3})
    for (std::size_t r = 0; r < given; ++r)
      if (is_tried_in_all_orders(rows[r].input)) {
        TrialRow<DepositInput> row =
            changed(rows[r], ", order " + std::to_string(order),
                    [order](DepositInput& input) { input.shape_order = order; });
        if (!row.input.timed.empty()) row.input.timed = {1000000};
        rows.push_back(std::move(row));
      }
}

}  // namespace

TrialShape position_shape(const DepositInput& input) {
  const auto n = static_cast<std::int64_t>(input.positions.size());
  TrialShape shape = TrialShape::items(n, 3);
  if (input.position_layout == PositionLayout::columns) shape.strides = {1, n + 5, 1};
  if (input.position_layout == PositionLayout::records) shape.strides = {7, 1, 1};
  return shape;
}

TrialShape density_shape(const DepositInput& input) {
  const std::int64_t nx = input.grid.nodes[0];
  const std::int64_t ny = input.grid.nodes[1];
  const std::int64_t nz = input.grid.nodes[2];
  if (input.density_layout == DensityLayout::x_fastest_padded) {
    const std::int64_t padded = 2 * (nx / 2 + 1);
    return {{nx, ny, nz}, {1, padded, padded * ny}, false};
  }
  return {{nx, ny, nz}, {ny * nz, nz, 1}, false};
}

std::vector<double> coordinates(const DepositInput& input) {
  std::vector<double> all;
  all.reserve(3 * input.positions.size());
  for (const auto& position : input.positions)
    all.insert(all.end(), position.begin(), position.end());
  return all;
}

std::optional<DepositInput> deposit_input(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr || !bunch->has_grid()) return std::nullopt;
  DepositInput input;
  input.grid = bunch->grid;
  const std::vector<double>& v = bunch->in_beam();
  for (std::size_t p = 0; p < v.size(); p += 6)
    input.positions.push_back({v[p], v[p + 2], v[p + 4]});
  if (std::count(bunch->alive.begin(), bunch->alive.end(), 0) > 0) input.alive = bunch->alive;
  input.charge = bunch->charge;
  input.position_layout = PositionLayout::columns;
  input.density_layout = DensityLayout::x_fastest_padded;
  input.field_layout = FieldLayout::by_node;
  input.shape_order = bunch->shape_order;
  input.determinism = bunch->determinism;
  return input;
}

Rows deposit_rows() {
  using N = std::int64_t;
  constexpr auto by_rows = PositionLayout::rows;
  constexpr auto z_fastest = DensityLayout::z_fastest;
  const std::vector<N> timed{1000000, 21000000};
  const std::string few_nodes = "few nodes";  // the oracle is too slow for two million particles
  Rows rows{
      {{"few nodes", {0, 1, 31, 33, 1000, 100003}}, random},
      {{"in one cell", {100003}}, one_cell},
      {{"on nodes, faces and edges", {25 * 13 * 41}, {}, false}, [](N) { return on_nodes(); }},
      {{"on nodes, faces and edges, periodic", {1212}, {}, false},
       [](N) { return on_periodic_nodes(); }},
      {{"at the boundary", {360}, {}, false}, [](N) { return at_the_boundary(); }},
      {{"outside", {3000}, {}, false}, [](N) { return outside(); }},
      {{"some are lost", {0, 33, 4000}}, some_lost},
      {{"periodic x", {5000}}, [](N n) { return periodic(n, true, false, false); }},
      {{"periodic y", {5000}}, [](N n) { return periodic(n, false, true, false); }},
      {{"periodic z", {5000}}, [](N n) { return periodic(n, false, false, true); }},
      {{"periodic", {5000}}, [](N n) { return periodic(n, true, true, true); }},
      {{"two nodes, one plane", {1000}}, thin},
      {{"fewer nodes than share", {1000}}, few_that_wrap},
      {{"weights", {4000}}, [](N n) { return with_weights(n, 0.5); }},
      {{"charges of both signs", {4000}}, [](N n) { return with_weights(n, -1); }},
      {{"positions by columns", {4000}},
       [](N n) { return layout(n, PositionLayout::columns, z_fastest); }},
      {{"particles of seven numbers", {4000}},
       [](N n) { return layout(n, PositionLayout::records, z_fastest); }},
      {{"density by columns", {4000}},
       [](N n) { return layout(n, by_rows, DensityLayout::x_fastest_padded); }},
      {{"added", {3000}},
       [](N n) {
         DepositInput input = random(n);
         input.add = true;
         return input;
       }},
      {{"fewer than planned", {1500}},
       [](N n) {
         DepositInput input = random(n);
         input.spare = 100000;
         return input;
       }},
      {{"gaussian", {300007}}, [](N n) { return large(n, false); }},
      {{"gaussian by cell", {300007}}, [](N n) { return large(n, true); }},
      {{"random", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::random, beam(n, false)); }},
      {{"cell-sorted", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::sorted, beam(n, true)); }},
      {{"drifted", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::drifted, drifted_beam(n)); }},
      {{"reordered", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::sorted, reordered_beam(n)); }},
      {{"five steps after", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::drifted, beam_after_five_steps(n)); }},
      {{"uniform", {30011}, timed, true, few_nodes},
       [](N n) { return in_order(ParticleOrder::random, even_beam(n)); }},
  };
  add_shape_orders(rows);
  return rows;
}

Rows kick_rows() {
  constexpr std::int64_t most = 30011;
  // Inputs that are also run with the field by node, chosen to test kernels that read nodes in
  // pieces.
  const std::set<std::string> tried_by_node{
      "few nodes", "at the boundary",        "outside",      "periodic x",
      "periodic",  "fewer nodes than share", "some are lost"};
  const auto by_node = [](DepositInput& input) { input.field_layout = FieldLayout::by_node; };
  // The layout that SpaceChargeKick uses.
  const auto as_in_a_step = [](DepositInput& input) {
    input.field_layout = FieldLayout::by_node;
    input.position_layout = PositionLayout::columns;
  };
  const std::string suffix = ", field by node";
  Rows rows;
  for (TrialRow<DepositInput>& row : deposit_rows()) {
    for (std::int64_t& size : row.input.checked)
      size = std::min(size, most);
    const std::string name = row.input.name.substr(0, row.input.name.find(", order"));
    if (tried_by_node.contains(name)) {
      rows.push_back(changed(row, suffix, by_node));
      // Numbers of particles around the sizes of a group and of a warp, and a larger number that is
      // no multiple of them.
      if (name == "few nodes") rows.back().input.checked = {0, 1, 2, 3, 5, 31, 32, 33, 1001};
    }
    if (!row.input.timed.empty()) {
      row = changed(row, "", as_in_a_step);
      row.input.companion += suffix;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Rows deposit_rows_in_any_order() {
  const std::set<std::string> chosen{"few nodes", "in one cell",
                                     "outside",   "some are lost",
                                     "periodic",  "fewer nodes than share",
                                     "weights",   "charges of both signs",
                                     "added",     "random",
                                     "reordered", "five steps after"};
  Rows rows;
  for (const TrialRow<DepositInput>& row : deposit_rows()) {
    const std::string& name = row.input.name;
    if (chosen.contains(name.substr(0, name.find(", order")))) {
      rows.push_back(changed(row, " in any order", [](DepositInput& input) {
        input.determinism = Determinism::any_order;
      }));
    }
  }
  return rows;
}

}  // namespace tessera::pic
