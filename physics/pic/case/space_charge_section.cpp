#include "physics/pic/case/space_charge_section.hpp"

namespace tessera::pic {
namespace {

using cases::TableView;

const cases::Rule<SpaceChargeSection> only_fixed = {
    [](const SpaceChargeSection& s) { return s.domain == DomainKind::fixed; },
    "expected only with domain = \"fixed\""};
const cases::Rule<SpaceChargeSection> only_not_fixed = {
    [](const SpaceChargeSection& s) { return s.domain != DomainKind::fixed; },
    "expected only with domain = \"n_sigma\" or \"all\""};

/// Repeats the check of the margin that Domain makes, with the line of the key in the error.
void check_margin(const SpaceChargeSection& s, const TableView& table) {
  if (s.domain != DomainKind::all) return;
  for (std::size_t a = 0; a < (s.period ? 2U : 3U); ++a)
    if (!(static_cast<double>(s.nodes[a] - 1) - 2 * s.margin > 0))
      throw table.error("margin", "on either side of " + std::to_string(s.nodes[a]) +
                                      " nodes it leaves nothing, expected less than " +
                                      cases::text_of(static_cast<double>(s.nodes[a] - 1) / 2));
}

void check_nodes(const SpaceChargeSection& s, const TableView& table) {
  double all = 1;
  for (const std::int64_t n : s.nodes)
    all *= static_cast<double>(n);
  if (all > 0x1p40) throw table.wrong("nodes", "fewer than 2^40 nodes in all");
}

}  // namespace

cases::Section<SpaceChargeSection> SpaceChargeSection::section() {
  using namespace cases;
  return {
      .name = "space_charge",
      .after = "lattice",
      .presence = Presence::optional,
      .meaning = "space-charge kicks of the bunch; without this table there are none",
      .rows = {
          {field(&SpaceChargeSection::enabled,
                 {.name = "enabled", .meaning = "false: the table is ignored"}),
           field(
               &SpaceChargeSection::nodes,
               {.name = "nodes", .range = at_least(4), .meaning = "nodes of the grid in x, y, z"}),
           choice(&SpaceChargeSection::domain,
                  {DomainKind::n_sigma, DomainKind::all, DomainKind::fixed},
                  {.name = "domain",
                   .meaning = "position of the grid: `n_sigma` deviations wide around the mean, "
                              "around all particles, or by `size` and `offset`"}),
           field(&SpaceChargeSection::n_sigma,
                 {.name = "n_sigma",
                  .unit = "deviations",
                  .range = positive,
                  .meaning = "width of the grid; 8 reaches 4 to either side",
                  .only = {{[](const SpaceChargeSection& s) {
                              return s.domain == DomainKind::n_sigma;
                            },
                            "expected only with domain = \"n_sigma\""}}}),
           field(&SpaceChargeSection::margin,
                 {.name = "margin",
                  .unit = "nodes",
                  .range = not_negative,
                  .meaning = "margin outside of the outermost particle, at either end",
                  .only = {{[](const SpaceChargeSection& s) { return s.domain == DomainKind::all; },
                            "expected only with domain = \"all\""}}}),
           field(&SpaceChargeSection::size,
                 {.name = "size",
                  .unit = "m",
                  .range = positive,
                  .meaning = "total width of the grid in x, y and along the beam; with `period` "
                             "the last one is ignored",
                  .needed = {only_fixed.holds, "required with `\"fixed\"`"},
                  .only = {only_fixed}}),
           field(&SpaceChargeSection::offset,
                 {.name = "offset",
                  .unit = "m",
                  .meaning = "center of the grid in x, y and along the beam; the last one counts "
                             "behind the reference particle",
                  .only = {only_fixed}}),
           field(&SpaceChargeSection::quantised,
                 {.name = "quantised",
                  .meaning = "widths come from a sequence with steps of 9 %, so that a Green "
                             "function serves many kicks; false: they follow the bunch",
                  .only = {only_not_fixed}}),
           field(&SpaceChargeSection::period,
                 {.name = "period",
                  .unit = "m",
                  .range = positive,
                  .fallback = "none",
                  .meaning = "the beam repeats after this length; without it the boundaries along "
                             "the beam are open"}),
           field(
               &SpaceChargeSection::walls,
               {.name = "walls",
                .meaning =
                    "whether a conducting rectangular pipe is at the transverse edges of the grid",
                .only = {{[](const SpaceChargeSection& s) {
                            return !s.walls || (s.domain == DomainKind::fixed && s.period);
                          },
                          "expected only with domain = \"fixed\" and a period"}}}),
           choice(&SpaceChargeSection::green, {GreenKind::integrated, GreenKind::point},
                  {.name = "green",
                   .meaning = "Green function: of charge that fills a cell, or is a point, which "
                              "is refused where cells are so long that its kicks are wrong by "
                              "more than 10 %: sides beyond 1 to 2 + 0.09 n, with the fewest "
                              "nodes n that the bunch fills along a direction",
                   .only = {{[](const SpaceChargeSection& s) { return !s.walls; },
                             "expected only without walls"}}}),
           field(&SpaceChargeSection::shape_order,
                 {.name = "shape_order",
                  .range = between(1, most_shape_order),
                  .meaning = "order of the B-spline of the particle shape; 1: cloud in cell"}),
           field(&SpaceChargeSection::reorder_every,
                 {.name = "reorder_every",
                  .unit = "kicks",
                  .range = not_negative,
                  .meaning = "kicks between two sorts of the particles by cell; 0: never"}),
           field(&SpaceChargeSection::lose_impossible,
                 {.name = "lose_impossible",
                  .meaning = "whether particles without forward momentum count as lost; otherwise "
                             "they end the run"})},
          {check_margin, check_nodes}}};
}

SpaceChargeOptions SpaceChargeSection::options(double gamma) const {
  SpaceChargeOptions kick;
  kick.domain.kind = domain;
  kick.domain.n_sigma = n_sigma;
  kick.domain.margin = margin;
  kick.domain.quantised = quantised;
  for (std::size_t a = 0; a < 3; ++a) {
    const double factor = a == 2 ? gamma : 1;
    kick.domain.nodes[a] = nodes[a];
    kick.domain.offset[a] = factor * offset[a];
    if (size) kick.domain.size[a] = factor * (*size)[a];
  }
  kick.domain.periodic_z = period.has_value();
  kick.domain.period = gamma * period.value_or(0);
  kick.green = green;
  kick.walls = walls;
  kick.shape_order = static_cast<int>(shape_order);
  kick.lose_impossible = lose_impossible;
  kick.reorder_every = reorder_every;
  return kick;
}

}  // namespace tessera::pic
