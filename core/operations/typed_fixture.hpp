#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <tessera/core/operations/fixture.hpp>
#include <tessera/generated/elements.hpp>
#include <vector>

/// \file
/// From the run-time precision of an implementation to the typed functions of a fixture, and the
/// comparisons that fixtures share.

namespace tessera {

/// `Derived` offers `template <class P> Verdict verify_as(const Implementation<Operation, P>&,
/// ...)` and `template <class P> std::unique_ptr<Workload> workload_as(...)`.
template <class Operation, class Derived>
class TypedFixture : public Fixture {
 public:
  [[nodiscard]] Verdict verify(const ImplementationBase& implementation, const Context& context,
                               const std::string& input, const Parameters& parameters) const final {
    return dispatch(implementation, [&]<class P>(const Implementation<Operation, P>& typed) {
      Verdict verdict = self().template verify_as<P>(typed, context, input, parameters);
      verdict.input = input;
      return verdict;
    });
  }

  [[nodiscard]] std::unique_ptr<Workload> workload(const ImplementationBase& implementation,
                                                   const Context& context, const std::string& input,
                                                   std::int64_t size,
                                                   const Parameters& parameters) const final {
    return dispatch(implementation, [&]<class P>(const Implementation<Operation, P>& typed) {
      return self().template workload_as<P>(typed, context, input, size, parameters);
    });
  }

 private:
  [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }

  template <class Call>
  static auto dispatch(const ImplementationBase& implementation, const Call& call) {
    return with_element(ElementsOf<Operation>{}, implementation.info().precision, [&]<class P>() {
      return call.template operator()<P>(
          dynamic_cast<const Implementation<Operation, P>&>(implementation));
    });
  }
};

namespace comparison {

/// sqrt(sum (value - expected)^2 / sum expected^2); the numerator alone where the oracle is zero
/// everywhere; infinity when a value is NaN (poison that was never overwritten). Elements whose
/// `left_out` entry is set do not count.
template <class T>
[[nodiscard]] double relative_rms(std::span<const T> values, std::span<const double> expected,
                                  std::span<const char> left_out = {}) {
  double difference = 0;
  double magnitude = 0;
  const std::size_t per_entry = left_out.empty() ? 1 : values.size() / left_out.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::abs(static_cast<double>(values[i])) < INFINITY)) return INFINITY;
    if (!left_out.empty() && left_out[i / per_entry]) continue;
    const double d = static_cast<double>(values[i]) - expected[i];
    difference += d * d;
    magnitude += expected[i] * expected[i];
  }
  return magnitude > 0 ? std::sqrt(difference / magnitude) : std::sqrt(difference);
}

/// Largest |value - expected| over the largest |expected|, or alone where that is zero.
template <class T>
[[nodiscard]] double relative_max(std::span<const T> values, std::span<const double> expected) {
  double difference = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(std::abs(static_cast<double>(values[i])) < INFINITY)) return INFINITY;
    difference = std::fmax(difference, std::abs(static_cast<double>(values[i]) - expected[i]));
    magnitude = std::fmax(magnitude, std::abs(expected[i]));
  }
  return magnitude > 0 ? difference / magnitude : difference;
}

template <class T>
[[nodiscard]] bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

[[nodiscard]] inline Verdict verdict(double error, double tolerance, std::string detail) {
  Verdict v;
  v.error = error;
  v.tolerance = tolerance;
  v.outcome = error <= tolerance ? Verdict::Outcome::passed : Verdict::Outcome::failed;
  v.detail = std::move(detail);
  return v;
}

[[nodiscard]] inline Verdict refused(std::string reason) {
  Verdict v;
  v.outcome = Verdict::Outcome::refused;
  v.detail = std::move(reason);
  return v;
}

}  // namespace comparison

}  // namespace tessera
