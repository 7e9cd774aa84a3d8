#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/state/columns.hpp>
#include <utility>

namespace tessera {

Columns::Columns(Context context, std::int64_t owned, std::int64_t ghosts)
    : context_(std::move(context)), owned_(owned), ghosts_(ghosts) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1024;
  for (const auto& [name, rows] : {std::pair{"owned", owned}, {"ghosts", ghosts}})
    if (rows < 0 || rows > most)
      throw ArgumentError("Columns", name, std::to_string(rows) + " rows, expected 0 or more");
  static_cast<void>(context_.opened());
}

void Columns::refuse_index(std::size_t index) const {
  throw ArgumentError("Columns", "column",
                      "number " + std::to_string(index) + " of " + std::to_string(size()));
}

void Columns::refuse_type(std::size_t index, ElementType type) const {
  throw ArgumentError("Columns", "column",
                      "'" + info(index).name + "' holds " + std::string(name(info(index).type)) +
                          ", not " + std::string(name(type)));
}

void Columns::refuse_components(std::size_t index) const {
  throw ArgumentError("Columns", "column",
                      "'" + info(index).name + "' has " + std::to_string(info(index).components) +
                          " components, expected 1");
}

std::size_t Columns::add(ColumnInfo info) {
  for (const Entry& entry : entries_)
    if (entry.info.name == info.name)
      throw ArgumentError("a column named '" + info.name + "' is there already");
  constexpr int most_components = 64;
  if (info.components < 1 || info.components > most_components)
    throw ArgumentError("Columns", "components",
                        std::to_string(info.components) + " for column '" + info.name +
                            "', expected 1 to " + std::to_string(most_components));
  const auto row = static_cast<std::int64_t>(size_of(info.type)) * info.components;
  Array<unsigned char> memory(context_, row * (owned_ + ghosts_));
  memory.fill_bytes(0);
  entries_.push_back({std::move(info), std::move(memory)});
  return entries_.size() - 1;
}

void Columns::fill(std::size_t index, const void* values, std::size_t count) {
  const ColumnInfo& column = info(index);
  if (count != static_cast<std::size_t>(owned_ * column.components))
    throw ArgumentError("Columns", "values",
                        std::to_string(count) + " values for column '" + column.name + "' of " +
                            std::to_string(owned_) + " rows and " +
                            std::to_string(column.components) + " components");
  copy_from_host(index, values);
}

std::vector<std::string> Columns::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_)
    names.push_back(entry.info.name);
  return names;
}

std::size_t Columns::find(const std::string& name) const {
  for (std::size_t index = 0; index < entries_.size(); ++index)
    if (entries_[index].info.name == name) return index;
  throw SelectionError("column", name, names());
}

HostColumn Columns::host_column(std::size_t index) const {
  const ColumnInfo& column = info(index);
  HostColumn host{column.name, column.components, {}};
  const auto take = [&]<class T, class Wide>(T, Wide) {
    const std::vector<T> values = to_host(Column<T>{index});
    host.values = std::vector<Wide>(values.begin(), values.end());
  };
  switch (column.type) {
    case ElementType::float32:
      take(float{}, double{});
      break;
    case ElementType::float64:
      take(double{}, double{});
      break;
    case ElementType::int32:
      take(std::int32_t{}, std::int64_t{});
      break;
    case ElementType::int64:
      take(std::int64_t{}, std::int64_t{});
      break;
    case ElementType::text:
      throw ArgumentError("column '" + column.name + "' holds text");
  }
  return host;
}

std::size_t Columns::bytes(std::size_t index) const {
  const ColumnInfo& column = info(index);
  return static_cast<std::size_t>(owned_ * column.components) * size_of(column.type);
}

std::size_t Columns::row_bytes(std::size_t index) const {
  const ColumnInfo& column = info(index);
  return static_cast<std::size_t>(column.components) * size_of(column.type);
}

void Columns::copy_from_host(std::size_t index, const void* host) {
  const std::size_t all = bytes(index);
  if (all == 0) return;
  if (given_.size() == 0) {
    context_.device->copy_to_device(data(index), host, all, context_.stream);
    return;
  }
  const std::size_t row = row_bytes(index);
  std::vector<unsigned char> moved(all);
  const std::vector<std::int32_t>& given = host_given();
  for (std::size_t k = 0; k < given.size(); ++k)
    std::memcpy(moved.data() + k * row,
                static_cast<const unsigned char*>(host) + static_cast<std::size_t>(given[k]) * row,
                row);
  context_.device->copy_to_device(data(index), moved.data(), all, context_.stream);
}

void Columns::copy_to_host(std::size_t index, void* host) const {
  const std::size_t all = bytes(index);
  if (all == 0) return;
  if (given_.size() == 0) {
    context_.device->copy_to_host(host, data(index), all, context_.stream);
    return;
  }
  const std::size_t row = row_bytes(index);
  std::vector<unsigned char> moved(all);
  context_.device->copy_to_host(moved.data(), data(index), all, context_.stream);
  const std::vector<std::int32_t>& given = host_given();
  for (std::size_t k = 0; k < given.size(); ++k)
    std::memcpy(static_cast<unsigned char*>(host) + static_cast<std::size_t>(given[k]) * row,
                moved.data() + k * row, row);
}

const std::vector<std::int32_t>& Columns::host_given() const {
  if (host_given_.empty()) host_given_ = given_.to_host();
  return host_given_;
}

std::int64_t Columns::given_place(std::int64_t row) const {
  return given_.size() == 0 ? row : host_given()[static_cast<std::size_t>(row)];
}

void Columns::reorder(View<const std::int32_t, 1> source) {
  if (source.extent(0) != owned_)
    throw ArgumentError(
        "Columns", "source",
        std::to_string(source.extent(0)) + " for " + std::to_string(owned_) + " rows");
  if (owned_ == 0) return;
  std::size_t widest = sizeof(std::int32_t);
  for (std::size_t c = 0; c < size(); ++c)
    widest = std::max(widest, row_bytes(c));
  if (given_.size() == 0) {
    std::vector<std::int32_t> same(static_cast<std::size_t>(owned_));
    std::iota(same.begin(), same.end(), std::int32_t{0});
    given_ = Array<std::int32_t>(context_, same);
    rows_ = Array<std::int32_t>(context_, owned_);
  }
  if (moved_.bytes() < widest * static_cast<std::size_t>(owned_))
    moved_ = Array<unsigned char>(context_, static_cast<std::int64_t>(widest) * owned_);
  const auto move = [&](void* rows, std::size_t row) {
    context_.device->gather_rows(moved_.data(), rows, row, source, context_.stream);
    context_.device->copy(rows, moved_.data(), row * static_cast<std::size_t>(owned_),
                          context_.stream);
  };
  for (std::size_t c = 0; c < size(); ++c)
    move(data(c), row_bytes(c));
  move(given_.data(), sizeof(std::int32_t));
  context_.device->invert(rows_.data(), given(), context_.stream);
  host_given_.clear();
}

}  // namespace tessera
