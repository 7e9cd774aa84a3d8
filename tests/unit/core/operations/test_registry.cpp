#include "core/base/error.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/open_device.hpp"
#include "core/operations/registry.hpp"
#include "core/trials/trial.hpp"
#include "tests/support/message_of.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tessera {
namespace {

using test::message_of;

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
  BackendDevices gone;
  gone.unavailable = [] { return std::string("unplugged"); };
  r.add_backend({"gone", MemorySpace::host, 50, "", ""}, gone);
  CHECK(r.devices("cuda").empty());
  CHECK(r.devices("gone").empty());
  CHECK(message_of([&] { (void)r.open("cuda"); }) ==
        "backend cuda cannot run: not built: no compiler");
  CHECK(message_of([&] { (void)r.open("gone"); }) == "backend gone cannot run: unplugged");
  CHECK(contains(message_of([&] { (void)r.open("auto"); }), "no backend is available"));
  CHECK(contains(message_of([&] { (void)r.open("cudo"); }), "did you mean 'cuda'"));
}

TEST_CASE("an implementation that was left out, or whose backend was, says why") {
  Registry r;
  r.add_operation("a/push", "", {});
  r.add_missing_backend("cuda", "no compiler");
  r.add_backend({"host", MemorySpace::host, 50, "", ""}, {});
  r.add_left_out({"a/push", "cuda.list", "backend cuda is off"});
  r.add_left_out({"a/push", "host.fast", "no library"});
  const auto find = [&](const std::string& name) {
    return message_of([&] { (void)r.find("a/push", Precision::double_precision, name); });
  };
  CHECK(find("cuda.list") ==
        "implementation of a/push in double 'cuda.list' is not in this build: backend cuda is not "
        "built: no compiler");
  CHECK(contains(find("cuda.any"), "backend cuda is not built: no compiler"));
  CHECK(contains(find("host.fast"), "is not in this build: no library"));
  CHECK(contains(find("host.fats"), "unknown implementation"));
  CHECK(r.reason_left_out("a/pull", "host.fast").empty());
  Choices choices;
  CHECK(contains(message_of([&] { choices.choose(r, "push", "cuda.list"); }),
                 "backend cuda is not built"));
}

/// Three devices; the second is the default.
BackendDevices three_devices(int& opened) {
  BackendDevices devices;
  devices.unavailable = [] { return std::string(); };
  devices.count = [] { return 3; };
  devices.describe = [](int ordinal) {
    DeviceProperties p;
    p.backend = "three";
    p.ordinal = ordinal;
    p.name = "number " + std::to_string(ordinal);
    return p;
  };
  devices.default_ordinal = [] { return 1; };
  devices.open = [&opened](int ordinal) {
    opened = ordinal;
    return registry().open("serial").device;
  };
  return devices;
}

TEST_CASE("devices are listed without opening one, and opened by their number") {
  Registry r;
  int opened = -1;
  r.add_backend({"three", MemorySpace::host, 10, "", ""}, three_devices(opened));
  const std::vector<DeviceProperties> devices = r.devices("three");
  REQUIRE(devices.size() == 3);
  for (int d = 0; d < 3; ++d) {
    CHECK(devices[static_cast<std::size_t>(d)].ordinal == d);
    CHECK(devices[static_cast<std::size_t>(d)].name == "number " + std::to_string(d));
  }
  CHECK(opened == -1);
  (void)r.open("three", 2);
  CHECK(opened == 2);
  (void)r.open("three", 0);
  CHECK(opened == 0);
  (void)r.open("auto");
  CHECK(opened == 1);
  CHECK_THROWS_AS((void)r.devices("tree"), SelectionError);
  CHECK(message_of([&] { (void)r.open("three", 3); }) ==
        "backend three has no device 3: there are 3, numbers 0 to 2");
}

TEST_CASE("a device that does not exist is refused by every backend with how many there are") {
  for (const BackendInfo& b : registry().backends()) {
    if (!registry().unavailable(b.name).empty()) continue;
    INFO(b.name);
    const std::vector<DeviceProperties> devices = registry().devices(b.name);
    const int count = static_cast<int>(devices.size());
    REQUIRE(count > 0);
    for (int d = 0; d < count; ++d) {
      const DeviceProperties& p = devices[static_cast<std::size_t>(d)];
      CHECK(p.backend == b.name);
      CHECK(p.ordinal == d);
      CHECK(p.memory == b.memory);
      CHECK(!p.name.empty());
      CHECK(!p.architecture.empty());
      CHECK(p.compute_units > 0);
      CHECK(p.concurrency > 0);
      CHECK(p.warp_size > 0);
      CHECK(p.memory_bytes > 0);
    }
    for (const int wrong : {count, count + 7, -1}) {
      try {
        (void)registry().open(b.name, wrong);
        FAIL_CHECK("device " << wrong << " was opened");
      } catch (const OrdinalError& error) {
        CHECK(error.backend() == b.name);
        CHECK(error.ordinal() == wrong);
        CHECK(error.count() == count);
      }
    }
  }
}

TEST_CASE("what was opened says which device it is, and Kokkos gives a process one") {
  for (const BackendInfo& b : registry().backends()) {
    if (!registry().unavailable(b.name).empty()) continue;
    INFO(b.name);
    const int first = registry().open(b.name).device->properties().ordinal;
    for (const DeviceProperties& p : registry().devices(b.name)) {
      if (b.name == "kokkos" && p.ordinal != first) {
        CHECK_THROWS_AS((void)registry().open(b.name, p.ordinal), RefusalError);
        continue;
      }
      const Context context = registry().open(b.name, p.ordinal);
      CHECK(context.device->properties().ordinal == p.ordinal);
      CHECK(context.device->properties().name == p.name);
    }
  }
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
    // A grid has at least one node.
    const std::int64_t least =
        operation == "pic/electric_field"                                       ? 1
        : operation == "pic/green_function" || operation == "pic/poisson_solve" ? 4 * 4 * 4
                                                                                : 0;
    bool empty = false;
    bool timed = false;
    for (const TrialInput& input : registry().trials(operation)->inputs()) {
      CHECK(!input.checked.empty());
      empty = empty || input.checked.front() == least;
      timed = timed || !input.timed.empty();
    }
    CHECK(empty);
    CHECK(timed);
    for (const Precision p : AllElements::values) {
      if (registry().implementations(operation, p).empty()) continue;
      CHECK(registry().find(operation, p, "reference").info().priority == priority::reference);
    }
  }
}

}  // namespace
}  // namespace tessera
