#include "core/trials/typed_trials.hpp"
#include "physics/reduction/extrema/extrema_reference.hpp"

namespace tessera::reduction::extrema_trial {

struct Data {
  std::int64_t columns = 6;
  std::vector<double> values;
  std::vector<std::uint8_t> mask = {};
  NotANumber not_a_number = NotANumber::pass_over;

  [[nodiscard]] std::int64_t items() const {
    return static_cast<std::int64_t>(values.size()) / columns;
  }
};

/// Integers around zero with `different` distinct values; every `missing`-th value is NaN.
Data make_data(std::int64_t rows, std::int64_t columns, int different, std::int64_t missing = 0) {
  Data data{columns, {}};
  RandomSequence random(20261121);
  for (std::int64_t i = 0; i < rows * columns; ++i)
    data.values.push_back(missing > 0 && i % missing == 0
                              ? std::numeric_limits<double>::quiet_NaN()
                              : static_cast<double>(random.below(different) - different / 2));
  return data;
}

/// Masks about every third row, among them rows with extreme values.
Data masked(Data data) {
  RandomSequence random(20261123);
  const std::int64_t rows = data.items();
  for (std::int64_t i = 0; i < rows; ++i) {
    data.mask.push_back(random.below(3) == 0 ? 0
                                             : static_cast<std::uint8_t>(1 + random.below(255)));
    if (data.mask.back() == 0)
      data.values[static_cast<std::size_t>(i * data.columns)] = i % 2 == 0 ? 1e6 : -1e6;
  }
  return data;
}

Data with_nan(Data data) {
  data.not_a_number = NotANumber::propagate;
  return data;
}

std::vector<TrialRow<Data>> inputs() {
  return {
      {{"columns", {0, 1, 2, 33, 300007}, {32000, 1000000, 21000000}},
       [](std::int64_t n) { return make_data(n, 6, 1 << 20); }},
      {{"equal values", {31, 4099}}, [](std::int64_t n) { return make_data(n, 4, 5); }},
      {{"one column", {1000}}, [](std::int64_t n) { return make_data(n, 1, 1 << 20); }},
      {{"missing numbers", {1, 1000}}, [](std::int64_t n) { return make_data(n, 3, 9, 2); }},
      {{"masked", {1, 33, 4099}}, [](std::int64_t n) { return masked(make_data(n, 6, 1 << 20)); }},
      {{"NaN handed on", {1, 33, 4099}},
       [](std::int64_t n) { return with_nan(masked(make_data(n, 5, 99, 1001))); }}};
}

/// Coordinates of the particles of a run, whose range is computed.
std::optional<Data> from_source(const TrialSource& source) {
  const TrialSource::Column* const positions = source.column("positions");
  if (positions == nullptr) return std::nullopt;
  return Data{positions->width, positions->values};
}

template <class P>
class ExtremaTrial final : public DataTrial<Extrema, P, Data> {
 public:
  using DataTrial<Extrema, P, Data>::DataTrial;
  using Storage = typename P::Storage;

  [[nodiscard]] ExtremaProblem problem() override {
    return extrema_problem(args(), this->data_.not_a_number);
  }

  [[nodiscard]] ExtremaArgs<Storage> args() override {
    ExtremaArgs<Storage> args;
    args.values = values_.template view<2>();
    if (mask_ != nullptr) args.mask = mask_->template view<1>();
    args.extremes = {extremes_.template view<1>().data, {columns_, 2}};
    if (rows_.given()) args.rows = {rows_.template view<1>().data, {columns_, 2}};
    return args;
  }

  [[nodiscard]] int ways() const override { return 2; }
  void choose(int way) override { rows_.give(way == 0); }

  [[nodiscard]] Counts counts() const override {
    const auto elements = static_cast<double>(this->items() * columns_);
    return {"rows", static_cast<double>(this->items()), elements * sizeof(Storage), 2 * elements};
  }

 private:
  /// Values for trials of integers, which have no NaN.
  static std::vector<double> numbers(std::vector<double> values) {
    if constexpr (std::is_integral_v<Storage>)
      for (double& v : values)
        if (v != v) v = 0;
    return values;
  }

  /// Results are row indices, which depend on the order that the trial gives the rows, so that the
  /// oracle reads the values in that order.
  [[nodiscard]] Verdict compare() override {
    std::vector<Storage> placed;
    for (std::int64_t p = 0; p < this->items(); ++p)
      for (std::int64_t c = 0; c < columns_; ++c)
        placed.push_back(
            values_.source()[static_cast<std::size_t>(this->item_at(p) * columns_ + c)]);
    std::vector<Storage> extremes(static_cast<std::size_t>(2 * columns_));
    std::vector<std::int64_t> rows(extremes.size());
    std::vector<std::uint8_t> mask;
    if (mask_ != nullptr)
      for (std::int64_t p = 0; p < this->items(); ++p)
        mask.push_back(mask_->source()[static_cast<std::size_t>(this->item_at(p))]);
    ExtremaArgs<Storage> args;
    args.values = {placed.data(), {this->items(), columns_}};
    if (mask_ != nullptr) args.mask = {mask.data(), {this->items()}};
    args.extremes = {extremes.data(), {columns_, 2}};
    args.rows = {rows.data(), {columns_, 2}};
    extrema_reference(extrema_problem(args, this->data_.not_a_number), args);
    for (std::size_t e = 0; e < extremes.size(); ++e) {
      const Storage value = extremes_.values()[e];
      const std::int64_t row = rows_.given() ? rows_.values()[e] : rows[e];
      const bool both_nan = !(value <= value) && !(extremes[e] <= extremes[e]);
      if ((both_nan || value == extremes[e]) && row == rows[e]) continue;
      return Verdict::failure((e % 2 == 0 ? "smallest" : "largest") + std::string(" of column ") +
                              std::to_string(e / 2) + " is " + std::to_string(value) + " in row " +
                              std::to_string(row) + ", the oracle has " +
                              std::to_string(extremes[e]) + " in row " + std::to_string(rows[e]));
    }
    return Verdict::measured(0, 0, "values and rows against the oracle");
  }

  std::int64_t columns_ = this->data_.columns;
  TrialArray<Storage>& values_ = this->template add<Storage>(
      "values", TrialRole::input, TrialShape::items(this->items(), columns_),
      numbers(this->data_.values));
  TrialArray<std::uint8_t>* mask_ =
      this->data_.mask.empty()
          ? nullptr
          : &this->template add<std::uint8_t>("mask", TrialRole::input,
                                              TrialShape::items(this->items()), this->data_.mask);
  TrialArray<Storage>& extremes_ =
      this->template add_output<Storage>("extremes", TrialShape::plain(2 * columns_));
  TrialArray<std::int64_t>& rows_ =
      this->template add_output<std::int64_t>("rows", TrialShape::plain(2 * columns_));
};

/// Trials of reduction/extrema. Error: 0 if every value and row equals the oracle's.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Extrema, ExtremaTrial, Data>>(inputs(), from_source);
}

}  // namespace tessera::reduction::extrema_trial
