#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/memory/copy_view.hpp"
#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace tessera {
namespace {

template <class Test>
void on_every_device(const Test& test) {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    INFO(backend.name);
    test(registry().open(backend.name));
  }
}

Array<double> counted(const Context& context, std::int64_t size) {
  std::vector<double> host(static_cast<std::size_t>(size));
  std::iota(host.begin(), host.end(), 0);
  return {context, host};
}

/// Elements of a view of the array 0, 1, 2, ... that begins at `first`, in order of indices.
template <int Rank>
std::vector<double> expected(const View<const double, Rank>& view, const double* first) {
  std::vector<double> all;
  std::int64_t index[Rank] = {};
  for (std::int64_t n = 0; n < view.size(); ++n) {
    std::int64_t place = view.data - first;
    for (int r = 0; r < Rank; ++r)
      place += index[r] * view.strides[r];
    all.push_back(static_cast<double>(place));
    for (int r = Rank - 1; r >= 0 && ++index[r] == view.extents[r]; --r)
      index[r] = 0;
  }
  return all;
}

TEST_CASE("elements come to the host by their indices, whatever the strides") {
  on_every_device([](const Context& context) {
    const Array<double> array = counted(context, 3 * 4 * 5 * 6 + 7);
    const double* const first = array.data();
    const auto check = [&]<int Rank>(const View<const double, Rank>& view) {
      CHECK(to_host(context, view) == expected(view, first));
      CHECK(to_host(context, reversed(view)) == expected(reversed(view), first));
    };
    check(View<const double, 1>(first + 3, {50}));
    check(View<const double, 1>(first + 3, {50}, {7}));
    check(View<const double, 1>(first + 351, {50}, {-7}));
    check(View<const double, 1>(first + 5, {9}, {0}));
    check(View<const double, 2>(first, {20, 3}, {3, 1}));
    check(View<const double, 2>(first, {20, 3}, {1, 20}));
    check(View<const double, 2>(first + 19, {20, 3}, {-1, 20}));
    check(View<const double, 2>(first, {1, 5}, {77, 3}));
    // One of three components that are adjacent in memory, on a grid with x fastest.
    for (std::int64_t component = 0; component < 3; ++component)
      check(View<const double, 3>(first + component, {4, 5, 6}, {3, 12, 60}));
    check(View<const double, 3>(first + 119, {4, 5, 6}, {1, 4, -20}));
    check(View<const double, 4>(first, {2, 3, 4, 5}, {60, 1, 15, 3}));
    check(View<const double, 3>(first, {0, 5, 6}, {1, 2, 3}));
    check(View<const double, 1>());
  });
}

TEST_CASE("of elements that lie far apart not all between them comes to the host") {
  on_every_device([](const Context& context) {
    // More elements than one copy transfers, with one long stride and with two.
    constexpr std::int64_t size = 3 << 21;
    const Array<double> array = counted(context, size);
    const double* const first = array.data();
    for (const View<const double, 2>& view :
         {View<const double, 2>(first, {3, 4}, {1 << 20, 3}),
          View<const double, 2>(first + 5, {4, 3}, {3, 1 << 20}),
          View<const double, 2>(first + size - 1, {1 << 20, 2}, {-5, -2}),
          View<const double, 2>(first, {2, 1 << 20}, {1, 6}),
          View<const double, 2>(first, {5, 6}, {1 << 20, 1 << 17})})
      CHECK(to_host(context, view) == expected(view, first));
  });
}

TEST_CASE("views without gaps are copied and set to zero on their device, others are refused") {
  on_every_device([](const Context& context) {
    const Array<double> from = counted(context, 24);
    Array<double> to(context, 24);
    copy_view(context, from.rows(6), to.rows(6));
    CHECK(to.to_host() == from.to_host());
    fill_zero(context, to.view());
    CHECK(to.to_host() == std::vector<double>(24));

    const View<const double, 2> apart(from.data(), {4, 3}, {6, 2});
    const View<double, 2> target(to.data(), {4, 3});
    CHECK_THROWS_WITH_AS(copy_view(context, apart, target),
                         "copy of a view: from: it has gaps, or its last index is not the fastest; "
                         "expected neither",
                         ArgumentError);
    CHECK_THROWS_AS(copy_view(context, View<const double, 2>(from.data(), {4, 3}),
                              View<double, 2>(to.data(), {4, 3}, {1, 4})),
                    ArgumentError);
    CHECK_THROWS_WITH_AS(copy_view(context, from.rows(6), target),
                         "copy_view: to: other extents than those of the view to copy",
                         ArgumentError);
    CHECK_THROWS_AS(fill_zero(context, View<double, 1>(to.data(), {12}, {2})), ArgumentError);
    CHECK_THROWS_AS(static_cast<void>(dense_bytes(apart)), ArgumentError);
    CHECK(dense_bytes(from.view()) == 192);
    CHECK(to.to_host() == std::vector<double>(24));
    CHECK_THROWS_WITH_AS(static_cast<void>(to_host(context, View<const double, 1>(nullptr, {3}))),
                         "to_host: view: it is not given", ArgumentError);
    fill_zero(context, View<double, 1>());
    copy_view(context, View<const double, 1>(), View<double, 1>());
  });
}

}  // namespace
}  // namespace tessera
