#include "physics/pic/simulation/loss_record.hpp"

#include <algorithm>
#include <utility>

namespace tessera::pic {
namespace {

/// Largest number of losses for which single copies of coordinates to the host are faster than one
/// copy of all.
constexpr std::size_t few = 64;

template <class Storage>
void fill_few(const Columns& columns, Column<Storage> coordinates,
              const std::vector<std::size_t>& rows, Loss* losses) {
  const Context& context = columns.context();
  const View<const Storage, 2> all = columns.rows(coordinates);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t c = 0; c < 6; ++c) {
      Storage value{};
      context.device->copy_to_host(
          &value, &all(static_cast<std::int64_t>(rows[k]), static_cast<std::int64_t>(c)),
          sizeof value, context.stream);
      losses[k].coordinates[c] = static_cast<double>(value);
    }
}

template <class Storage>
void fill_many(const Columns& columns, Column<Storage> coordinates,
               const std::vector<std::size_t>& rows, Loss* losses) {
  const std::vector<Storage> all = columns.to_host(coordinates);
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t c = 0; c < 6; ++c)
      losses[k].coordinates[c] = static_cast<double>(all[6 * rows[k] + c]);
}

}  // namespace

LossRecord::LossRecord(const std::vector<std::uint8_t>& alive,
                       const std::vector<std::int64_t>& ids) {
  for (std::size_t p = 0; p < ids.size(); ++p)
    if (alive[p] == 0) known_.insert(ids[p]);
}

template <class Storage>
void LossRecord::look(Columns& columns, const LossColumns<Storage>& of,
                      const TrackingPosition& place) {
  const std::vector<std::uint8_t> alive = columns.to_host(of.alive);
  const std::vector<std::int64_t> ids = columns.to_host(of.ids);
  const std::vector<std::int64_t> lost_at = columns.to_host(of.lost_at);
  const std::size_t before = found_.size();
  std::vector<std::size_t> rows;
  for (std::size_t p = 0; p < alive.size(); ++p) {
    if (alive[p] != 0 || !known_.insert(ids[p]).second) continue;
    rows.push_back(p);
    found_.push_back({place, lost_at[p] != 0 ? LossCause::element : LossCause::kick, ids[p], {}});
  }
  if (rows.size() <= few)
    fill_few(columns, of.coordinates, rows, found_.data() + before);
  else
    fill_many(columns, of.coordinates, rows, found_.data() + before);
  columns.fill_zero(of.lost_at);
}

std::vector<Loss> LossRecord::take() {
  std::vector<Loss> taken = std::exchange(found_, {});
  std::sort(taken.begin(), taken.end(), [](const Loss& a, const Loss& b) {
    return std::pair(a.place.step, a.id) < std::pair(b.place.step, b.id);
  });
  return taken;
}

template void LossRecord::look(Columns&, const LossColumns<double>&, const TrackingPosition&);
template void LossRecord::look(Columns&, const LossColumns<float>&, const TrackingPosition&);

}  // namespace tessera::pic
