#include "physics/reduction/extrema/extrema.hpp"

#include "core/base/error.hpp"

#include <string>
#include <type_traits>

namespace tessera::reduction {

template <class Storage>
void find_nan(const Context& context, const ExtremaArgs<Storage>& args) {
  if constexpr (std::is_floating_point_v<Storage>) {
    std::int64_t row = -1;
    std::int64_t column = -1;
    for (std::int64_t c = 0; c < args.values.extents[1]; ++c) {
      Storage smallest;  // NaN for a column with a NaN
      context.device->copy_to_host(&smallest, &args.extremes(c, 0), sizeof smallest,
                                   context.stream);
      if (smallest <= smallest) continue;
      const View<const Storage, 1> values{args.values.data + c * args.values.strides[1],
                                          {args.values.extents[0]},
                                          {args.values.strides[0]}};
      const std::int64_t at = first_row(context, values, args.mask, Search::nan);
      if (at >= 0 && (row < 0 || at < row)) {
        row = at;
        column = c;
      }
    }
    if (row >= 0)
      throw NotFiniteError(row, column,
                           std::string(Extrema::name) + ": row " + std::to_string(row) +
                               " of column " + std::to_string(column) + " is NaN");
  }
}

template void find_nan(const Context&, const ExtremaArgs<double>&);
template void find_nan(const Context&, const ExtremaArgs<float>&);
template void find_nan(const Context&, const ExtremaArgs<std::int32_t>&);
template void find_nan(const Context&, const ExtremaArgs<std::int64_t>&);

}  // namespace tessera::reduction
