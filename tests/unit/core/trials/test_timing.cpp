#include "core/operations/registry.hpp"
#include "core/trials/timing.hpp"
#include "core/trials/trial.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace tessera {
namespace {

TEST_CASE("what is timed in turn with the samples of a trial") {
  const Context context = registry().open("serial");
  for (const ImplementationBase* const implementation :
       registry().implementations(std::string(reduction::Sum::name))) {
    if (implementation->info().backend != "serial") continue;
    const auto trial = registry()
                           .trials(implementation->info().operation)
                           ->make(*implementation, context, {}, "one column", 33);
    int turns = 0;
    const Timing timing = time_trial(
        *trial, 3, [&] { ++turns; }, 1e-4);
    CHECK(turns == 3);
    CHECK(timing.samples == 3);
    CHECK(timing.shortest <= timing.median);
    CHECK(timing.median <= timing.longest);
  }
}

}  // namespace
}  // namespace tessera
