#ifndef TESSERA_TESTS_EXECUTION_SPACE_CHECKS_HPP
#define TESSERA_TESTS_EXECUTION_SPACE_CHECKS_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/execution/space_device.hpp"
#include "core/memory/task_graph.hpp"
#include "tests/execution/space_report.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

/// \file
/// Checks that every adapter must pass, with sizes around multiples of block sizes.

namespace tessera::test {

inline constexpr std::int64_t sizes[] = {0, 1, 2, 31, 32, 33, 255, 256, 257, 1000, 16384, 100003};

struct Square {
  std::int64_t* out;
  TESSERA_FUNCTION void operator()(std::int64_t i) const { out[i] = i * i; }
};

struct Place {
  std::int64_t* out;
  Extents3 extents;
  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    out[(i * extents.y + j) * extents.z + k] = 10000 * i + 100 * j + k;
  }
};

/// Smallest and largest value and their sum, with an identity that is not zero.
struct Range {
  std::int64_t low, high, sum;
};

struct RangeOf {
  const std::int64_t* values;
  TESSERA_FUNCTION void operator()(std::int64_t i, Range& r) const {
    const std::int64_t v = values[i];
    r.low = v < r.low ? v : r.low;
    r.high = v > r.high ? v : r.high;
    r.sum += v;
  }
};

struct JoinRanges {
  TESSERA_FUNCTION void operator()(Range& into, const Range& from) const {
    into.low = from.low < into.low ? from.low : into.low;
    into.high = from.high > into.high ? from.high : into.high;
    into.sum += from.sum;
  }
};

/// RangeOf with a body that may skip the reduction.
struct SkippedRangeOf : RangeOf, SkippingBody {
  bool skip = true;
  [[nodiscard]] TESSERA_INLINE bool skips() const { return skip; }
};

struct CountCalls {
  std::int64_t* calls;
  TESSERA_FUNCTION void operator()(const Range& r) const { *calls += r.low <= r.high ? 1 : 100; }
};

/// Increments a count, and sets bits of `wanted` that depend on the divisors of the count.
struct CountUp {
  std::int64_t* values;
  std::int32_t* wanted;  ///< bits 0, 1 and 3: the count is a multiple of 3, 2 and 7
  TESSERA_FUNCTION void operator()(std::int64_t) const {
    ++values[0];
    *wanted =
        (values[0] % 3 == 0 ? 1 : 0) | (values[0] % 2 == 0 ? 2 : 0) | (values[0] % 7 == 0 ? 8 : 0);
  }
};

struct AddTo {
  std::int64_t* value;
  const std::int64_t* more;  ///< the number to add; null adds 10
  TESSERA_FUNCTION void operator()(std::int64_t) const { *value += more != nullptr ? *more : 10; }
};

template <class Space>
struct AtomicCount {
  std::int32_t* counts;
  double* sums;
  std::int64_t bins;
  TESSERA_FUNCTION void operator()(std::int64_t i) const {
    Space::atomic_add(&counts[i % bins], std::int32_t{1});
    Space::atomic_add(&sums[i % bins], 0.5);
  }
};

/// Each team sums its row through scratch memory.
struct TeamRows {
  const std::int64_t* values;
  std::int64_t* out;
  std::int64_t columns;

  template <class Team>
  TESSERA_FUNCTION void operator()(const Team& team) const {
    std::int64_t* row = nullptr;
    team.scratch(columns, row);
    const std::int64_t t = team.league_rank();
    for (std::int64_t c = team.rank(); c < columns; c += team.size())
      row[c] = values[t * columns + c];
    team.barrier();
    // Reads entries that other threads wrote, which are complete only if the barrier works.
    std::int64_t sum = 0;
    for (std::int64_t c = team.rank(); c < columns; c += team.size())
      sum += row[columns - 1 - c];
    sum = team.reduce_sum(sum);
    if (team.rank() == 0) out[t] = sum;
  }
};

template <ExecutionSpace Space>
class SpaceChecks {
 public:
  SpaceChecks() : space_(0, Space::default_stream(0)) {}

  SpaceReport run() {
    for (const std::int64_t n : sizes) {
      loops(n);
      reductions(n);
      scans<std::int32_t>(n);
      scans<std::int64_t>(n);
      sorts<std::uint32_t>(n, 20);
      sorts<std::uint32_t>(n, 32);
      sorts<std::uint64_t>(n, 40);
      atomics(n);
    }
    boxes();
    teams();
    memory();
    graphs();
    late_copies();
    return report_;
  }

