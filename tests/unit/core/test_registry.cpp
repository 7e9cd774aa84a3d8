#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <tessera/core/base/error.hpp>
#include <tessera/core/operations/open_device.hpp>
#include <tessera/core/operations/registry.hpp>
#include <tessera/core/operations/trial.hpp>

namespace tessera {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("operations are found by their full and their short name") {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add_operation("b/push", "", {});
  r.add_operation("b/pull", "", {});
  CHECK(r.operation("b/push") == "b/push");
  CHECK(r.operation("pull") == "b/pull");
  CHECK(contains(message_of([&] { (void)r.operation("push"); }), "ambiguous"));
  CHECK(contains(message_of([&] { (void)r.operation("a/pusch"); }), "did you mean 'a/push'"));
}

TEST_CASE("an implementation of an operation that does not exist is refused") {
  Registry r;
  ImplementationInfo info;
  info.operation = "a/push";
  info.name = "serial.mine";
  CHECK_THROWS_AS(r.add(std::make_unique<ImplementationBase>(info)), ArgumentError);
}

TEST_CASE("a backend that was not built, or has no device, says why") {
  Registry r;
  r.add_missing_backend("cuda", "no compiler");
  r.add_backend({"gone", MemorySpace::host, 50, "", ""}, [] { return std::string("unplugged"); },
                {});
  CHECK(message_of([&] { (void)r.open("cuda"); }) ==
        "backend cuda cannot run: not built: no compiler");
  CHECK(message_of([&] { (void)r.open("gone"); }) == "backend gone cannot run: unplugged");
  CHECK(contains(message_of([&] { (void)r.open("auto"); }), "no backend is available"));
  CHECK(contains(message_of([&] { (void)r.open("cudo"); }), "did you mean 'cuda'"));
}

TEST_CASE("auto opens the available backend of the highest priority") {
  const Context context = registry().open("auto");
  int best = -1;
  std::string expected;
  for (const BackendInfo& b : registry().backends())
    if (registry().unavailable(b.name).empty() && b.priority > best) {
      best = b.priority;
      expected = b.name;
    }
  CHECK(context.device->properties().backend == expected);
}

TEST_CASE("the oracle gets a device of its memory") {
  for (const std::string& operation : registry().operations()) {
    const auto& oracle = registry().find(operation, Precision::double_precision, "reference");
    CHECK(open_for(registry(), oracle).memory() == MemorySpace::host);
  }
}

TEST_CASE("every operation has an oracle, an empty input and something to time") {
  for (const std::string& operation : registry().operations()) {
    INFO(operation);
    CHECK(!registry().summary(operation).empty());
    bool empty = false;
    bool timed = false;
    for (const TrialInput& input : registry().trials(operation)->inputs()) {
      CHECK(!input.checked.empty());
      empty = empty || input.checked.front() == 0;
      timed = timed || !input.timed.empty();
    }
    CHECK(empty);
    CHECK(timed);
    for (const Precision p : {Precision::double_precision, Precision::mixed, Precision::single}) {
      if (registry().implementations(operation, p).empty()) continue;
      CHECK(registry().find(operation, p, "reference").info().priority == priority::reference);
    }
  }
}

}  // namespace
}  // namespace tessera
