#ifndef TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP

#include "core/memory/array.hpp"
#include "physics/pic/grid.hpp"
#include "tests/analytic/pic/charged_body.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Fields of charges on a grid by the operations of a step, and how far they are from known ones.

namespace tessera::pic::analytic {

/// Even numbers of nodes around 0.
/// \param half width of the domain along each axis.
[[nodiscard]] Grid centred_grid(const Point& half, std::int64_t nodes, bool periodic_z);

/// Where a node lies; z fastest in lists of nodes.
[[nodiscard]] Point node_place(const Grid& grid, std::int64_t i, std::int64_t j, std::int64_t k);

/// On nodes, z fastest.
struct GridField {
  std::vector<double> component[3];
  std::vector<double> potential = {};  ///< where it was computed
};

/// What pic/green_function makes of a grid (integrated).
struct GreenValues {
  Array<double> array;
  View<double, 3> view;
};
[[nodiscard]] GreenValues green_values(const Context& context, const Grid& grid);

/// By pic/green_function, pic/poisson_solve and pic/electric_field with
/// 4 pi epsilon_0 = 1.
/// \param walls conducting, in place of a Green function.
[[nodiscard]] GridField field_of_density(const Context& context, const Grid& grid,
                                         const std::vector<double>& density, bool walls = false);

/// A body on the nodes as it is there.
[[nodiscard]] std::vector<double> sampled(const ChargedBody& body, const Grid& grid);

/// So many particles of it, three coordinates each.
[[nodiscard]] std::vector<double> drawn(const ChargedBody& body, std::int64_t particles);

/// Their density by pic/charge_deposit, cloud-in-cell.
/// \param charge of a particle.
/// \throws Error where one lies off the grid.
[[nodiscard]] std::vector<double> deposited(const Context& context, const Grid& grid,
                                            const std::vector<double>& places, double charge);

/// The field at each of them by pic/gather_kick, cloud-in-cell.
[[nodiscard]] std::vector<double> gathered(const Context& context, const Grid& grid,
                                           const GridField& field,
                                           const std::vector<double>& places);

/// On nodes; mirror images are made, not computed.
[[nodiscard]] GridField known_field(const ChargedBody& body, const Grid& grid);

/// Over nodes that are not the outermost ones of a direction without a period.
struct FieldError {
  double root_mean_square = 0;  ///< of the difference over that of the known field
  double largest = 0;           ///< of the difference over the largest of the known field
};
[[nodiscard]] FieldError compare(const Grid& grid, const GridField& found, const GridField& known);

/// The slope of log(error) over log(spacing), by least squares.
/// \param nodes along an axis.
[[nodiscard]] double fitted_order(const std::vector<std::int64_t>& nodes,
                                  const std::vector<double>& errors);

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP
