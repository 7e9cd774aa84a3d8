#include "physics/reduction/extrema/extrema.hpp"

#include "core/memory/copy_view.hpp"

namespace tessera::reduction {

ExtremaCheck::ExtremaCheck(const ExtremaProblem& of) : problem(of) {
  require_count(Extrema::name, "rows", problem.rows);
  require_count(Extrema::name, "columns", problem.columns);
}

template <class Storage>
void ExtremaCheck::after(const Context& context, const ExtremaArgs<Storage>& args) const {
  if (problem.not_a_number != NotANumber::find) return;
  for (const Storage extreme : to_host(context, args.extremes))
    if (!(extreme <= extreme)) throw_first_nan(Extrema::name, context, args.values, args.mask);
}

template void ExtremaCheck::after(const Context&, const ExtremaArgs<double>&) const;
template void ExtremaCheck::after(const Context&, const ExtremaArgs<float>&) const;
template void ExtremaCheck::after(const Context&, const ExtremaArgs<std::int32_t>&) const;
template void ExtremaCheck::after(const Context&, const ExtremaArgs<std::int64_t>&) const;

}  // namespace tessera::reduction
