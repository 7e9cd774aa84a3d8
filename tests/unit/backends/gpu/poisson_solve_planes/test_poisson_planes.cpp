#include "backends/gpu/poisson_solve_planes/across.hpp"
#include "backends/gpu/poisson_solve_planes/along_z.hpp"
#include "backends/gpu/poisson_solve_planes/roots.hpp"
#include "core/base/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

// Runs the blocks of cuda.planes on the host, with one thread each.

namespace tessera::gpu::poisson_solve_planes {
namespace {

struct OneThread {
  [[nodiscard]] int rank() const { return 0; }
  [[nodiscard]] int size() const { return 1; }
  void barrier() const {}
};

using Number = Complex<double>;

std::vector<Number> noise(std::size_t n) {
  RandomSequence random(5);
  std::vector<Number> numbers(n);
  for (Number& number : numbers)
    number = {random.uniform() - 0.5, random.uniform() - 0.5};
  return numbers;
}

double distance(const Number& a, std::complex<double> b) {
  return std::hypot(a.x - b.real(), a.y - b.imag());
}

TEST_CASE("roots of unity are those of the exponential") {
  for (const int bits : {2, 3, 4, 10}) {
    const auto roots = roots_of_unity<double>(bits);
    for (std::size_t t = 0; t < roots.size(); ++t)
      CHECK(distance(roots[t], std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(t) /
                                                   static_cast<double>(roots.size()))) < 1e-15);
  }
}

TEST_CASE("places and waves are each other's inverse") {
  for (int bits = 1; bits <= 11; ++bits)
    for (int wave = 0; wave < 1 << bits; ++wave) {
      const int place = place_of(wave, bits);
      CHECK(place >= 0);
      CHECK(place < 1 << bits);
      CHECK(wave_at(place, bits) == wave);
    }
}

TEST_CASE("a batch in place is transformed forward and back") {
  for (int bits = 1; bits <= 10; ++bits) {
    const int n = 1 << bits;
    const auto roots = roots_of_unity<double>(bits + 1);
    // Two pairs of transforms; the pairs have a pitch with one element of padding.
    const int pitch = 2 * n + 1;
    std::vector<Number> numbers = noise(static_cast<std::size_t>(2 * pitch));
    const std::vector<Number> before = numbers;
    const Batch<double> batch{numbers.data(), bits, 2, 1, pitch, roots.data(), 1, n};
    forward(OneThread{}, batch);
    for (int b = 0; b < 4; ++b) {
      const Number* const from = before.data() + (b & 1) * pitch + (b >> 1) * n;
      for (int wave = 0; wave < n; wave += std::max(1, n / 16)) {
        std::complex<double> sum = 0;
        for (int i = 0; i < n; ++i)
          sum += std::complex(from[i].x, from[i].y) *
                 std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * wave % n) / n);
        CHECK(distance(batch.transform(b)[place_of(wave, bits)], sum) < 1e-14 * n);
      }
    }
    backward(OneThread{}, batch);
    double worst = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool between = static_cast<int>(i) % pitch == 2 * n;
      const double factor = between ? 1 : n;
      worst = std::fmax(
          worst, distance(numbers[i], std::complex(factor * before[i].x, factor * before[i].y)));
    }
    CHECK(worst < 1e-14 * n);
  }
}

/// A density, an even function of the distance, and their convolution by sums over all nodes.
struct Convolution {
  std::int64_t n[3];
  bool periodic;
  std::vector<double> density, green, kernel;

  [[nodiscard]] std::int64_t length(int a) const { return a == 2 && periodic ? n[2] : 2 * n[a]; }
  [[nodiscard]] std::int64_t folded(int a, std::int64_t i) const {
    const std::int64_t m = ((i % length(a)) + length(a)) % length(a);
    return std::min(m, length(a) - m);
  }
  [[nodiscard]] double green_at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t z = length(2) / 2 + 1;
    return green[static_cast<std::size_t>((folded(0, i) * (n[1] + 1) + folded(1, j)) * z +
                                          folded(2, k))];
  }

  Convolution(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool along_z)
      : n{nx, ny, nz}, periodic(along_z) {
    RandomSequence random(9);
    density.resize(static_cast<std::size_t>(nx * ny * nz));
    for (double& value : density)
      value = random.uniform() - 0.3;
    const std::int64_t waves = length(2) / 2 + 1;
    green.resize(static_cast<std::size_t>((nx + 1) * (ny + 1) * waves));
    for (double& value : green)
      value = random.uniform();
    // The transform of the function: a sum of cosines along each direction.
    kernel.resize(green.size());
    for (std::int64_t p = 0; p <= nx; ++p)
      for (std::int64_t m = 0; m < waves; ++m)
        for (std::int64_t q = 0; q <= ny; ++q) {
          double sum = 0;
          for (std::int64_t i = 0; i < length(0); ++i)
            for (std::int64_t j = 0; j < length(1); ++j)
              for (std::int64_t k = 0; k < length(2); ++k)
                sum += green_at(i, j, k) * wave(0, p * i) * wave(1, q * j) * wave(2, m * k);
          kernel[static_cast<std::size_t>((p * waves + m) * (ny + 1) + q)] = sum;
        }
  }
  [[nodiscard]] double wave(int a, std::int64_t turns) const {
    return std::cos(2 * std::numbers::pi * static_cast<double>(turns % length(a)) /
                    static_cast<double>(length(a)));
  }
  [[nodiscard]] double expected(std::int64_t i, std::int64_t j, std::int64_t k) const {
    double sum = 0;
    for (std::int64_t p = 0; p < n[0]; ++p)
      for (std::int64_t q = 0; q < n[1]; ++q)
        for (std::int64_t r = 0; r < n[2]; ++r)
          sum += green_at(i - p, j - q, k - r) *
                 density[static_cast<std::size_t>((r * n[1] + q) * n[0] + p)];
    return sum;
  }
};

