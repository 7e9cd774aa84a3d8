#ifndef TESSERA_PHYSICS_MD_SIMULATION_RECOVERY_HPP
#define TESSERA_PHYSICS_MD_SIMULATION_RECOVERY_HPP

#include "core/state/restart_scalars.hpp"
#include "core/state/rollback.hpp"
#include "physics/md/simulation/domain.hpp"

#include <cstdint>
#include <utility>

/// \file
/// The state at the last rebuild of neighbor lists, to which a failed run returns.

namespace tessera::md {

template <class P>
class Recovery {
 public:
  using Storage = typename P::Storage;

  explicit Recovery(Domain<P>& domain);

  /// Stores the present atoms, scalars and box.
  /// \param step number of the step.
  /// \param mid_step whether the atoms are between the drift and the second half kick of the step.
  void take(std::int64_t step, bool mid_step);
  /// Returns to the stored state, except for the clock.
  void restore_atoms();
  /// Returns to the stored state, whose neighbor lists the terms have, with its forces.
  void restore();

  [[nodiscard]] std::int64_t step() const { return stored_.step; }
  /// Positions of the stored state: the neighbor lists are made from these.
  [[nodiscard]] View<const Storage, 2> positions() const;

  /// Runs `change`, which may take() another state. If it throws, returns to the present state with
  /// the neighbor lists of the stored one, in `former` as the box.
  template <class Change>
  void guard(const Box& former, const Change& change);

 private:
  struct Stored {
    Rollback atoms;
    RestartScalars scalars;
    Box box;
    std::int64_t step = 0;
    bool mid_step = false;
  };

  Domain<P>& domain_;
  Stored stored_;
};

template <class P>
template <class Change>
void Recovery<P>::guard(const Box& former, const Change& change) {
  State<P>& state = domain_.state;
  Rollback now(state.columns);
  now.take(state.columns);
  const RestartScalars scalars_now = domain_.scalars();
  // Saves what change() may overwrite.
  Stored kept = std::exchange(stored_, {Rollback(state.columns), {}, {}});
  try {
    change();
  } catch (...) {
    stored_ = std::move(kept);
    // Prepares the terms in the stored state, which is known to suit them, because they may have
    // prepared for the new box.
    restore_atoms();
    domain_.prepare_terms();
    now.restore(state.columns);
    domain_.set_scalars(scalars_now);
    state.description.box = former;
    throw;
  }
}

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_SIMULATION_RECOVERY_HPP
