#include "core/memory/copy_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

namespace tessera::detail {
namespace {

/// Limit on the bytes of one copy, gaps included.
constexpr std::int64_t piece = std::int64_t{1} << 25;
/// Limit on the bytes of one copy for each element in it, gaps included. A sparser range is split,
/// down to single elements.
constexpr std::int64_t bytes_for_an_element = std::int64_t{1} << 15;

/// One index of a view: its extent, and its strides in bytes on the device and in the host array.
struct Axis {
  std::int64_t extent;
  std::int64_t from;
  std::int64_t to;
};

/// Copies elements from a host range with gaps to the dense host array.
void gather(std::span<const Axis> axes, const char* from, char* to, std::size_t element) {
  if (axes.empty()) {
    std::memcpy(to, from, element);
    return;
  }
  for (std::int64_t i = 0; i < axes[0].extent; ++i)
    gather(axes.subspan(1), from + i * axes[0].from, to + i * axes[0].to, element);
}

class StridedCopy {
 public:
  StridedCopy(const Context& context, std::size_t element) : context_(context), element_(element) {}

  /// \param axes in descending order of their strides on the device.
  void operator()(std::vector<Axis> axes, const char* from, char* to) {
    std::int64_t below = 0, above = static_cast<std::int64_t>(element_), count = 1;
    for (const Axis& axis : axes) {
      const std::int64_t way = (axis.extent - 1) * axis.from;
      (way < 0 ? below : above) += way;
      count *= axis.extent;
    }
    const std::int64_t bytes = above - below;
    if (axes.empty() || (bytes <= piece && bytes / bytes_for_an_element <= count)) {
      range_.resize(static_cast<std::size_t>(bytes));
      context_.opened().copy_to_host(range_.data(), from + below, range_.size(), context_.stream);
      return gather(axes, range_.data() - below, to, element_);
    }
    Axis& first = axes.front();
    if (first.extent == 1) return (*this)({axes.begin() + 1, axes.end()}, from, to);
    const std::int64_t half = first.extent / 2, rest = first.extent - half;
    const std::int64_t on_device = half * first.from, on_host = half * first.to;
    first.extent = half;
    (*this)(axes, from, to);
    first.extent = rest;
    (*this)(std::move(axes), from + on_device, to + on_host);
  }

 private:
  const Context& context_;
  std::size_t element_;
  std::vector<char> range_;
};

}  // namespace

void copy_strided_to_host(const Context& context, const StridedBytes& from, void* host) {
  if (from.data == nullptr) throw ArgumentError("to_host", "view", "it is not given");
  const auto bytes = static_cast<std::int64_t>(from.element);
  std::vector<Axis> axes;
  std::int64_t dense = bytes;
  bool is_dense = true;
  for (int r = from.rank - 1; r >= 0; --r) {
    axes.push_back({from.extents[r], from.strides[r] * bytes, dense});
    is_dense = is_dense && (from.extents[r] == 1 || axes.back().from == dense);
    dense *= from.extents[r];
  }
  if (is_dense)
    return context.opened().copy_to_host(host, from.data, static_cast<std::size_t>(dense),
                                         context.stream);
  std::sort(axes.begin(), axes.end(),
            [](const Axis& a, const Axis& b) { return std::abs(a.from) > std::abs(b.from); });
  StridedCopy(context, from.element)(std::move(axes), static_cast<const char*>(from.data),
                                     static_cast<char*>(host));
}

void refuse_strides(const char* what) {
  throw ArgumentError("copy of a view", what,
                      "it has gaps, or its last index is not the fastest; expected neither");
}

}  // namespace tessera::detail
