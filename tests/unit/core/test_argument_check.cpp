#include "core/base/error.hpp"
#include "core/operations/argument_check.hpp"
#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace tessera {
namespace {

/// Checks types below 2 as a plan does.
void look(ArraysMet& met, ArgumentCheck::Call call, const std::vector<std::int32_t>& types) {
  ArgumentCheck check("test/types", call, met);
  check.indices("types", {types.data(), {static_cast<std::int64_t>(types.size())}}, 2);
  check.finish();
}

}  // namespace

TEST_CASE("indices are looked at in every prepare, and in the first execute that has them") {
  ArraysMet met(registry().open("serial"));
  std::vector<std::int32_t> types = {0, 1, 1};
  look(met, ArgumentCheck::Call::prepare, types);
  types[1] = 2;
  CHECK_NOTHROW(look(met, ArgumentCheck::Call::execute, types));
  CHECK_THROWS_AS(look(met, ArgumentCheck::Call::prepare, types), ArgumentError);
  const std::vector<std::int32_t> others = {0, -1, 1};
  CHECK_THROWS_AS(look(met, ArgumentCheck::Call::execute, others), ArgumentError);
}

TEST_CASE("indices that are kept are looked at again only in another array") {
  ArraysMet met(registry().open("serial"));
  met.keep_indices();
  std::vector<std::int32_t> types = {0, 2, 1};
  CHECK_THROWS_AS(look(met, ArgumentCheck::Call::prepare, types), ArgumentError);
  // A refused array is not registered.
  CHECK_THROWS_AS(look(met, ArgumentCheck::Call::prepare, types), ArgumentError);
  types[1] = 1;
  look(met, ArgumentCheck::Call::prepare, types);
  types[1] = 2;
  CHECK_NOTHROW(look(met, ArgumentCheck::Call::prepare, types));
  const std::vector<std::int32_t> others = {0, -1, 1};
  CHECK_THROWS_AS(look(met, ArgumentCheck::Call::prepare, others), ArgumentError);
}

}  // namespace tessera
