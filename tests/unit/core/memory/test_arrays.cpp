#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "core/memory/view.hpp"
#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

namespace tessera {
namespace {

TEST_CASE("a view reaches its elements through strides") {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  const View<int, 3> dense(data.data(), {2, 3, 4});
  CHECK(dense(1, 2, 3) == 23);
  CHECK(dense.dense());
  CHECK(dense.size() == 24);
  const View<int, 2> columns(data.data(), {8, 3}, {1, 8});
  CHECK(columns(5, 2) == 21);
  CHECK_FALSE(columns.dense());
  const View<const int, 2> constant = columns;
  CHECK(constant(5, 2) == 21);
}

TEST_CASE("an empty view is not given, an array of length zero is its own matter") {
  CHECK_FALSE(View<int, 1>().given());
  int one = 0;
  CHECK(View<int, 1>(&one, {0}).given());
  CHECK(View<int, 1>(&one, {0}).size() == 0);
}

TEST_CASE("arrays move and copy to and from every device of this machine") {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    INFO(backend.name);
    const Context context = registry().open(backend.name);
    std::vector<double> host(1001);
    std::iota(host.begin(), host.end(), 0.5);
    Array<double> array(context, host);
    CHECK(array.to_host() == host);
    Array<double> moved = std::move(array);
    CHECK(array.size() == 0);
    CHECK(moved.to_host() == host);
    moved.fill_bytes(0);
    CHECK(moved.to_host() == std::vector<double>(1001));
    CHECK(moved.rows(7).extent(0) == 143);
    CHECK_THROWS_AS(moved.copy_from(std::vector<double>(3)), ArgumentError);
    CHECK_THROWS_AS(Array<double>(context, -1), ArgumentError);
    CHECK(Array<double>(context, 0).to_host().empty());
  }
}

}  // namespace
}  // namespace tessera
