#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <tessera/reduction/not_finite.hpp>
#include <vector>

namespace tessera::reduction {
namespace {

/// Some rows of a column on the host.
template <class T>
class Piece {
 public:
  Piece(const Context& context, const View<const T, 1>& column, std::int64_t first,
        std::int64_t rows)
      : stride_(column.strides[0]),
        first_(stride_ < 0 ? (1 - rows) * stride_ : 0),
        numbers_(static_cast<std::size_t>((rows - 1) * std::abs(stride_) + 1)) {
    context.device->copy_to_host(numbers_.data(), column.data + first * stride_ - first_,
                                 numbers_.size() * sizeof(T), context.stream);
  }
  [[nodiscard]] T operator()(std::int64_t row) const {
    return numbers_[static_cast<std::size_t>(first_ + row * stride_)];
  }

 private:
  std::int64_t stride_;
  std::int64_t first_;  ///< place of the first row: the last where a view goes backwards
  std::vector<T> numbers_;
};

bool is_wanted(double number, Search search) {
  return search == Search::nan ? std::isnan(number) : !std::isfinite(number);
}

}  // namespace

template <class T>
std::int64_t first_row(const Context& context, const View<const T, 1>& column,
                       const View<const std::uint8_t, 1>& mask, Search search) {
  constexpr std::int64_t numbers_at_a_time = 1 << 22;
  const std::int64_t rows = column.extents[0];
  std::int64_t stride = std::max<std::int64_t>(std::abs(column.strides[0]), 1);
  if (mask.given()) stride = std::max(stride, std::abs(mask.strides[0]));
  const std::int64_t most = std::max<std::int64_t>(numbers_at_a_time / stride, 1);
  for (std::int64_t first = 0; first < rows; first += most) {
    const std::int64_t some = std::min(most, rows - first);
    const Piece<T> numbers(context, column, first, some);
    std::optional<Piece<std::uint8_t>> in;
    if (mask.given()) in.emplace(context, mask, first, some);
    for (std::int64_t i = 0; i < some; ++i)
      if (is_wanted(static_cast<double>(numbers(i)), search) && (!in || (*in)(i) != 0))
        return first + i;
  }
  return -1;
}

template std::int64_t first_row(const Context&, const View<const double, 1>&,
                                const View<const std::uint8_t, 1>&, Search);
template std::int64_t first_row(const Context&, const View<const float, 1>&,
                                const View<const std::uint8_t, 1>&, Search);

}  // namespace tessera::reduction
