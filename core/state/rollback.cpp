#include <tessera/core/state/rollback.hpp>

namespace tessera {

Rollback::Rollback(const Columns& columns) {
  for (std::size_t c = 0; c < columns.size(); ++c)
    kept_.emplace_back(columns.context(), columns.info(c).use.put_back
                                              ? static_cast<std::int64_t>(columns.bytes(c))
                                              : 0);
}

void Rollback::take(const Columns& columns) {
  const Context& context = columns.context();
  for (std::size_t c = 0; c < kept_.size(); ++c)
    if (kept_[c].size() > 0)
      context.device->copy(kept_[c].data(), columns.data(c), kept_[c].bytes(), context.stream);
}

void Rollback::put_back(Columns& columns) const {
  const Context& context = columns.context();
  for (std::size_t c = 0; c < kept_.size(); ++c)
    if (kept_[c].size() > 0)
      context.device->copy(columns.data(c), kept_[c].data(), kept_[c].bytes(), context.stream);
}

}  // namespace tessera
