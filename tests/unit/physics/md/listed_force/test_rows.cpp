#include "core/memory/array.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/registry.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/topology/listed_lists.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// \file
/// Listed terms of atoms that lie in other rows of positions and forces than their lists name.

namespace tessera::test {
namespace {

/// A chain of atoms across a periodic box.
struct Chain {
  static constexpr std::int64_t atoms = 37;
  std::vector<double> positions;
  md::ListedLists lists;
  std::vector<double> bonds{30.0, 0.9};
  std::vector<double> angles{5.0, 150.0};

  Chain() {
    for (std::int64_t i = 0; i < atoms; ++i) {
      const auto x = static_cast<double>(i);
      positions.insert(positions.end(),
                       {0.8 * x, 0.3 * static_cast<double>(i % 3), 0.3 + 0.05 * x});
    }
    std::vector<md::ListedTerm> terms;
    for (std::int32_t i = 1; i < atoms; ++i) {
      terms.push_back({md::bond_class, 0, {i - 1, i}});
      if (i > 1) terms.push_back({md::angle_class, 1, {i - 2, i - 1, i}});
    }
    lists = md::listed_by_atom(atoms, terms);
  }

  [[nodiscard]] md::ListedForceProblem problem() const {
    md::ListedForceProblem problem{atoms, std::ssize(lists.kinds)};
    problem.classes[md::bond_class] = {"harmonic", 1};
    problem.classes[md::angle_class] = {"harmonic", 1};
    return problem;
  }
  [[nodiscard]] md::Box box() const {
    md::Box box;
    for (double& length : box.length)
      length = 11;
    return box;
  }
};

struct Result {
  std::vector<double> forces;  ///< of the atoms in the order of the lists
  std::vector<double> totals;
};

constexpr double poison = -7e77;

/// \param rows row of each atom among `count` rows; empty: not given.
/// \param by_component whether all x come first, then all y, then all z.
/// \param order atom of each row; empty: not given.
[[nodiscard]] Result compute(const std::string& implementation, const Chain& chain,
                             const std::vector<std::int32_t>& rows, std::int64_t count,
                             bool by_component, Write write,
                             const std::vector<std::int32_t>& order = {}) {
  Context context = registry().open("auto");
  Choices choices;
  choices.choose(registry(), "md/listed_force", implementation);
  context.choices = std::make_shared<const Choices>(std::move(choices));
  const auto row_of = [&](std::int64_t i) {
    return rows.empty() ? i : std::int64_t{rows[static_cast<std::size_t>(i)]};
  };
  const auto at = [&](std::int64_t row, std::int64_t d) {
    return static_cast<std::size_t>(by_component ? d * count + row : 3 * row + d);
  };
  std::vector<double> placed(static_cast<std::size_t>(3 * count), poison);
  std::vector<double> written(placed.size(), poison);
  for (std::int64_t i = 0; i < Chain::atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d) {
      placed[at(row_of(i), d)] = chain.positions[static_cast<std::size_t>(3 * i + d)];
      if (write == Write::add) written[at(row_of(i), d)] = 0.25 * static_cast<double>(i + d);
    }
  const Array<double> positions(context, std::span<const double>(placed));
  Array<double> forces(context, std::span<const double>(written));
  const Array<std::int32_t> offsets(context, chain.lists.offsets);
  const Array<std::int32_t> kinds(context, chain.lists.kinds);
  const Array<std::int32_t> places(context, chain.lists.places);
  const Array<std::int32_t> partners(context, chain.lists.partners);
  const Array<std::int32_t> row_array(context, std::span<const std::int32_t>(rows));
  const Array<std::int32_t> order_array(context, std::span<const std::int32_t>(order));
  Array<double> totals(context, 14);
  md::ListedForceArgs<double> args;
  const std::int64_t strides[2] = {by_component ? 1 : 3, by_component ? count : 1};
  args.positions = {positions.data(), {count, 3}, {strides[0], strides[1]}};
  args.forces = {forces.data(), {count, 3}, {strides[0], strides[1]}};
  args.offsets = offsets.view();
  args.kinds = kinds.view();
  args.places = places.view();
  args.partners = partners.view();
  if (!rows.empty()) args.rows = row_array.view();
  if (!order.empty()) args.order = order_array.view();
  args.write = write;
  args.box = chain.box();
  args.coefficients[md::bond_class] = {chain.bonds.data(), {1, 2}};
  args.coefficients[md::angle_class] = {chain.angles.data(), {1, 2}};
  args.energy = {totals.data(), {2}, {7}};
  args.virial = {totals.data() + 1, {2, 6}, {7, 1}};
  run_once<md::ListedForce, Double>(chain.problem(), context, args);
  const std::vector<double> all = forces.to_host();
  Result result{{}, totals.to_host()};
  std::vector<bool> is_atom(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < Chain::atoms; ++i) {
    is_atom[static_cast<std::size_t>(row_of(i))] = true;
    for (std::int64_t d = 0; d < 3; ++d)
      result.forces.push_back(all[at(row_of(i), d)]);
  }
  for (std::int64_t row = 0; row < count; ++row)
    for (std::int64_t d = 0; d < 3; ++d)
      if (!is_atom[static_cast<std::size_t>(row)]) CHECK(all[at(row, d)] == poison);
  return result;
}

TEST_CASE("listed terms find atoms in other rows, and leave the rows of no atom alone") {
  const Chain chain;
  std::vector<std::int32_t> rows;
  std::vector<std::int32_t> mixed(Chain::atoms);
  std::vector<std::int32_t> order(Chain::atoms);
  for (std::int32_t i = 0; i < Chain::atoms; ++i) {
    rows.push_back((7 * i) % 37 * 2 + 1);
    const std::int32_t row = (5 * i + 3) % Chain::atoms;
    mixed[static_cast<std::size_t>(i)] = row;
    order[static_cast<std::size_t>(row)] = i;
  }
  const Context context = registry().open("auto");
  for (const ImplementationBase* const one :
       registry().implementations("md/listed_force", Precision::double_precision)) {
    if (one->can_run_on(context)) continue;
    const std::string name = one->info().name;
    CAPTURE(name);
    for (const Write write : {Write::overwrite, Write::add}) {
      const Result plain = compute(name, chain, {}, Chain::atoms, false, write);
      for (const bool by_component : {false, true}) {
        const Result placed = compute(name, chain, rows, 80, by_component, write);
        CHECK(placed.forces == plain.forces);
        CHECK(placed.totals == plain.totals);
        const Result in_rows =
            compute(name, chain, mixed, Chain::atoms, by_component, write, order);
        CHECK(in_rows.forces == plain.forces);
        for (std::size_t c = 0; c < plain.totals.size(); ++c)
          CHECK(in_rows.totals[c] == doctest::Approx(plain.totals[c]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("rows of listed terms that are out of range, or too few, are refused") {
  const Chain chain;
  std::vector<std::int32_t> rows(Chain::atoms);
  for (std::int32_t i = 0; i < Chain::atoms; ++i)
    rows[static_cast<std::size_t>(i)] = i;
  const auto run = [&] {
    return compute("auto", chain, rows, Chain::atoms, false, Write::overwrite);
  };
  CHECK_NOTHROW(static_cast<void>(run()));
  const std::int64_t count = Chain::atoms;
  std::vector<std::int32_t> wrong = rows;
  wrong[5] = static_cast<std::int32_t>(count);
  const std::vector<double> zeros(static_cast<std::size_t>(3 * count));
  const Context context = registry().open("auto");
  const Array<double> positions(context, std::span<const double>(zeros));
  Array<double> forces(context, std::span<const double>(zeros));
  const Array<std::int32_t> offsets(context, chain.lists.offsets);
  const Array<std::int32_t> kinds(context, chain.lists.kinds);
  const Array<std::int32_t> places(context, chain.lists.places);
  const Array<std::int32_t> partners(context, chain.lists.partners);
  const Array<std::int32_t> row_array(context, std::span<const std::int32_t>(wrong));
  md::ListedForceArgs<double> args;
  args.positions = {positions.data(), {count, 3}};
  args.forces = {forces.data(), {count, 3}};
  args.offsets = offsets.view();
  args.kinds = kinds.view();
  args.places = places.view();
  args.partners = partners.view();
  args.rows = row_array.view();
  args.box = chain.box();
  args.coefficients[md::bond_class] = {chain.bonds.data(), {1, 2}};
  args.coefficients[md::angle_class] = {chain.angles.data(), {1, 2}};
  const md::ListedForceProblem problem = chain.problem();
  CHECK_THROWS_AS((run_once<md::ListedForce, Double>(problem, context, args)), ArgumentError);
  args.rows = {row_array.data(), {count - 1}};
  CHECK_THROWS_AS((run_once<md::ListedForce, Double>(problem, context, args)), ArgumentError);
}

}  // namespace
}  // namespace tessera::test
