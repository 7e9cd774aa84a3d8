#ifndef TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP
#define TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP

#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/pic/grid.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// pic/reorder: sorts all arrays of a bunch by the cells of a grid, so that particles that share
/// nodes are neighbors in memory, which speeds up charge deposition and the gathering of fields (K.
/// J. Bowers, "Accelerating a particle-in-cell simulation using a hybrid counting sort", J. Comput.
/// Phys. 173, 393 (2001)).
///
/// Particles on the grid come first, cell by cell, x fastest. A cell is the box between neighboring
/// nodes; a particle on a node belongs to the cell above it, and on the last node of a direction to
/// the last cell. Particles off the grid or with a position that is not finite follow, then lost
/// particles. The sort is stable within each cell and within the last two groups.
///
/// `prepare` finds the order from the present arrays, `execute` applies it once: each execute needs
/// a prepare before it.

namespace tessera::pic {

template <class Storage>
struct ReorderArgs {
  /// particles x 6, any strides that keep elements apart; positions are columns 0, 2 and 4.
  View<Storage, 2> coordinates;
  View<std::uint8_t, 1> alive;  ///< one flag per particle; 0: lost. Not given: none is lost
  View<Storage, 1> weights;     ///< optional
  View<std::int64_t, 1> ids;    ///< optional
  Grid grid;
  /// Two elements: number of particles on the grid, number of particles that are not lost.
  View<std::int64_t, 1> counts;
};

/// A plan serves any number of particles up to `particles`. Position and spacing of the grid may
/// change between calls; all else must stay the same.
struct ReorderProblem {
  std::int64_t particles = 0;  ///< below 2^31
  std::int64_t nodes[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
};

[[nodiscard]] ProblemKey problem_key(const ReorderProblem& problem);

/// Checks the arguments of a call.
class ReorderCheck {
 public:
  explicit ReorderCheck(const ReorderProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const std::int64_t particles = args.coordinates.extents[0];
    visit.at_most_rows("coordinates", args.coordinates, {problem_.particles, 6});
    visit.optional("alive", args.alive, {particles});
    visit.optional("weights", args.weights, {particles});
    visit.optional("ids", args.ids, {particles});
    visit.at_least("counts", args.counts, 2);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const ReorderArgs<Storage>& args) const;

 private:
  ReorderProblem problem_;
};

struct Reorder
    : PlainOperation<ReorderArgs, ReorderProblem, OperationTraits{.prepare = Prepare::required}> {
  static constexpr std::string_view name = "pic/reorder";
  using Check = ReorderCheck;
};

/// The problem that `args` describe.
/// \throws ArgumentError when shapes do not fit together or the grid is invalid.
template <class Storage>
[[nodiscard]] ReorderProblem reorder_problem(const ReorderArgs<Storage>& args);

/// One call on the caller's arrays with the selected implementation. Keep a plan for repeated calls
/// with the same sizes.
template <class P = Double>
void reorder(const Context& context, const ReorderArgs<typename P::Storage>& args) {
  run_once<Reorder, P>(reorder_problem(args), context, args);
}

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_REORDER_REORDER_HPP
