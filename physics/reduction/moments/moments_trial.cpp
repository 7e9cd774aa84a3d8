#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/reduction/moments/moments.hpp"
#include "physics/reduction/moments/moments_reference.hpp"
#include "physics/reduction/weighted_rows_trial.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::reduction::moments_trial {

struct Data : WeightedRows {
  bool seconds = true;
  Determinism determinism = Determinism::none;
};

/// Columns that are correlated, with a standard deviation of about one, around multiples of `mean`.
Data bunch(std::int64_t rows, int columns, double mean) {
  Data data;
  data.columns = columns;
  data.values.reserve(static_cast<std::size_t>(rows * columns));
  RandomSequence random(20261123 + static_cast<unsigned>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    const double shared = random.uniform(-1, 1);
    for (int c = 0; c < columns; ++c)
      data.values.push_back(mean * (c + 1) + shared + random.uniform(-1.4, 1.4));
  }
  return data;
}

Data by_class(Data data) {
  RandomSequence random(5);
  data.weighted = Weights::by_class;
  data.weights = {1.0, 2.5, 0.125};
  for (std::int64_t i = 0; i < data.items(); ++i)
    data.weight_class.push_back(static_cast<std::int32_t>(random() % data.weights.size()));
  return data;
}

Data by_row(Data data) {
  RandomSequence random(6);
  data.weighted = Weights::by_row;
  for (std::int64_t i = 0; i < data.items(); ++i)
    data.weights.push_back(random.uniform(0.5, 1.5));
  return data;
}

/// Masks about every third row, and the first three; masked rows have a number that is far from the
/// others.
Data masked(Data data) {
  RandomSequence random(7);
  for (std::int64_t i = 0; i < data.items(); ++i) {
    data.mask.push_back(i < 3 || random() % 3 == 0 ? 0 : 7);
    if (data.mask.back() == 0) data.values[static_cast<std::size_t>(i * data.columns)] = 1e9;
  }
  return data;
}

/// Data in which the rows of the sample for the pivot are far from all others.
Data misleading(std::int64_t rows) {
  Data data = bunch(rows, 3, 0);
  const std::int64_t step = std::max<std::int64_t>(rows / 32, 1);
  for (std::int64_t i = 0; i < rows; i += step)
    for (std::int64_t c = 0; c < 3; ++c)
      data.values[static_cast<std::size_t>(3 * i + c)] += 1e7;
  return data;
}

Data constant(std::int64_t rows) {
  Data data;
  data.columns = 2;
  for (std::int64_t i = 0; i < rows; ++i)
    data.values.insert(data.values.end(), {0.1, -3e5});
  return data;
}

Data means_alone(Data data) {
  data.seconds = false;
  return data;
}

Data in_any_order(Data data) {
  data.determinism = Determinism::any_order;
  return data;
}

std::vector<TrialRow<Data>> inputs() {
  using N = std::int64_t;
  return {
      {{"bunch", {0, 1, 2, 33, 100003}, {32000, 1000000, 21000000}},
       [](N n) { return bunch(n, 6, 0.1); }},
      {{"far from zero", {1, 2, 33, 100003}}, [](N n) { return bunch(n, 6, 1e8); }},
      {{"weights by class", {1, 4099}}, [](N n) { return by_class(bunch(n, 6, 3)); }},
      {{"weights by row", {31, 4099}}, [](N n) { return by_row(bunch(n, 4, -30)); }},
      {{"masked", {2, 33, 4099}}, [](N n) { return masked(by_row(bunch(n, 6, 100))); }},
      {{"misleading sample", {33, 10007}}, misleading},
      {{"constant", {1, 5000}}, constant},
      {{"one column", {1, 4099}}, [](N n) { return bunch(n, 1, 1e4); }},
      {{"means alone", {0, 4099}, {21000000}}, [](N n) { return means_alone(bunch(n, 6, 0.1)); }},
      {{"bunch in any order", {0, 1, 33, 20011}, {21000000}},
       [](N n) { return in_any_order(bunch(n, 6, 0.1)); }},
      {{"far from zero in any order", {2, 4099}},
       [](N n) { return in_any_order(by_class(bunch(n, 5, 1e8))); }},
      {{"masked in any order", {2, 4099}},
       [](N n) { return in_any_order(masked(by_row(bunch(n, 3, 100)))); }},
  };
}

