#include "core/trials/typed_trials.hpp"
#include "physics/reduction/extrema/extrema_reference.hpp"

namespace tessera::reduction::extrema_trial {

struct Data {
  std::int64_t columns = 6;
  bool by_column = false;
  std::vector<double> values;
  std::vector<std::uint8_t> mask = {};
  NotANumber not_a_number = NotANumber::pass_over;

  [[nodiscard]] std::int64_t items() const {
    return static_cast<std::int64_t>(values.size()) / columns;
  }
};

/// Integers around zero with `different` distinct values; every `missing`-th value is NaN.
Data make_data(std::int64_t rows, std::int64_t columns, int different, std::int64_t missing = 0,
               bool by_column = false) {
  Data data{columns, by_column, {}};
  RandomSequence random(20261121);
  for (std::int64_t i = 0; i < rows * columns; ++i)
    data.values.push_back(missing > 0 && i % missing == 0
                              ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(random.below(different) - different / 2));
  return data;
}

/// Masks about every third row, among them rows with extreme values.
Data masked(Data data, NotANumber not_a_number = NotANumber::pass_over) {
  RandomSequence random(20261123);
  for (std::int64_t i = 0; i < data.items(); ++i) {
    data.mask.push_back(static_cast<std::uint8_t>(random.below(3) * random.below(255)));
    if (data.mask.back() == 0)
      data.values[static_cast<std::size_t>(i * data.columns)] = i % 2 == 0 ? 1e6 : -1e6;
  }
  data.not_a_number = not_a_number;
  return data;
}

std::vector<TrialRow<Data>> inputs() {
  using N = std::int64_t;
  return {{{"columns", {0, 1, 2, 33, 300007}, {32000, 1000000, 21000000}},
           [](N n) { return make_data(n, 6, 1 << 20); }},
          {{"equal values", {31, 4099}}, [](N n) { return make_data(n, 4, 5); }},
          {{"by column", {33, 1000}}, [](N n) { return make_data(n, 9, 1 << 20, 0, true); }},
          {{"one column", {1000}}, [](N n) { return make_data(n, 1, 1 << 20); }},
          {{"missing numbers", {1, 1000}}, [](N n) { return make_data(n, 3, 9, 2); }},
          {{"masked", {1, 33, 4099}}, [](N n) { return masked(make_data(n, 6, 1 << 20)); }},
          {{"NaN handed on", {1, 33, 4099}},
           [](N n) { return masked(make_data(n, 5, 99, 1001), NotANumber::propagate); }}};
}

/// Coordinates of the particles of a run, whose range is computed.
std::optional<Data> from_source(const TrialSource& source) {
  const TrialSource::Column* const positions = source.column("positions");
  if (positions == nullptr) return std::nullopt;
  return Data{positions->width, false, positions->values};
}

template <class P>
class ExtremaTrial final : public DataTrial<Extrema, P, Data> {
 public:
  using DataTrial<Extrema, P, Data>::DataTrial;
  using Storage = typename P::Storage;

  [[nodiscard]] ExtremaProblem problem() override {
    return {this->items(), this->data_.columns, this->data_.not_a_number};
  }
  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { rows_.give(way == 0); }
  [[nodiscard]] Counts counts() const override {
    const auto elements = static_cast<double>(this->items() * this->data_.columns);
    return {"rows", static_cast<double>(this->items()), elements * sizeof(Storage), 2 * elements};
  }

 private:
  /// Values for trials of integers, which have no NaN.
  static std::vector<double> numbers(std::vector<double> values) {
    if constexpr (std::is_integral_v<Storage>)
      std::replace_if(
          values.begin(), values.end(), [](double v) { return v != v; }, 0);
    return values;
  }

  [[nodiscard]] Verdict compare() override {
    return this->compare_exactly(extrema_reference<Storage>);
  }

  TrialArray<Storage>& values_ = this->template array<Storage>(
      "values", numbers(this->data_.values),
      TrialShape::matrix(this->items(), this->data_.columns, this->data_.by_column));
  TrialArray<std::uint8_t>& mask_ = this->template array<std::uint8_t>("mask", this->data_.mask);
  TrialArray<Storage>& extremes_ = this->template plain_array<Storage>("extremes");
  TrialArray<std::int64_t>& rows_ = this->template plain_array<std::int64_t>("rows");
};

/// Trials of reduction/extrema. Error: 0 if every value and row equals the oracle's.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Extrema, ExtremaTrial, Data>>(inputs(), from_source);
}

}  // namespace tessera::reduction::extrema_trial
