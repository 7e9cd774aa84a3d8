#include "core/state/rollback.hpp"

#include "core/base/error.hpp"

namespace tessera {

Rollback::Rollback(const Columns& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    kept_.emplace_back(columns.context(), columns.info(c).use.rollback
                                              ? static_cast<std::int64_t>(columns.bytes(c))
                                              : 0);
}

void Rollback::require_kept(const Columns& columns, std::size_t index) const {
  if (index < kept_.size() && kept_[index].bytes() == columns.bytes(index)) return;
  throw ArgumentError("Rollback", "column",
                      "'" + columns.info(index).name + "' is not among those that are kept");
}

void Rollback::require_same(const Columns& columns) const {
  bool same = kept_.size() <= columns.size();
  for (std::size_t c = 0; same && c < kept_.size(); ++c)
    same = kept_[c].bytes() == 0 || kept_[c].bytes() == columns.bytes(c);
  if (!same) throw ArgumentError("Rollback", "columns", "not those that it was made for");
}

void Rollback::take(const Columns& columns) {
  require_same(columns);
  const Context& context = columns.context();
  for (std::size_t c = 0; c < kept_.size(); ++c)
    if (kept_[c].size() > 0)
      context.device->copy(kept_[c].data(), columns.data(c), kept_[c].bytes(), context.stream);
}

void Rollback::restore(Columns& columns) const {
  require_same(columns);
  const Context& context = columns.context();
  for (std::size_t c = 0; c < kept_.size(); ++c)
    if (kept_[c].size() > 0)
      context.device->copy(columns.data(c), kept_[c].data(), kept_[c].bytes(), context.stream);
}

}  // namespace tessera
