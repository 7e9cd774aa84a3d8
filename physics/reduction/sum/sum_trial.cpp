#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/reduction/sum/sum.hpp"
#include "physics/reduction/sum/sum_reference.hpp"
#include "physics/reduction/weighted_rows_trial.hpp"

#include <cmath>
#include <string>

namespace tessera::reduction::sum_trial {

struct Data : WeightedRows {
  std::vector<double> origin;
  SumTerms terms;
  Determinism determinism = Determinism::none;
};

/// Terms for all first and second moments of the columns.
SumTerms moments(int columns) {
  SumTerms terms;
  for (int a = 0; a < columns; ++a)
    terms.term[terms.count++] = {static_cast<std::int16_t>(a), -1};
  for (int a = 0; a < columns; ++a)
    for (int b = a; b < columns; ++b)
      terms.term[terms.count++] = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
  return terms;
}

/// Six columns around a mean; with `alternating`, large values of opposite signs cancel.
Data make_data(std::int64_t rows, Weights weights, SumTerms terms, bool alternating = false) {
  Data data;
  data.weighted = weights;
  data.terms = terms;
  RandomSequence random(20260711 + static_cast<unsigned>(rows));
  const auto uniform = [&] { return random.uniform(-0.5, 0.5); };
  data.values.reserve(static_cast<std::size_t>(rows * data.columns));
  for (std::int64_t i = 0; i < rows * data.columns; ++i)
    data.values.push_back(uniform() +
                          (alternating ? (i / data.columns % 2 ? 1000.0 : -1000.0) : 0.1));
  if (weights == Weights::by_class) {
    data.weights = {1.0, 2.5, 0.125};
    for (std::int64_t i = 0; i < rows; ++i)
      data.weight_class.push_back(static_cast<std::int32_t>(random() % data.weights.size()));
  } else if (weights == Weights::by_row) {
    for (std::int64_t i = 0; i < rows; ++i)
      data.weights.push_back(1 + uniform());
  }
  return data;
}

SumTerms three_columns() {
  SumTerms terms;
  for (std::int16_t a = 0; a < 3; ++a)
    terms.term[terms.count++] = {a, -1};
  return terms;
}

/// Masks about every third row, and sets a large value in these rows, so that adding it would be
/// noticed.
Data masked(Data data) {
  RandomSequence random(20261123);
  for (std::int64_t i = 0; i < data.items(); ++i) {
    data.mask.push_back(random() % 3 == 0 ? 0 : static_cast<std::uint8_t>(1 + random() % 255));
    if (data.mask.back() == 0) data.values[static_cast<std::size_t>(i * data.columns)] = 1e6;
  }
  return data;
}

/// Columns with means that are large compared to their deviations, and an origin near the means.
Data about_origin(Data data) {
  for (int c = 0; c < data.columns; ++c)
    data.origin.push_back(1024.0 * (c - 2) + 0.3);
  for (std::size_t i = 0; i < data.values.size(); ++i)
    data.values[i] += 1024.0 * (static_cast<int>(i) % data.columns - 2);
  return data;
}

Data in_any_order(Data data) {
  data.determinism = Determinism::any_order;
  return data;
}

/// Columns of very different magnitude, each of which spans many powers of two.
Data many_scales(Data data) {
  RandomSequence random(7);
  for (std::size_t i = 0; i < data.values.size(); ++i)
    data.values[i] *=
        std::ldexp(1.0, 5 * static_cast<int>(i % 6) - static_cast<int>(random() % 15));
  return data;
}

/// Data and terms with more columns than one pass can sum.
Data wide(std::int64_t rows) {
  Data data;
  data.columns = 11;
  RandomSequence random(11);
  for (std::int64_t i = 0; i < rows * data.columns; ++i)
    data.values.push_back(random.uniform(-1, 1));
  for (std::int16_t a = 0; a < 11; ++a) {
    data.terms.term[data.terms.count++] = {a, -1};
    data.terms.term[data.terms.count++] = {static_cast<std::int16_t>(10 - a), a};
  }
  data.terms.term[data.terms.count++] = {-1, -1};
  return data;
}

Data one_column(std::int64_t rows) {
  Data data;
  data.columns = 1;
  data.values.reserve(static_cast<std::size_t>(rows));
  RandomSequence random(3);
  for (std::int64_t i = 0; i < rows; ++i)
    data.values.push_back(random.uniform(-1, 1));
  data.terms.term[data.terms.count++] = {0, -1};
  return data;
}

std::vector<TrialRow<Data>> rows() {
  return {
      {{"moments", {0, 1, 31, 33, 300007}, {32000, 1000000, 21000000}},
       [](std::int64_t n) { return make_data(n, Weights::by_class, moments(6)); }},
      {{"one column", {0, 1, 33, 4099}, {4000000, 32000000}},
       [](std::int64_t n) { return one_column(n); }},
      {{"one column in any order", {0, 1, 33, 4099}, {4000000, 32000000}},
       [](std::int64_t n) { return in_any_order(one_column(n)); }},
      {{"weighted by row", {1, 4099}},
       [](std::int64_t n) { return make_data(n, Weights::by_row, moments(6)); }},
      {{"without weights", {2, 1000}},
       [](std::int64_t n) { return make_data(n, Weights::none, three_columns()); }},
      {{"cancelling", {100003}},
       [](std::int64_t n) { return make_data(n, Weights::none, three_columns(), true); }},
      {{"masked", {1, 33, 4099}},
       [](std::int64_t n) { return masked(make_data(n, Weights::by_row, moments(6))); }},
      {{"wide", {0, 5, 1001}}, [](std::int64_t n) { return wide(n); }},
      {{"about an origin", {1, 33, 4099}},
       [](std::int64_t n) { return about_origin(make_data(n, Weights::none, moments(6))); }},
      {{"masked about an origin", {4099}},
       [](std::int64_t n) {
         return about_origin(masked(make_data(n, Weights::by_class, moments(6))));
       }},
      {{"about an origin in any order", {33, 4099}},
       [](std::int64_t n) {
         return in_any_order(about_origin(make_data(n, Weights::by_row, moments(6))));
       }},
      {{"moments in any order", {0, 1, 33, 100003}, {32000, 1000000, 21000000}},
       [](std::int64_t n) { return in_any_order(make_data(n, Weights::by_class, moments(6))); }},
      {{"masked in any order", {2, 4099}},
       [](std::int64_t n) {
         return in_any_order(masked(make_data(n, Weights::by_row, moments(6))));
       }},
      {{"many scales in any order", {1, 1000}},
       [](std::int64_t n) {
         return in_any_order(many_scales(make_data(n, Weights::none, moments(3))));
       }},
      {{"cancelling in any order", {100003}},
       [](std::int64_t n) {
         return in_any_order(make_data(n, Weights::none, three_columns(), true));
       }},
  };
}

/// Velocities of a run, with terms of a typical diagnostic: momentum and twice the kinetic tensor.
std::optional<Data> from_source(const TrialSource& source) {
  const TrialSource::Column* const velocities = source.column("velocities");
  const TrialSource::Column* const mass = source.column("mass");
  if (velocities == nullptr || mass == nullptr) return std::nullopt;
  Data data;
  data.columns = velocities->width;
  data.values = velocities->values;
  data.weighted = Weights::by_row;
  data.weights = mass->values;
  data.terms = moments(data.columns);
  return data;
}

template <class P>
class SumTrial final : public WeightedRowsTrial<Sum, P, Data> {
 public:
  using Base = WeightedRowsTrial<Sum, P, Data>;
  using Base::Base;
  using Base::integers;
  using typename Base::Storage;

