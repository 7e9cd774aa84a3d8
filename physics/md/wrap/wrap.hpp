#ifndef TESSERA_PHYSICS_MD_WRAP_WRAP_HPP
#define TESSERA_PHYSICS_MD_WRAP_WRAP_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// md/wrap: wraps atoms that have left the box through a periodic face back in through the opposite
/// face.
///
/// The unwrapped position, position + n_a a + n_b b + n_c c with the edges a, b, c of the box and
/// the image flags n, does not change up to rounding (LAMMPS documentation, "read_data", image
/// flags).

namespace tessera::md {

template <class Storage>
struct WrapArgs {
  /// Atoms x 3. Afterwards lower <= x < lower + length in periodic directions; in a tilted box the
  /// atom is inside the parallelepiped up to rounding. Non-finite coordinates are not changed.
  View<Storage, 2> positions;
  View<std::int32_t, 2> images;  ///< atoms x 3 image flags along a, b, c; optional; a flag
                                 ///< saturates at the limits of its type
  Box box;                       ///< atoms are not wrapped in directions that are not periodic
};

struct WrapProblem {
  std::int64_t atoms = 0;
};

[[nodiscard]] inline ProblemKey problem_key(const WrapProblem& problem) {
  return {.size = problem.atoms};
}

/// Argument check of md/wrap.
class WrapCheck {
 public:
  explicit WrapCheck(const WrapProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    visit.array("positions", args.positions, {problem_.atoms, 3});
    visit.optional("images", args.images, {problem_.atoms, 3});
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const WrapArgs<Storage>& args) const;

 private:
  WrapProblem problem_;
};

struct Wrap : PlainOperation<WrapArgs, WrapProblem> {
  static constexpr std::string_view name = "md/wrap";
  using Check = WrapCheck;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_WRAP_WRAP_HPP
