#ifndef TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP

#include "core/memory/array.hpp"
#include "physics/pic/grid.hpp"
#include "tests/analytic/pic/charged_body.hpp"

#include <cstdint>
#include <vector>

/// \file
/// Fields of charges on a grid, computed with the operations of a step, and their errors.

namespace tessera::pic::analytic {

/// A grid with an even number of nodes along each axis, centered at 0.
/// \param half half width of the domain along each axis.
[[nodiscard]] Grid centred_grid(const Point& half, std::int64_t nodes, bool periodic_z);

/// Position of a node; z is fastest in lists of nodes.
[[nodiscard]] Point node_place(const Grid& grid, std::int64_t i, std::int64_t j, std::int64_t k);

/// A field on the nodes of a grid, z fastest.
struct GridField {
  std::vector<double> component[3];
  std::vector<double> potential = {};  ///< empty if it was not computed
};

/// The integrated Green function of a grid by pic/green_function.
struct GreenValues {
  Array<double> array;
  View<double, 3> view;
};
[[nodiscard]] GreenValues green_values(const Context& context, const Grid& grid);

/// The field of a density by pic/green_function, pic/poisson_solve and pic/electric_field with
/// 4 pi epsilon_0 = 1.
/// \param walls whether to solve with conducting walls in place of a Green function.
[[nodiscard]] GridField field_of_density(const Context& context, const Grid& grid,
                                         const std::vector<double>& density, bool walls = false);

/// The density of a body, sampled at the nodes.
[[nodiscard]] std::vector<double> sampled(const ChargedBody& body, const Grid& grid);

/// Random positions of `particles` particles of a body, three coordinates each.
[[nodiscard]] std::vector<double> drawn(const ChargedBody& body, std::int64_t particles);

/// The density of particles by pic/charge_deposit, cloud-in-cell.
/// \param charge charge of a particle.
/// \throws Error if a particle is off the grid.
[[nodiscard]] std::vector<double> deposited(const Context& context, const Grid& grid,
                                            const std::vector<double>& places, double charge);

/// The field at each particle by pic/gather_kick, cloud-in-cell.
[[nodiscard]] std::vector<double> gathered(const Context& context, const Grid& grid,
                                           const GridField& field,
                                           const std::vector<double>& places);

/// The known field of a body on the nodes, computed in one octant and mirrored into the others.
[[nodiscard]] GridField known_field(const ChargedBody& body, const Grid& grid);

/// Errors over all nodes except the outermost ones in directions that are not periodic.
struct FieldError {
  double root_mean_square = 0;  ///< rms of the difference over rms of the known field
  double largest = 0;           ///< maximum of the difference over maximum of the known field
};
[[nodiscard]] FieldError compare(const Grid& grid, const GridField& found, const GridField& known);

/// The order of convergence: the slope of log(error) over log(spacing), by least squares.
/// \param nodes numbers of nodes along an axis.
[[nodiscard]] double fitted_order(const std::vector<std::int64_t>& nodes,
                                  const std::vector<double>& errors);

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_GRID_FIELD_HPP