  [[nodiscard]] SumProblem problem() override {
    return {this->items(), columns_, terms_.count, this->data_.determinism};
  }

  [[nodiscard]] SumArgs<Storage> args() override {
    SumArgs<Storage> args = this->arguments(problem());
    args.terms = terms_;
    return args;
  }

  [[nodiscard]] int ways() const override { return integers ? 2 : 1; }
  void choose(int way) override {
    if (overflow_ != nullptr) overflow_->give(way == 0);
  }

  [[nodiscard]] bool waits() const override { return overflow_ != nullptr && !overflow_->given(); }

  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"rows", n, n * this->bytes_per_row(), n * 2 * terms_.count};
  }

 private:
  struct Answer {
    std::vector<SumOf<Storage>> sums, magnitudes;
  };

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] {
      Answer answer;
      answer.sums = oracle(values_.source(), origin_);
      answer.magnitudes = oracle(magnitudes(), nullptr);
      return answer;
    });
    if constexpr (integers) {
      for (std::size_t t = 0; t < expected->sums.size(); ++t)
        if (result_.values()[t] != expected->sums[t])
          return Verdict::failure("term " + std::to_string(t) + " is " +
                                  std::to_string(result_.values()[t]) + ", the oracle has " +
                                  std::to_string(expected->sums[t]));
      return Verdict::measured(0, 0, "sums against the oracle");
    } else {
      return Verdict::measured(
          summed_error<double>(result_.values(), expected->sums, expected->magnitudes), 1e-13,
          "sums against the oracle");
    }
  }

  /// Magnitudes of the numbers after subtraction of the origin.
  [[nodiscard]] std::vector<SumOf<Storage>> magnitudes() const {
    const std::vector<Storage> values = values_.source();
    std::vector<SumOf<Storage>> sizes(values.begin(), values.end());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (origin_ != nullptr)
        sizes[i] -=
            static_cast<SumOf<Storage>>(origin_->source()[i % static_cast<std::size_t>(columns_)]);
      if (sizes[i] < 0) sizes[i] = -sizes[i];
    }
    return sizes;
  }

  template <class Number>
  [[nodiscard]] std::vector<SumOf<Storage>> oracle(const std::vector<Number>& values,
                                                   const TrialArray<double>* origin) const {
    std::vector<SumOf<Storage>> sums(static_cast<std::size_t>(terms_.count));
    SumArgs<Number> args;
    this->bind_source(args, values);
    if (origin != nullptr) args.origin = {origin->source().data(), {columns_}};
    args.terms = terms_;
    args.result = {sums.data(), {terms_.count}};
    sum_reference({this->items(), columns_, terms_.count}, args);
    return sums;
  }

  using Base::columns_;
  using Base::values_;
  SumTerms terms_ = this->data_.terms;
  TrialArray<SumOf<Storage>>& result_ = this->template plain_array<SumOf<Storage>>("result");
  TrialArray<double>* origin_ =
      integers || this->data_.origin.empty()
          ? nullptr
          : &this->template plain_array<double>("origin", this->data_.origin);
  TrialArray<std::int32_t>* overflow_ =
      integers ? &this->template plain_array<std::int32_t>("overflow") : nullptr;
};

/// Trials of reduction/sum. Error: largest difference of a sum over the summed magnitudes of its
/// terms.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Sum, SumTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::reduction::sum_trial