int log2_of(std::int64_t n) {
  int bits = 0;
  while (std::int64_t{1} << bits < n)
    ++bits;
  return bits;
}

/// Largest error over all nodes, relative to the largest potential.
double worst_error(const Convolution& of, bool whole_planes, int width) {
  const int z = log2_of(of.n[2]);
  const Sizes sizes{log2_of(of.n[0]), log2_of(of.n[1]), of.periodic ? z - 1 : z, z};
  const auto roots_x = roots_of_unity<double>(sizes.x + 1);
  const auto roots_y = roots_of_unity<double>(sizes.y + 1);
  const auto roots_z = roots_of_unity<double>(sizes.z + 1);
  const auto poisoned = [](std::int64_t n) {
    return std::vector<Number>(static_cast<std::size_t>(n), Number{NAN, NAN});
  };
  std::vector<Number> rows = poisoned(sizes.waves() << (sizes.x + sizes.y));
  std::vector<double> potential(of.density.size(), NAN);
  const View<const double, 3> density{
      of.density.data(), {of.n[0], of.n[1], of.n[2]}, {1, of.n[0], of.n[0] * of.n[1]}};
  const double factor = 1.0 / static_cast<double>(of.length(0) * of.length(1) * of.length(2));
  const Call<double> call{sizes,
                          density,
                          {potential.data(), {of.n[0], of.n[1], of.n[2]}, density.strides},
                          factor,
                          rows.data(),
                          roots_x.data(),
                          roots_y.data(),
                          roots_z.data(),
                          of.kernel.data()};
  const std::int64_t pencils = std::int64_t{1} << (sizes.x + sizes.y - width);
  for (std::int64_t block = 0; block < pencils; ++block) {
    auto memory = poisoned(memory_along_z(sizes, width));
    density_to_rows(OneThread{}, call, block, width, memory.data());
  }
  if (whole_planes) {
    for (std::int64_t wave = 0; wave < sizes.waves(); ++wave) {
      auto memory = poisoned(memory_of_plane(sizes));
      plane(OneThread{}, call, wave, memory.data());
    }
  } else {
    std::vector<Number> waves = poisoned(sizes.waves() << (sizes.x + sizes.y + 1));
    const std::int64_t columns = sizes.waves() << (sizes.x - width);
    for (std::int64_t block = 0; block < columns; ++block) {
      auto memory = poisoned(memory_of_columns(sizes, width));
      columns_forward(OneThread{}, call, block, width, waves.data(), memory.data());
    }
    for (std::int64_t block = 0; block < sizes.waves() << (sizes.y + 1 - width); ++block) {
      auto memory = poisoned(memory_of_lines(sizes, width));
      lines(OneThread{}, call, block, width, waves.data(), memory.data());
    }
    for (std::int64_t block = 0; block < columns; ++block) {
      auto memory = poisoned(memory_of_columns(sizes, width));
      columns_backward(OneThread{}, call, block, width, waves.data(), memory.data());
    }
  }
  for (std::int64_t block = 0; block < pencils; ++block) {
    auto memory = poisoned(memory_along_z(sizes, width));
    rows_to_potential(OneThread{}, call, block, width, memory.data());
  }
  double worst = 0;
  double largest = 0;
  std::size_t v = 0;
  for (std::int64_t k = 0; k < of.n[2]; ++k)
    for (std::int64_t j = 0; j < of.n[1]; ++j)
      for (std::int64_t i = 0; i < of.n[0]; ++i) {
        const double expected = of.expected(i, j, k);
        const double error = std::abs(potential[v++] - expected);
        worst = std::fmax(worst, std::isnan(error) ? INFINITY : error);
        largest = std::fmax(largest, std::abs(expected));
      }
  return worst / largest;
}

TEST_CASE("a solve, block by block, is the sum over all nodes") {
  for (const bool periodic : {false, true}) {
    const Convolution shapes[] = {
        {4, 8, 16, periodic}, {16, 4, 4, periodic}, {8, 16, 8, periodic}, {4, 4, 32, periodic}};
    for (const Convolution& shape : shapes)
      for (const bool whole_planes : {true, false})
        for (const int width : {0, 1, 2}) {
          CAPTURE(shape.n[0]);
          CAPTURE(shape.n[1]);
          CAPTURE(shape.n[2]);
          CAPTURE(periodic);
          CAPTURE(whole_planes);
          CAPTURE(width);
          CHECK(worst_error(shape, whole_planes, width) < 1e-14);
        }
  }
}

}  // namespace
}  // namespace tessera::gpu::poisson_solve_planes
