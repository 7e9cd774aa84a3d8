#include "core/base/error.hpp"
#include "core/operations/argument_check.hpp"
#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace tessera {
namespace {

/// Checks that `types` are below 2, with the calls that a plan makes.
void check_types(KnownArrays& known_arrays, ArgumentCheck::Call call,
                 const std::vector<std::int32_t>& types) {
  ArgumentCheck check("test/types", call, known_arrays);
  check.indices("types", {types.data(), {static_cast<std::int64_t>(types.size())}}, 2);
  check.finish();
}

}  // namespace

TEST_CASE("indices are looked at in every prepare, and in the first execute that has them") {
  KnownArrays known_arrays(registry().open("serial"));
  std::vector<std::int32_t> types = {0, 1, 1};
  check_types(known_arrays, ArgumentCheck::Call::prepare, types);
  types[1] = 2;
  CHECK_NOTHROW(check_types(known_arrays, ArgumentCheck::Call::execute, types));
  CHECK_THROWS_AS(check_types(known_arrays, ArgumentCheck::Call::prepare, types), ArgumentError);
  const std::vector<std::int32_t> others = {0, -1, 1};
  CHECK_THROWS_AS(check_types(known_arrays, ArgumentCheck::Call::execute, others), ArgumentError);
}

TEST_CASE("indices that are kept are looked at again only in another array") {
  KnownArrays known_arrays(registry().open("serial"));
  known_arrays.assume_indices_valid();
  std::vector<std::int32_t> types = {0, 2, 1};
  CHECK_THROWS_AS(check_types(known_arrays, ArgumentCheck::Call::prepare, types), ArgumentError);
  // A refused array is not registered.
  CHECK_THROWS_AS(check_types(known_arrays, ArgumentCheck::Call::prepare, types), ArgumentError);
  types[1] = 1;
  check_types(known_arrays, ArgumentCheck::Call::prepare, types);
  types[1] = 2;
  CHECK_NOTHROW(check_types(known_arrays, ArgumentCheck::Call::prepare, types));
  const std::vector<std::int32_t> others = {0, -1, 1};
  CHECK_THROWS_AS(check_types(known_arrays, ArgumentCheck::Call::prepare, others), ArgumentError);
}

}  // namespace tessera
