#ifndef TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_HPP
#define TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_HPP

#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/operation.hpp"
#include "core/parameters/problem_key.hpp"

#include <cstdint>
#include <string_view>

/// \file
/// md/integrate: velocity Verlet at constant energy
/// (Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76, 637 (1982)).
///
/// One step is: half kick, drift; new forces; half kick. If velocities are not read between two
/// steps, the closing half kick of one and the opening half kick of the next are applied in one
/// pass, as two separate additions, so that results do not depend on how often velocities are read.

namespace tessera::md {

enum class IntegratePhase {
  open,            ///< half kick, drift
  close,           ///< half kick
  close_and_open,  ///< half kick, half kick, drift
};

inline constexpr IntegratePhase phases[] = {IntegratePhase::open, IntegratePhase::close,
                                            IntegratePhase::close_and_open};

template <class Storage>
struct IntegrateArgs {
  View<Storage, 2> positions;         ///< atoms x 3; changed by open and close_and_open
  View<Storage, 2> velocities;        ///< atoms x 3
  View<const Storage, 2> forces;      ///< atoms x 3
  View<const std::int32_t, 1> types;  ///< atoms; indices into force_to_accel; checked when a plan
                                      ///< first gets this array, and by prepare()
  View<const double, 1>
      force_to_accel;    ///< by type: acceleration per force, 1/mass in consistent units
  double time_step = 0;  ///< negative: time runs backwards
  IntegratePhase phase = IntegratePhase::open;
};

struct IntegrateProblem {
  std::int64_t atoms = 0;
  int types = 1;
};

[[nodiscard]] inline ProblemKey problem_key(const IntegrateProblem& problem) {
  return {.size = problem.atoms};
}

/// Argument check of md/integrate.
class IntegrateCheck {
 public:
  explicit IntegrateCheck(const IntegrateProblem& problem);
  template <class Visit, class Args>
  void for_each_argument(Visit& visit, Args& args) const {
    const auto& [n, types] = problem_;
    visit.array("positions", args.positions, {n, 3});
    visit.array("velocities", args.velocities, {n, 3});
    visit.array("forces", args.forces, {n, 3});
    visit.array("types", args.types, {n});
    visit.array("force_to_accel", args.force_to_accel, {types});
    visit.indices("types", args.types, types);
    visit.not_negative("force_to_accel", args.force_to_accel);
    visit.finite("time_step", args.time_step);
    visit.choice("phase", args.phase, phases, "open, close, close_and_open");
  }
  template <class Storage>
  void operator()(ArgumentCheck& check, const IntegrateArgs<Storage>& args) const;

 private:
  IntegrateProblem problem_;
};

/// Arithmetic is in the type of the arrays.
struct Integrate : PlainOperation<IntegrateArgs, IntegrateProblem> {
  static constexpr std::string_view name = "md/integrate";
  using Check = IntegrateCheck;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_INTEGRATE_INTEGRATE_HPP