 private:
  void check(bool holds, const std::string& what) {
    ++report_.checks;
    if (!holds) report_.failures.push_back(what);
  }

  template <class T>
  std::vector<T> download(const Buffer<T, Space>& buffer, std::int64_t n) {
    std::vector<T> host(static_cast<std::size_t>(n));
    if (n > 0) space_.copy_to_host(host.data(), buffer.data(), host.size() * sizeof(T));
    return host;
  }

  /// Reproducible pseudo-random value i: a regular pattern could hide errors of an algorithm.
  static std::uint64_t scrambled(std::uint64_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
  }

  void loops(std::int64_t n) {
    Buffer<std::int64_t, Space> out(space_, n + 1);
    // Requests for team sizes may exceed the largest size of an adapter.
    for (const int team_size : {0, 1, 32, 48, 64, 128, 256, 1 << 20}) {
      space_.fill(out.data(), 0xff, static_cast<std::size_t>(n + 1) * sizeof(std::int64_t));
      if (team_size == 0)
        space_.for_each("square", n, Square{out.data()});
      else
        space_.for_each("square", n, Square{out.data()}, team_size);
      const std::vector<std::int64_t> host = download(out, n + 1);
      bool right = host.back() == -1;
      for (std::int64_t i = 0; i < n; ++i)
        right = right && host[static_cast<std::size_t>(i)] == i * i;
      check(right,
            "for_each over " + std::to_string(n) + " in teams of " + std::to_string(team_size));
    }
  }

  void reductions(std::int64_t n) {
    std::vector<std::int64_t> host(static_cast<std::size_t>(n));
    Range expected{1000000, -1000000, 0};
    for (std::size_t i = 0; i < host.size(); ++i) {
      host[i] = static_cast<std::int64_t>(scrambled(i) % 100000) - 50000;
      expected = {std::min(expected.low, host[i]), std::max(expected.high, host[i]),
                  expected.sum + host[i]};
    }
    Buffer<std::int64_t, Space> values(space_);
    values.upload(host.data(), n);
    Buffer<Range, Space> result(space_, 1);
    WorkspaceBuffer<Space> workspace(space_);
    workspace.require(Space::template reduce_bytes<Range>(n));
    space_.reduce("range", n, Range{1000000, -1000000, 0}, RangeOf{values.data()}, JoinRanges{},
                  result.data(), workspace.get());
    const Range range = result.read();
    const auto is_right = [&](const Range& r) {
      return r.low == expected.low && r.high == expected.high && r.sum == expected.sum;
    };
    check(is_right(range), "reduce over " + std::to_string(n));

    // Again on the same workspace, with a finish function and with a body that skips.
    Buffer<std::int64_t, Space> calls(space_, 1);
    calls.zero(1);
    const Range poison{7, 8, 9};
    for (const bool skip : {false, Space::coalesced, false}) {
      result.upload(&poison, 1);
      space_.reduce("range", n, Range{1000000, -1000000, 0},
                    SkippedRangeOf{{values.data()}, {}, skip}, JoinRanges{}, result.data(),
                    workspace.get(), CountCalls{calls.data()});
      const Range again = result.read();
      check(skip ? again.sum == 9 : is_right(again),
            (skip ? "skipped reduce over " : "reduce with an end over ") + std::to_string(n));
    }
    check(calls.read() == (n > 0 ? 1 : 100) * (Space::coalesced ? 2 : 3),
          "ends of reduce over " + std::to_string(n));
  }

