#ifndef TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP

#include "core/state/columns.hpp"
#include "physics/pic/simulation/loss.hpp"

#include <unordered_set>
#include <vector>

/// \file
/// Finds newly lost particles of a bunch by comparison with earlier losses.

namespace tessera::pic {

/// Columns on a device in which look() finds losses. The particles may be in any order, which may
/// change between calls.
template <class Storage>
struct LossColumns {
  Column<Storage> coordinates;  ///< by component
  Column<std::uint8_t> alive;
  Column<std::int64_t> ids;
  /// Not 0: lost by an element since the last call of look().
  Column<std::int64_t> lost_at;
};

class LossRecord {
 public:
  /// Particles that are lost at construction are not recorded as losses.
  LossRecord(const std::vector<std::uint8_t>& alive, const std::vector<std::int64_t>& ids);

  /// Records particles that have been lost since the last call, and clears `lost_at`.
  template <class Storage>
  void look(Columns& columns, const LossColumns<Storage>& of, const TrackingPosition& place);

  [[nodiscard]] bool knows(std::int64_t id) const { return known_.contains(id); }
  [[nodiscard]] std::int64_t lost() const { return static_cast<std::int64_t>(known_.size()); }
  /// Losses found since the last call, by step and id.
  [[nodiscard]] std::vector<Loss> take();

 private:
  std::unordered_set<std::int64_t> known_;  ///< ids of all lost particles
  std::vector<Loss> found_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP
