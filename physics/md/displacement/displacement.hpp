#ifndef TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_HPP
#define TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// md/displacement: the check that triggers a rebuild of neighbor lists.
///
/// Two atoms farther apart than cutoff + skin can come within the cutoff only after one of them has
/// moved skin / 2 (Verlet, Phys. Rev. 159, 98 (1967)).

namespace tessera::md {

/// The result, in the memory of the context.
struct DisplacementResult {
  double largest = 0;  ///< largest |r - r_reference|; infinite if a coordinate is not finite
  /// The atom with the largest displacement, the lowest index among equals.
  std::int64_t atom = -1;
};

template <class Storage>
struct DisplacementArgs {
  View<const Storage, 2> positions;    ///< atoms x 3
  View<const Storage, 2> reference;    ///< atoms x 3, atoms not wrapped since; not given: only
                                       ///< searches for non-finite coordinates
  View<DisplacementResult, 1> result;  ///< 1 element
};

struct DisplacementProblem {
  std::int64_t atoms = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const DisplacementProblem& problem) {
  return {.size = problem.atoms};
}

/// Argument check of md/displacement.
class DisplacementCheck {
 public:
  explicit DisplacementCheck(const DisplacementProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("positions", args.positions, {problem_.atoms, 3});
    visit.optional("reference", args.reference, {problem_.atoms, 3});
    visit.at_least("result", args.result, 1);
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const DisplacementArgs<Storage>& args) const;

 private:
  DisplacementProblem problem_;
};

struct Displacement : PlainOperation<DisplacementArgs, DisplacementProblem> {
  static constexpr std::string_view name = "md/displacement";
  using Check = DisplacementCheck;
};

/// Upper bound for the change of the distance of two atoms at opposite corners that a change of the
/// box alone causes. Callers subtract it from the allowed displacement of each atom.
[[nodiscard]] double box_displacement(const Box& now, const Box& then);

/// Index of the first atom whose vector (position, velocity, force) has a component that is NaN or
/// infinite, or -1. Waits for the device.
template <class P>
[[nodiscard]] std::int64_t find_not_finite(const Context& context,
                                           View<const typename P::Storage, 2> vectors);

/// \throws ParticleError naming the atom whose position is NaN or infinite.
template <class P>
void require_finite_positions(const Context& context, View<const typename P::Storage, 2> positions);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_DISPLACEMENT_DISPLACEMENT_HPP
