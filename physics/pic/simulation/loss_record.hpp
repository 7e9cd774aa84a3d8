#ifndef TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP
#define TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP

#include "core/state/columns.hpp"
#include "physics/pic/simulation/loss.hpp"

#include <unordered_set>
#include <vector>

/// \file
/// Who of a bunch was lost, found by comparison with who was lost before.

namespace tessera::pic {

/// The columns that losses are found in, on a device. Particles may lie in any order, and in
/// another one each time.
template <class Storage>
struct LossColumns {
  Column<Storage> coordinates;  ///< by component
  Column<std::uint8_t> alive;
  Column<std::int64_t> ids;
  Column<std::int64_t> lost_at;  ///< not 0: lost by an element since this was last looked at
};

class LossRecord {
 public:
  /// Those that are lost already are no losses to come.
  LossRecord(const std::vector<std::uint8_t>& alive, const std::vector<std::int64_t>& ids);

  /// Adds those that are lost now and were not before, and forgets by what.
  template <class Storage>
  void look(Columns& columns, const LossColumns<Storage>& of, const TrackingPlace& place);

  [[nodiscard]] bool knows(std::int64_t id) const { return known_.contains(id); }
  [[nodiscard]] std::int64_t lost() const { return static_cast<std::int64_t>(known_.size()); }
  /// Those found since it was asked the last time, by step and id.
  [[nodiscard]] std::vector<Loss> take();

 private:
  std::unordered_set<std::int64_t> known_;  ///< ids
  std::vector<Loss> found_;
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_SIMULATION_LOSS_RECORD_HPP