  template <class T>
  void scans(std::int64_t n) {
    std::vector<T> host(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = static_cast<T>(scrambled(i) % 7);
    Buffer<T, Space> in(space_);
    in.upload(host.data(), n);
    Buffer<T, Space> out(space_, n + 1);
    WorkspaceBuffer<Space> workspace(space_);
    workspace.require(Space::template scan_bytes<T>(n));
    space_.exclusive_scan("scan", n, static_cast<const T*>(in.data()), out.data(), workspace.get());
    std::vector<T> expected(static_cast<std::size_t>(n + 1));
    for (std::size_t i = 0; i < host.size(); ++i)
      expected[i + 1] = expected[i] + host[i];
    check(download(out, n + 1) == expected, "exclusive_scan over " + std::to_string(n) + " of " +
                                                std::to_string(sizeof(T)) + " bytes");
  }

  template <class Key>
  void sorts(std::int64_t n, int bits) {
    std::vector<Key> keys(static_cast<std::size_t>(n));
    std::vector<std::int32_t> values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      // Many equal keys show whether the sort is stable.
      keys[i] = static_cast<Key>(scrambled(i) >> (64 - bits));
      if (i % 3 == 0 && i > 0) keys[i] = keys[i - 1];
      values[i] = static_cast<std::int32_t>(i);
    }
    Buffer<Key, Space> device_keys(space_);
    Buffer<std::int32_t, Space> device_values(space_);
    device_keys.upload(keys.data(), n);
    device_values.upload(values.data(), n);
    WorkspaceBuffer<Space> workspace(space_);
    workspace.require(Space::template sort_bytes<Key, std::int32_t>(n));
    space_.sort_by_key("sort", n, device_keys.data(), device_values.data(), bits, workspace.get());
    std::stable_sort(values.begin(), values.end(), [&](std::int32_t a, std::int32_t b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    std::vector<Key> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    const std::string what = std::to_string(n) + " keys of " + std::to_string(bits) + " bits";
    check(download(device_keys, n) == sorted, "sort_by_key, keys: " + what);
    check(download(device_values, n) == values, "sort_by_key, values in stable order: " + what);
  }

  void late_copies() {
    const std::shared_ptr<Device> opened = backend_devices<Space>().open(0);
    Device& device = *opened;
    Buffer<std::int64_t, Space> values(space_, 2);
    std::int64_t* const v = values.data();
    const auto copy = device.async_host_copy(sizeof(std::int64_t), Space::default_stream(0));
    values.zero(2);
    for (std::int64_t expected = 0; expected < 30; expected += 10) {
      copy->start(v);
      space_.for_each("add", 1, AddTo{v, nullptr});
      std::int64_t found = -1;
      std::memcpy(&found, copy->wait(), sizeof found);
      check(found == expected, "a late copy has what was there when it was put into the queue: " +
                                   std::to_string(found));
    }
    copy->start(v);
    copy->start(v + 1);
    std::int64_t found = -1;
    std::memcpy(&found, copy->wait(), sizeof found);
    check(found == 0, "of two late copies the second counts");
    // An object may be destroyed while its copy is in flight.
    device.async_host_copy(sizeof(std::int64_t), Space::default_stream(0))->start(v);
  }

  void graphs() {
    const std::shared_ptr<Device> opened = backend_devices<Space>().open(0);
    Device& device = *opened;
    Buffer<std::int64_t, Space> values(space_, 4);
    Buffer<std::int32_t, Space> wanted(space_, 1);
    std::int64_t* const v = values.data();
    const auto count = [&] { space_.for_each("count", 1, CountUp{v, wanted.data()}); };
    const auto add = [&] { space_.for_each("add", 1, AddTo{v + 1, nullptr}); };
    const std::function<void()> add_both = [&] {
      add();
      add();
    };
    const auto add_elsewhere = [&] { space_.for_each("add", 1, AddTo{v + 3, nullptr}); };
    const auto add_twice = [&] {
      space_.for_each("add", 1, AddTo{v + 2, v + 1});
      space_.for_each("add", 1, AddTo{v + 2, v + 1});
    };
    // The first call loads the kernels.
    values.zero(4);
    count();
    add();
    add_elsewhere();
    add_twice();
    values.zero(4);
    space_.fence();
    const auto graph = device.graphs().make(Space::default_stream(0), [&](TaskRecorder& recorder) {
      recorder.work(count);
      recorder.work([] {});
      recorder.conditional_work(wanted.data(), {add, add_elsewhere});
      recorder.work(add_twice);
      recorder.conditional_work(wanted.data(), {add_both});
    });
    check(values.read(0) == 0, "a graph runs nothing while it is made");
    const std::int64_t expected[] = {7, 60, 2 * (10 + 30 + 30 + 40 + 60), 20};
    for (int run = 0; run < 7; ++run)
      graph->run();
    for (int k = 0; k < 4; ++k)
      check(values.read(k) == expected[k], "a graph with conditions, " + std::to_string(k) + ": " +
                                               std::to_string(values.read(k)) + ", expected " +
                                               std::to_string(expected[k]));
  }

  void atomics(std::int64_t n) {
    constexpr std::int64_t bins = 5;
    Buffer<std::int32_t, Space> counts(space_, bins);
    Buffer<double, Space> sums(space_, bins);
    space_.fill(counts.data(), 0, bins * sizeof(std::int32_t));
    space_.fill(sums.data(), 0, bins * sizeof(double));
    space_.for_each("count", n, AtomicCount<Space>{counts.data(), sums.data(), bins});
    const std::vector<std::int32_t> c = download(counts, bins);
    const std::vector<double> s = download(sums, bins);
    bool right = true;
    for (std::int64_t b = 0; b < bins; ++b) {
      const std::int64_t expected = n / bins + (b < n % bins ? 1 : 0);
      right = right && c[static_cast<std::size_t>(b)] == expected &&
              s[static_cast<std::size_t>(b)] == 0.5 * static_cast<double>(expected);
    }
    check(right, "atomic_add over " + std::to_string(n));
  }

  void boxes() {
    for (const Extents3 e : {Extents3{1, 1, 1}, Extents3{3, 5, 7}, Extents3{1, 64, 33},
                             Extents3{17, 1, 2}, Extents3{0, 4, 4}}) {
      const std::int64_t n = e.x * e.y * e.z;
      Buffer<std::int64_t, Space> out(space_, n + 1);
      space_.for_each("place", e, Place{out.data(), e});
      const std::vector<std::int64_t> host = download(out, n);
      bool right = true;
      std::size_t at = 0;
      for (std::int64_t i = 0; i < e.x; ++i)
        for (std::int64_t j = 0; j < e.y; ++j)
          for (std::int64_t k = 0; k < e.z; ++k)
            right = right && host[at++] == 10000 * i + 100 * j + k;
      check(right, "for_each over a box of " + std::to_string(n));
    }
  }

  void teams() {
    for (const int team_size : {1, 32, 64, 128, 256})
      for (const std::int64_t league : {0, 1, 3, 100}) {
        constexpr std::int64_t columns = 97;
        std::vector<std::int64_t> host(static_cast<std::size_t>(league * columns));
        std::iota(host.begin(), host.end(), std::int64_t{3});
        Buffer<std::int64_t, Space> values(space_);
        values.upload(host.data(), league * columns);
        Buffer<std::int64_t, Space> out(space_, league + 1);
        space_.for_each_team("rows", league, team_size, columns * sizeof(std::int64_t) + 64,
                             TeamRows{values.data(), out.data(), columns});
        const std::vector<std::int64_t> sums = download(out, league);
        bool right = true;
        for (std::int64_t t = 0; t < league; ++t)
          right = right && sums[static_cast<std::size_t>(t)] ==
                               std::accumulate(host.begin() + t * columns,
                                               host.begin() + (t + 1) * columns, std::int64_t{0});
        check(right, std::to_string(league) + " teams that ask for " + std::to_string(team_size));
      }
  }

  void memory() {
    std::vector<unsigned char> host(1001);
    for (std::size_t i = 0; i < host.size(); ++i)
      host[i] = static_cast<unsigned char>(i);
    void* const a = space_.allocate(host.size());
    void* const b = space_.allocate(host.size());
    check(reinterpret_cast<std::uintptr_t>(a) % 64 == 0, "allocations are aligned to 64 bytes");
    space_.copy_to_device(a, host.data(), host.size());
    space_.fill(b, 0xab, host.size());
    space_.copy(b, a, 500);
    space_.fence();
    std::vector<unsigned char> back(host.size());
    space_.copy_to_host(back.data(), b, back.size());
    check(std::equal(back.begin(), back.begin() + 500, host.begin()), "copy takes what it should");
    check(std::all_of(back.begin() + 500, back.end(), [](unsigned char c) { return c == 0xab; }),
          "copy takes no more, fill fills");
    space_.release(a);
    space_.release(b);
    space_.release(nullptr);
  }

  Space space_;
  SpaceReport report_;
};

template <ExecutionSpace Space>
[[nodiscard]] SpaceReport check() {
  return SpaceChecks<Space>().run();
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_EXECUTION_SPACE_CHECKS_HPP
