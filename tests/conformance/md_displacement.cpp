#include "core/base/error.hpp"
#include "core/memory/array.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/target.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

/// \file
/// Properties of md/displacement that need no oracle.

namespace tessera::md {
namespace {

template <class P>
DisplacementResult measure(const Implementation<Displacement, P>& implementation,
                           const std::vector<typename P::Storage>& now,
                           const std::vector<typename P::Storage>& then) {
  const Context context = test::context();
  Array<typename P::Storage> positions(context, now);
  Array<typename P::Storage> reference(context, then);
  Array<DisplacementResult> result(context, 1);
  result.fill_bytes(0xff);
  const auto plan = implementation.make_plan({positions.size() / 3}, context, {});
  plan->execute({positions.rows(3), reference.rows(3), result.view()});
  return result.to_host().front();
}

TEST_CASE("one atom that moved is found wherever it is") {
  test::with_target<Displacement>(
      []<class P>(const Implementation<Displacement, P>& implementation) {
        constexpr std::size_t atoms = 1031;
        std::vector<typename P::Storage> then(3 * atoms, 1);
        for (const std::size_t who : {std::size_t{0}, std::size_t{512}, atoms - 1}) {
          auto now = then;
          now[3 * who] += 3;
          now[3 * who + 2] -= 4;
          const DisplacementResult result = measure(implementation, now, then);
          CHECK(result.largest == 5);
          CHECK(result.atom == static_cast<std::int64_t>(who));
        }
      });
}

TEST_CASE("of equals the first is named") {
  test::with_target<Displacement>(
      []<class P>(const Implementation<Displacement, P>& implementation) {
        const std::vector<typename P::Storage> then(3 * 5000, 2);
        const std::vector<typename P::Storage> now(3 * 5000, 3);
        CHECK(measure(implementation, now, then).atom == 0);
        CHECK(measure(implementation, now, then).largest == test::relative(std::sqrt(3.0)));
      });
}

TEST_CASE("what is not finite is infinitely far") {
  test::with_target<Displacement>(
      []<class P>(const Implementation<Displacement, P>& implementation) {
        using Storage = typename P::Storage;
        const std::vector<Storage> then(300, 1);
        for (const Storage bad : {std::numeric_limits<Storage>::quiet_NaN(),
                                  std::numeric_limits<Storage>::infinity()}) {
          auto now = then;
          now[3 * 70 + 1] = bad;
          const DisplacementResult result = measure(implementation, now, then);
          CHECK(std::isinf(result.largest));
          CHECK(result.atom == 70);
        }
      });
}

TEST_CASE("a box that grows uses up displacement") {
  const Box then{{0, 0, 0}, {10, 10, 10}, {true, true, true}};
  Box now = then;
  CHECK(box_displacement(now, then) == 0);
  now.length[0] = 10.3;
  now.lower[1] = -0.4;
  now.length[1] = 10.4;
  CHECK(box_displacement(now, then) == test::relative(0.5));
  now.tilt[1] = -0.3;
  now.tilt[2] = 0.4;
  CHECK(box_displacement(now, then) == test::relative(1.0));
}

}  // namespace
}  // namespace tessera::md
