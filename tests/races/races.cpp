#include "backends/openmp/execution/space.hpp"

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

/// \file
/// Loops of the OpenMP backend, of which some have a race that ThreadSanitizer must report. The
/// command `races NAME` runs one of them; `none` stands for loops of each kind without a race.

namespace tessera::test {
namespace {

constexpr std::int64_t count = 20000;

struct AddUp {
  std::int64_t* sum;
  void operator()(std::int64_t i) const { *sum += i; }
};

struct AddUpTogether {
  std::int64_t* sum;
  void operator()(std::int64_t i) const { openmp::Space::atomic_add(sum, i); }
};

struct Number {
  std::int64_t* own;
  void operator()(std::int64_t i) const { own[i] = i; }
};

/// Writes the elements of `in` to `out` in reverse order. If both are the same array, threads read
/// elements that others write: a race.
struct Turn {
  const std::int64_t* in;
  std::int64_t* out;
  void operator()(std::int64_t i) const { out[i] = in[count - 1 - i]; }
};

struct Data {
  openmp::Space space{0, {}};
  std::vector<std::int64_t> values = std::vector<std::int64_t>(count);
  std::vector<std::int64_t> others = std::vector<std::int64_t>(count);
  std::int64_t sum = 0;
};

void shared_sum(Data& data) {
  data.space.for_each("add up", count, AddUp{&data.sum});
}

void turned_in_place(Data& data) {
  data.space.for_each("turn", count, Turn{data.values.data(), data.values.data()});
}

void missing_barrier(Data& data) {
  const Number number{data.values.data()};
  const Turn turn{data.values.data(), data.others.data()};
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < count; ++i)
      number(i);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
      turn(i);
  }
}

/// All loops in order, without a race.
void none(Data& data) {
  data.space.for_each("number", count, Number{data.values.data()});
  data.space.for_each("turn", count, Turn{data.values.data(), data.others.data()});
  data.space.for_each("add up", count, AddUpTogether{&data.sum});
  const Number number{data.values.data()};
  const Turn turn{data.values.data(), data.others.data()};
  std::int64_t sum = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t i = 0; i < count; ++i)
      number(i);
#pragma omp for schedule(static) reduction(+ : sum)
    for (std::int64_t i = 0; i < count; ++i) {
      turn(i);
      sum += i;
    }
#pragma omp critical
    data.sum += 1;
  }
  data.sum += sum;
}

}  // namespace
}  // namespace tessera::test

int main(int count, char** words) {
  using namespace tessera::test;
  const std::map<std::string, void (*)(Data&)> loops{{"shared_sum", shared_sum},
                                                     {"turned_in_place", turned_in_place},
                                                     {"missing_barrier", missing_barrier},
                                                     {"none", none}};
  const auto loop = loops.find(count == 2 ? words[1] : "");
  if (loop == loops.end()) return 2;
  Data data;
  loop->second(data);
  std::printf("%lld\n", static_cast<long long>(data.sum + data.others[0]));
  return 0;
}
