#ifndef TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP
#define TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/reorder: all arrays of a bunch brought into the order of the cells of a grid, so that
/// particles that share nodes are neighbors in memory, as charge deposition and the gather of
/// fields like it (K. J. Bowers, "Accelerating a particle-in-cell simulation using a hybrid
/// counting sort", J. Comput. Phys. 173, 393 (2001)).
///
/// First come the particles on the grid, cell by cell, x fastest: a cell lies between neighboring
/// nodes, a particle on a node belongs to the cell above it and on the last node of a direction to
/// the last cell. Then come those that are off the grid or have a position that is not finite, then
/// those that are lost. Particles of one cell, and of the two last kinds, keep their order.
///
/// `prepare` finds the order from the arrays as they are, `execute` brings them into it: one of
/// each, the one after the other.

namespace tessera::pic {

template <class Storage>
struct ReorderArgs {
  /// particles x 6, any strides that keep elements apart; positions are columns 0, 2 and 4.
  View<Storage, 2> coordinates;
  View<std::uint8_t, 1> alive;  ///< by particle: 0 is lost. Not given: nobody is
  View<Storage, 1> weights;     ///< not given: none to move
  View<std::int64_t, 1> ids;    ///< not given: none to move
  Grid grid;
  /// Two elements: how many particles are on the grid, and how many are not lost.
  View<std::int64_t, 1> counts;
};

/// A plan serves any number of particles up to `particles`; the place and the spacing of the grid
/// may change from call to call, the rest may not.
struct ReorderProblem {
  std::int64_t particles = 0;  ///< below 2^31
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
};

[[nodiscard]] ProblemKey problem_key(const ReorderProblem& problem);

/// What a call needs.
class ReorderCheck {
 public:
  explicit ReorderCheck(const ReorderProblem& problem);
  template <class Storage>
  void operator()(ArgumentCheck& check, const ReorderArgs<Storage>& args) const;

 private:
  ReorderProblem problem_;
};

struct Reorder : PlainOperation<ReorderArgs, ReorderProblem, Prepare::required> {
  static constexpr std::string_view name = "pic/reorder";
  using Check = ReorderCheck;
};

/// The problem that `args` pose.
/// \throws ArgumentError when shapes do not fit together or the grid makes no sense.
template <class Storage>
[[nodiscard]] ReorderProblem reorder_problem(const ReorderArgs<Storage>& args);

/// One call on the caller's arrays with whatever implementation is selected. Keep a plan instead
/// when the same sizes come again.
template <class P = Double>
void reorder(const Context& context, const ReorderArgs<typename P::Storage>& args) {
  run_once<Reorder, P>(reorder_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP
