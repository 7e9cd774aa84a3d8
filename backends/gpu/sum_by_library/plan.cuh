#ifndef TESSERA_BACKENDS_GPU_SUM_BY_LIBRARY_PLAN_CUH
#define TESSERA_BACKENDS_GPU_SUM_BY_LIBRARY_PLAN_CUH

#include "backends/gpu/execution/space.hpp"
#include "core/execution/buffer.hpp"
#include "core/operations/implementation.hpp"
#include "core/operations/operation.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "physics/reduction/sum/sum_overflow.hpp"
#include "physics/reduction/sum/sum_passes.hpp"

#include <algorithm>
#include <type_traits>

/// \file
/// reduction/sum by a library's reduction of a sequence (CUB, rocPRIM). The `Library` has
///
///     name, description
///     sequence(use)            an iterator over use(0), use(1), ...
///     converted(numbers, use)  an iterator over use(numbers[0]), use(numbers[1]), ...
///     sum(memory, bytes, in, out, n, stream)            the sum of n numbers; sets `bytes` to the
///     reduce(memory, bytes, in, out, n, join, identity, stream)    size of `memory` where it is
///     null

namespace tessera::gpu::sum_by_library {

using reduction::JoinTotals;
using reduction::SumBatch;
using reduction::SumGroup;
using reduction::SumOrigin;
using reduction::SumSource;

template <class Storage>
using HowOf =
    std::conditional_t<std::is_integral_v<Storage>, reduction::InIntegers, reduction::InDouble>;
template <class Storage, int Columns, bool Products>
using TotalsOf = typename HowOf<Storage>::template Totals<reduction::slots_of(Columns, Products)>;

/// Contribution of a row to the sums of a pass.
template <class How, class Storage, int Columns, bool Products>
struct SumsOfRow {
  static constexpr int slots = reduction::slots_of(Columns, Products);
  using Totals = typename How::template Totals<slots>;

  SumSource<Storage> source;

  __device__ Totals operator()(std::int64_t row) const {
    SumBatch<typename How::Number, Columns, 1> batch;
    batch.template load<false>(source, SumOrigin<typename How::Number, Columns>(source), row, 1);
    typename How::template Sums<Columns, Products, 1> sums;
    sums.template add<false>(batch);
    Totals totals;
    sums.template finish<false>(1, totals);
    return totals;
  }
};

/// Conversion of a number to the type in which it is summed.
template <class Storage>
struct Widen {
  __device__ reduction::SumOf<Storage> operator()(Storage x) const {
    return static_cast<reduction::SumOf<Storage>>(x);
  }
};

/// The numbers of a contiguous column in the type in which they are summed.
template <class Library, class Storage>
[[nodiscard]] auto numbers_of(const Storage* column) {
  if constexpr (std::is_same_v<Storage, reduction::SumOf<Storage>>)
    return column;
  else
    return Library::converted(column, Widen<Storage>{});
}

template <class How, class Storage, int Columns, bool Products>
struct StoreAll {
  reduction::StoreSums<How, Storage, Columns, Products> store;
  const typename How::template Totals<reduction::slots_of(Columns, Products)>* totals;
  __device__ void operator()(std::int64_t) const { store(*totals); }
};

struct Join {
  template <class Totals>
  __device__ Totals operator()(const Totals& a, const Totals& b) const {
    Totals sum = a;
    JoinTotals{}(sum, b);
    return sum;
  }
};

template <class P, class Library>
class LibraryPlan : public Plan<reduction::Sum, P> {
 public:
  using Parameters = NoParameters;
  using Args = typename Plan<reduction::Sum, P>::Args;
  using Storage = typename P::Storage;
  static constexpr bool integers = std::is_integral_v<Storage>;
  using How = HowOf<Storage>;
  template <int Columns, bool Products>
  using Totals = TotalsOf<Storage, Columns, Products>;

  static constexpr PlanTraits<reduction::Sum> traits{
      .determinism = std::is_integral_v<typename P::Storage> ? Determinism::any_order
                                                             : Determinism::run_to_run,
      .description = Library::description};

  static Refusal can_run(const reduction::SumProblem& problem, const Context&, const Parameters&) {
    return reduction::refuse_rows(problem.rows);
  }

  LibraryPlan(const reduction::SumProblem& problem, const Context& context, const Parameters&)
      : rows_(problem.rows), space_(space_of<Space>(context)) {
    const CurrentDevice current(space_.ordinal());
    std::size_t most = plain_bytes();
    const auto with = [&]<int Columns, bool Products>() {
      most = std::max(most, workspace_bytes<Columns, Products>());
    };
    with.template operator()<0, false>();
    with.template operator()<1, false>();
    with.template operator()<1, true>();
    with.template operator()<3, false>();
    with.template operator()<3, true>();
    with.template operator()<6, false>();
    with.template operator()<6, true>();
    workspace_.require(most);
  }

  void execute(const Args& given) override {
    overflow_.execute(given, [this](const Args& args) { run(args); });
  }

 private:
  template <int Columns, bool Products>
  [[nodiscard]] static auto rows_of(const SumSource<Storage>& source) {
    return Library::sequence(SumsOfRow<How, Storage, Columns, Products>{source});
  }

  template <int Columns, bool Products>
  [[nodiscard]] std::size_t workspace_bytes() const {
    std::size_t bytes = 0;
    check(Library::reduce(nullptr, bytes, rows_of<Columns, Products>({}),
                          static_cast<Totals<Columns, Products>*>(nullptr), rows_, Join{},
                          Totals<Columns, Products>{}, space_.stream()),
          Library::name);
    return bytes;
  }
  [[nodiscard]] std::size_t plain_bytes() const {
    std::size_t bytes = 0;
    check(Library::sum(nullptr, bytes, numbers_of<Library, Storage>(nullptr),
                       static_cast<reduction::SumOf<Storage>*>(nullptr), rows_, space_.stream()),
          Library::name);
    return bytes;
  }

  void run(const Args& args) {
    const CurrentDevice current(space_.ordinal());
    for (const SumGroup& group : groups_.of(args.terms)) {
      reduction::with_kernel_of(
          group, [&]<int Columns, bool Products>() { pass<Columns, Products>(args, group); });
    }
  }

  template <int Columns, bool Products>
  void pass(const Args& args, const SumGroup& group) {
    auto* const totals = reinterpret_cast<Totals<Columns, Products>*>(totals_.data());
    const Workspace workspace = workspace_.get();
    std::size_t bytes = workspace.bytes;
    if constexpr (Columns == 1 && !Products) {
      if (is_plain(args, group)) {
        const Storage* const column = args.values.data + group.column[0] * args.values.strides[1];
        auto* const sum = reinterpret_cast<PlainTotals*>(totals_.data());
        check(Library::sum(workspace.data, bytes, numbers_of<Library>(column), sum->value + 1,
                           rows_, space_.stream()),
              Library::name);
        return store<PlainHow, Columns, Products>(args, group, sum);
      }
    }
    check(Library::reduce(workspace.data, bytes,
                          rows_of<Columns, Products>(SumSource<Storage>(args, group)), totals,
                          rows_, Join{}, Totals<Columns, Products>{}, space_.stream()),
          Library::name);
    store<How, Columns, Products>(args, group, totals);
  }

  template <class By, int Columns, bool Products, class Of>
  void store(const Args& args, const SumGroup& group, const Of* totals) {
    space_.for_each("sum store", 1,
                    StoreAll<By, Storage, Columns, Products>{
                        {group, By{}, args.result, args.overflow}, totals});
  }

  /// Whether a group is the plain sum of a contiguous column; of integers, only where no sum can
  /// overflow.
  [[nodiscard]] bool is_plain(const Args& args, const SumGroup& group) const {
    if (std::is_same_v<Storage, std::int64_t> ||
        (integers && rows_ > reduction::InNarrowIntegers::most_rows))
      return false;
    bool plain = args.values.strides[0] == 1 && !args.weights.given() && !args.mask.given() &&
                 !args.origin.given();
    for (int t = 0; t < group.terms; ++t)
      plain = plain && group.local[t].a >= 0;
    return plain;
  }

  using PlainHow = std::conditional_t<integers, reduction::InNarrowIntegers, reduction::InDouble>;
  using PlainTotals = typename PlainHow::template Totals<reduction::slots_of(1, false)>;
  using Largest = Totals<reduction::most_columns, true>;

  std::int64_t rows_;
  Space space_;
  reduction::SumGroupsOf groups_;
  Buffer<Largest, Space> totals_{space_, 1};
  WorkspaceBuffer<Space> workspace_{space_};
  reduction::SumOverflow<Storage, Space> overflow_{space_};
};

}  // namespace tessera::gpu::sum_by_library

#endif  // TESSERA_BACKENDS_GPU_SUM_BY_LIBRARY_PLAN_CUH
