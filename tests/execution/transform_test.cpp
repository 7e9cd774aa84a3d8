#include "core/memory/transform.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/operations/registry.hpp"
#include "tests/execution/space_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

/// \file
/// Fourier transforms of every kind and layout on a device, compared with sums of exponentials.

namespace tessera::test {
namespace {

using Complex = std::complex<double>;

struct Layout {
  std::int64_t stride, distance;
  [[nodiscard]] std::int64_t size(std::int64_t n, std::int64_t count) const {
    return (n - 1) * stride + (count - 1) * distance + 1;
  }
};

/// Memory of a device that holds complex or real numbers in either precision.
class Numbers {
 public:
  Numbers(Device& device, bool complex, bool in_double, std::int64_t size)
      : device_(device),
        parts_(complex ? 2 : 1),
        bytes_(in_double ? 8 : 4),
        size_(static_cast<std::size_t>(size * parts_)),
        data_(device.allocate(size_ * bytes_)) {}
  ~Numbers() { device_.release(data_); }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  void write(const std::vector<double>& values) {
    if (bytes_ == 8) return copy(values);
    copy(std::vector<float>(values.begin(), values.end()));
  }
  [[nodiscard]] std::vector<double> read() const {
    std::vector<double> values(size_);
    std::vector<float> floats(size_);
    void* const target = bytes_ == 8 ? static_cast<void*>(values.data()) : floats.data();
    device_.copy_to_host(target, data_, size_ * bytes_, device_.default_stream());
    if (bytes_ == 4) values.assign(floats.begin(), floats.end());
    return values;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  template <class T>
  void copy(const std::vector<T>& values) {
    device_.copy_to_device(data_, values.data(), size_ * bytes_, device_.default_stream());
  }

  Device& device_;
  int parts_;
  std::size_t bytes_;
  std::size_t size_;
  void* data_;
};

Complex at(const std::vector<double>& values, bool complex, std::int64_t place) {
  const auto i = static_cast<std::size_t>(place);
  return complex ? Complex(values[2 * i], values[2 * i + 1]) : Complex(values[i], 0);
}

/// Largest difference between `out` and sums of exponentials, over an upper bound of the sums.
double error_of(const TransformBatch& batch, const std::vector<double>& in,
                const std::vector<double>& out) {
  const bool in_complex = batch.kind != TransformKind::real_forward;
  const bool out_complex = batch.kind != TransformKind::real_backward;
  const double sign =
      batch.kind == TransformKind::forward || batch.kind == TransformKind::real_forward ? -1 : 1;
  const std::int64_t n = batch.length;
  double error = 0;
  for (std::int64_t t = 0; t < batch.count; ++t)
    for (std::int64_t k = 0; k < (out_complex && !in_complex ? n / 2 + 1 : n); ++k) {
      Complex sum = 0;
      for (std::int64_t j = 0; j < n; ++j) {
        const bool mirrored = batch.kind == TransformKind::real_backward && j > n / 2;
        Complex value =
            at(in, in_complex, t * batch.in.distance + (mirrored ? n - j : j) * batch.in.stride);
        if (mirrored) value = std::conj(value);
        sum += value * std::polar(1.0, sign * 2 * std::numbers::pi *
                                           static_cast<double>(j * k % n) / static_cast<double>(n));
      }
      if (!out_complex) sum = sum.real();
      error = std::max(error, std::abs(sum - at(out, out_complex,
                                                t * batch.out.distance + k * batch.out.stride)));
    }
  return error / static_cast<double>(n);
}

/// Random input of a batch, with imaginary parts of 0 where a real result requires them.
std::vector<double> noise(const TransformBatch& batch, std::size_t size) {
  RandomSequence random(11);
  std::vector<double> values(size);
  for (double& value : values)
    value = 2 * random.uniform() - 1;
  if (batch.kind != TransformKind::real_backward) return values;
  for (std::int64_t t = 0; t < batch.count; ++t)
    for (const std::int64_t j : {std::int64_t{0}, batch.length / 2})
      if (2 * j % batch.length == 0)
        values[static_cast<std::size_t>(2 * (t * batch.in.distance + j * batch.in.stride) + 1)] = 0;
  return values;
}

void check_batch(Device& device, TransformKind kind, bool in_double, std::int64_t n,
                 std::int64_t count, const Layout& in, const Layout& out, bool in_place) {
  const bool in_complex = kind != TransformKind::real_forward;
  const bool out_complex = kind != TransformKind::real_backward;
  const std::int64_t in_n = kind == TransformKind::real_backward ? n / 2 + 1 : n;
  const std::int64_t out_n = kind == TransformKind::real_forward ? n / 2 + 1 : n;
  Numbers source(device, in_complex, in_double, in.size(in_n, count));
  Numbers target(device, out_complex, in_double, out.size(out_n, count));
  TransformBatch batch{kind, in_double, n, count, {source.data(), in.stride, in.distance}, {}};
  batch.out = {in_place ? source.data() : target.data(), out.stride, out.distance};
  const auto transform = device.transforms().make(device.default_stream(), batch);
  const std::vector<double> values = noise(batch, source.size());
  for (int run = 0; run < 2; ++run) {
    source.write(values);
    target.write(std::vector<double>(target.size(), -99));
    transform->execute();
    device.fence(device.default_stream());
    const std::vector<double> found = in_place ? source.read() : target.read();
    CHECK(error_of(batch, values, found) < (in_double ? 1e-15 : 5e-7));
    if (!in_place && kind != TransformKind::real_backward && in_double)
      CHECK(source.read() == values);
  }
}

TEST_CASE("transforms are sums of exponentials") {
  const auto device = registry().open(tested_backend).device;
  if (const std::string missing = device->transforms().unavailable(); !missing.empty()) {
    MESSAGE("no transforms: " << missing);
    CHECK_THROWS_AS((void)device->transforms().make(device->default_stream(),
                                                    {TransformKind::forward, true, 4, 1, {}, {}}),
                    DeviceError);
    return;
  }
  using enum TransformKind;
  for (const bool in_double : {true, false})
    for (const TransformKind kind : {forward, backward, real_forward, real_backward})
      for (const std::int64_t n : {1, 2, 3, 8, 14, 30, 31, 64})
        for (const std::int64_t count : {1, 7, 8, 300}) {
          const std::int64_t in = kind == real_backward ? n / 2 + 1 : n;
          const std::int64_t out = kind == real_forward ? n / 2 + 1 : n;
          CAPTURE(n);
          CAPTURE(count);
          // Transforms that are contiguous, interleaved, interleaved with contiguous results, and
          // with gaps.
          check_batch(*device, kind, in_double, n, count, {1, in}, {1, out}, false);
          check_batch(*device, kind, in_double, n, count, {count, 1}, {count, 1}, false);
          check_batch(*device, kind, in_double, n, count, {count, 1}, {1, out}, false);
          check_batch(*device, kind, in_double, n, count, {1, in}, {count + 2, 1}, false);
          if (kind == forward || kind == backward)
            check_batch(*device, kind, in_double, n, count, {count, 1}, {count, 1}, true);
        }
}

TEST_CASE("good lengths of transforms") {
  CHECK(good_transform_length(2) == 2);
  CHECK(good_transform_length(9) == 10);
  CHECK(good_transform_length(22) == 24);
  CHECK(good_transform_length(128) == 128);
  CHECK(good_transform_length(2 * 131) == 270);
}

}  // namespace
}  // namespace tessera::test
