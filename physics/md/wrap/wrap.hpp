#ifndef TESSERA_PHYSICS_MD_WRAP_WRAP_HPP
#define TESSERA_PHYSICS_MD_WRAP_WRAP_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/implementation.hpp"
#include "core/parameters/problem_key.hpp"
#include "physics/md/box.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// md/wrap: atoms that left through a periodic face come back through the opposite one.
///
/// The unwrapped position, position + n_a a + n_b b + n_c c with the edges of the box, stays the
/// same up to rounding (LAMMPS documentation, "read_data", image flags).

namespace tessera::md {

template <class Storage>
struct WrapArgs {
  /// Atoms x 3; afterwards lower <= x < lower + length, in a tilted box inside the parallelepiped
  /// up to rounding; non-finite coordinates stay unchanged.
  View<Storage, 2> positions;
  View<std::int32_t, 2> images;  ///< atoms x 3 crossings of the faces along a, b, c, or not given;
                                 ///< a flag saturates at the limits of its type
  Box box;                       ///< directions that are not periodic are ignored
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
  template <class Storage>
  void operator()(ArgumentCheck& check, const WrapArgs<Storage>& args) const;

 private:
  WrapProblem problem_;
};

struct Wrap {
  static constexpr std::string_view name = "md/wrap";
  template <class P>
  using Args = WrapArgs<typename P::Storage>;
  using Problem = WrapProblem;
  using PlanInterface = NoPlanInterface;
  using Check = WrapCheck;
  static constexpr Prepare prepare = Prepare::none;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_WRAP_WRAP_HPP