/// Positions of the particles of a run.
std::optional<Data> from_source(const TrialSource& source) {
  const TrialSource::Column* const positions = source.column("positions");
  if (positions == nullptr) return std::nullopt;
  Data data;
  data.columns = positions->width;
  data.values = positions->values;
  return data;
}

template <class P>
class MomentsTrial final : public WeightedRowsTrial<Moments, P, Data> {
 public:
  using Base = WeightedRowsTrial<Moments, P, Data>;
  using Base::Base;
  using typename Base::Storage;

  [[nodiscard]] MomentsProblem problem() override {
    return {this->items(), columns_, this->data_.seconds, this->data_.determinism};
  }

  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto columns = static_cast<double>(columns_);
    const double products = seconds_ != nullptr ? columns * (columns + 1) / 2 : 0;
    return {"rows", n, n * this->bytes_per_row(), n * 2 * (columns + products)};
  }

 private:
  struct Answer : CacheableReference {
    std::vector<double> weight, means, seconds;
    template <class Archive>
    void share(Archive& archive) {
      archive(weight);
      archive(means);
      archive(seconds);
    }
  };

  [[nodiscard]] Answer oracle() const {
    const auto n = static_cast<std::size_t>(columns_);
    Answer answer{{}, std::vector<double>(1), std::vector<double>(n), std::vector<double>(n * n)};
    MomentsArgs<Storage> args;
    this->bind_source(args, values_.source());
    args.weight = {answer.weight.data(), {1}};
    args.means = {answer.means.data(), {columns_}};
    args.seconds = {answer.seconds.data(), {columns_, columns_}};
    moments_reference({this->items(), columns_, true}, args);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    double worst = error(weight_.values()[0], expected->weight[0], expected->weight[0]);
    const auto n = static_cast<std::size_t>(columns_);
    std::vector<double> deviation(n);
    for (std::size_t a = 0; a < n; ++a) {
      deviation[a] = std::sqrt(std::abs(expected->seconds[a * n + a]));
      worst = std::max(worst, error(means_.values()[a], expected->means[a],
                                    std::abs(expected->means[a]) + deviation[a]));
    }
    if (seconds_ != nullptr)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
          // Tolerates the effect that rounding a mean has on the deviations from it.
          const double rounding = 0x1p-52 * (std::abs(expected->means[a]) * deviation[b] +
                                             std::abs(expected->means[b]) * deviation[a]) +
                                  0x1p-104 * std::abs(expected->means[a] * expected->means[b]);
          const double found = seconds_->values()[a * n + b];
          const double known = expected->seconds[a * n + b];
          if (std::abs(found - known) > rounding)
            worst = std::max(worst, error(found, known, deviation[a] * deviation[b]));
          else if (!(found == found) && known == known)
            worst = INFINITY;
        }
    return Verdict::measured(worst, 1e-13, "weight, means and second moments against the oracle");
  }

  /// 0 if both are NaN.
  [[nodiscard]] static double error(double value, double expected, double magnitude) {
    if (std::isnan(value) && std::isnan(expected)) return 0;
    return summed_error(value, expected, magnitude);
  }

  using Base::columns_;
  using Base::values_;
  TrialArray<double>& weight_ = this->template plain_array<double>("weight");
  TrialArray<double>& means_ = this->template plain_array<double>("means");
  TrialArray<double>* seconds_ =
      this->data_.seconds ? &this->template plain_array<double>("seconds") : nullptr;
};

/// Trials of reduction/moments. Error: the largest of the difference of the weight over the weight;
/// of a mean over the sum of its magnitude and the standard deviation; and of a second moment over
/// the product of the standard deviations, unless one rounding of the means explains it.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Moments, MomentsTrial, Data>>(inputs(), from_source);
}

}  // namespace tessera::reduction::moments_trial
