#include "core/state/columns.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace tessera {
namespace {

enum class Way { to_rows, to_components };
void transpose(Way way, const ColumnInfo& column, std::int64_t rows, const void* from, void* to) {
  const std::size_t size = size_of(column.type);
  const auto n = static_cast<std::size_t>(rows);
  const auto components = static_cast<std::size_t>(column.components);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < components; ++c) {
      const std::size_t by_row = (r * components + c) * size;
      const std::size_t by_component = (c * n + r) * size;
      const bool to_rows = way == Way::to_rows;
      std::memcpy(static_cast<char*>(to) + (to_rows ? by_row : by_component),
                  static_cast<const char*>(from) + (to_rows ? by_component : by_row), size);
    }
}

}  // namespace

Columns::Columns(Context context, std::int64_t owned, std::int64_t ghosts)
    : context_(std::move(context)), owned_(owned), ghosts_(ghosts) {
  require_rows(owned, ghosts);
  static_cast<void>(context_.opened());
}

void Columns::require_rows(std::int64_t owned, std::int64_t ghosts) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 1024;
  for (const auto& [name, rows] : {std::pair{"owned", owned}, {"ghosts", ghosts}})
    if (rows < 0 || rows > most)
      throw ArgumentError("Columns", name, std::to_string(rows) + " rows, expected 0 or more");
}

void Columns::require_layout(const ColumnInfo& info, std::int64_t ghosts) {
  if (info.use.by_component && ghosts > 0)
    throw ArgumentError("Columns", "use",
                        "column '" + info.name + "' by component, expected no ghosts");
}

Array<unsigned char> Columns::make_rows(const ColumnInfo& info, std::int64_t rows) const {
  Array<unsigned char> memory(
      context_, static_cast<std::int64_t>(size_of(info.type)) * info.components * rows);
  memory.fill_bytes(0);
  return memory;
}

void Columns::set_rows(std::int64_t owned, std::int64_t ghosts) {
  require_rows(owned, ghosts);
  const std::int64_t kept = std::min(owned + ghosts, owned_ + ghosts_);
  std::vector<Array<unsigned char>> changed;
  for (const Entry& entry : entries_) {
    require_layout(entry.info, ghosts);
    changed.push_back(make_rows(entry.info, owned + ghosts));
    // A column by component is one piece for each component, any other is one piece.
    const int pieces = entry.info.use.by_component ? entry.info.components : 1;
    const auto row =
        static_cast<std::int64_t>(size_of(entry.info.type)) * entry.info.components / pieces;
    for (int piece = 0; kept > 0 && piece < pieces; ++piece)
      context_.device->copy(changed.back().data() + piece * row * (owned + ghosts),
                            entry.memory.data() + piece * row * (owned_ + ghosts_),
                            static_cast<std::size_t>(row * kept), context_.stream);
  }
  context_.fence();  // the copies read memory that is now released
  for (std::size_t index = 0; index < entries_.size(); ++index)
    entries_[index].memory = std::move(changed[index]);
  owned_ = owned;
  ghosts_ = ghosts;
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
      throw ArgumentError("a column named '" + info.name + "' exists already");
  constexpr int most_components = 64;
  if (info.components < 1 || info.components > most_components)
    throw ArgumentError("Columns", "components",
                        std::to_string(info.components) + " for column '" + info.name +
                            "', expected 1 to " + std::to_string(most_components));
  require_layout(info, ghosts_);
  Array<unsigned char> memory = make_rows(info, owned_ + ghosts_);
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
    case ElementType::uint8:
      take(std::uint8_t{}, std::int64_t{});
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

void Columns::copy_from_host(std::size_t index, const void* host) {
  if (bytes(index) == 0) return;
  std::string turned;
  if (info(index).use.by_component) {
    turned.resize(bytes(index));
    transpose(Way::to_components, info(index), owned_, host, turned.data());
    host = turned.data();
  }
  context_.device->copy_to_device(data(index), host, bytes(index), context_.stream);
}

void Columns::copy_to_host(std::size_t index, void* host) const {
  if (bytes(index) == 0) return;
  const bool by_component = info(index).use.by_component;
  std::string turned(by_component ? bytes(index) : 0, '\0');
  context_.device->copy_to_host(by_component ? turned.data() : host, data(index), bytes(index),
                                context_.stream);
  if (by_component) transpose(Way::to_rows, info(index), owned_, turned.data(), host);
}

}  // namespace tessera
