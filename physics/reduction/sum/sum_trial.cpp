#include <algorithm>
#include <cmath>
#include <tessera/core/operations/comparison.hpp>
#include <tessera/core/operations/typed_trials.hpp>
#include <tessera/reduction/sum/sum.hpp>
#include <tessera/reduction/sum/sum_reference.hpp>

namespace tessera::reduction::sum_trial {

enum class Weights { none, by_row, by_class };

struct Data {
  std::int64_t rows = 0;
  int columns = 6;
  std::vector<double> values;
  Weights weighted = Weights::none;
  std::vector<double> weights;
  std::vector<std::int32_t> weight_class;
  SumTerms terms;
};

/// Every first and second moment of the columns.
SumTerms moments(int columns) {
  SumTerms terms;
  for (int a = 0; a < columns; ++a)
    terms.term[terms.count++] = {static_cast<std::int16_t>(a), -1};
  for (int a = 0; a < columns; ++a)
    for (int b = a; b < columns; ++b)
      terms.term[terms.count++] = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
  return terms;
}

/// Six columns around a mean; `alternating` means that large values of either sign cancel.
Data make_data(std::int64_t rows, Weights weights, SumTerms terms, bool alternating = false) {
  Data data;
  data.weighted = weights;
  data.rows = rows;
  data.terms = terms;
  RandomSequence random(20260711 + static_cast<unsigned>(rows));
  const auto uniform = [&] { return random.uniform(-0.5, 0.5); };
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

std::vector<TrialRow<Data>> rows() {
  return {
      {{"moments", {0, 1, 31, 33, 300007}, {32000, 1000000, 21000000}},
       [](std::int64_t n) { return make_data(n, Weights::by_class, moments(6)); }},
      {{"weighted by row", {1, 4099}},
       [](std::int64_t n) { return make_data(n, Weights::by_row, moments(6)); }},
      {{"without weights", {2, 1000}},
       [](std::int64_t n) { return make_data(n, Weights::none, three_columns()); }},
      {{"cancelling", {100003}},
       [](std::int64_t n) { return make_data(n, Weights::none, three_columns(), true); }},
  };
}

/// What a diagnostic of a run asks for: momentum and twice the kinetic tensor.
std::optional<Data> from_source(const TrialSource& source) {
  const TrialSource::Column* const velocities = source.column("velocities");
  const TrialSource::Column* const mass = source.column("mass");
  if (velocities == nullptr || mass == nullptr) return std::nullopt;
  Data data;
  data.rows = source.items;
  data.columns = velocities->width;
  data.values = velocities->values;
  data.weighted = Weights::by_row;
  data.weights = mass->values;
  data.terms = moments(data.columns);
  return data;
}

template <class P>
class SumTrial final : public Trial<Sum, P> {
 public:
  using Storage = typename P::Storage;

  SumTrial(const Context& context, const Data& data)
      : Trial<Sum, P>(context, data.rows),
        columns_(data.columns),
        terms_(data.terms),
        values_(this->template add<Storage>("values", TrialRole::input,
                                            TrialShape::items(data.rows, columns_), data.values)),
        result_(this->template add_output<double>("result", TrialShape::plain(terms_.count))) {
    const bool by_class = data.weighted == Weights::by_class;
    if (by_class)
      weight_class_ = &this->template add<std::int32_t>(
          "weight_class", TrialRole::input, TrialShape::items(data.rows), data.weight_class);
    if (data.weighted != Weights::none)
      weights_ = &this->template add<double>(
          "weights", TrialRole::input,
          by_class ? TrialShape::plain(static_cast<std::int64_t>(data.weights.size()))
                   : TrialShape::items(data.rows),
          data.weights);
  }

  [[nodiscard]] SumProblem problem() override { return sum_problem(args()); }

  [[nodiscard]] SumArgs<Storage> args() override {
    SumArgs<Storage> args;
    args.values = values_.template view<2>();
    if (weights_ != nullptr) args.weights = weights_->template view<1>();
    if (weight_class_ != nullptr) args.weight_class = weight_class_->template view<1>();
    args.terms = terms_;
    args.result = result_.template view<1>();
    return args;
  }

  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const double weight_bytes = weight_class_ != nullptr ? 4 : weights_ != nullptr ? 8 : 0;
    return {"rows", n, n * (columns_ * static_cast<double>(sizeof(Storage)) + weight_bytes),
            n * 2 * terms_.count};
  }

 private:
  struct Answer {
    std::vector<double> sums, magnitudes;
  };

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] {
      std::vector<Storage> values = values_.source();
      Answer answer;
      answer.sums = oracle(values);
      for (Storage& v : values)
        v = std::abs(v);
      answer.magnitudes = oracle(values);
      return answer;
    });
    return Verdict::measured(
        summed_error<double>(result_.values(), expected->sums, expected->magnitudes), 1e-13,
        "sums against the oracle");
  }

  [[nodiscard]] std::vector<double> oracle(const std::vector<Storage>& values) const {
    std::vector<double> sums(static_cast<std::size_t>(terms_.count));
    SumArgs<Storage> args;
    args.values = {values.data(), {this->items(), columns_}};
    if (weights_ != nullptr)
      args.weights = {weights_->source().data(),
                      {static_cast<std::int64_t>(weights_->source().size())}};
    if (weight_class_ != nullptr)
      args.weight_class = {weight_class_->source().data(), {this->items()}};
    args.terms = terms_;
    args.result = {sums.data(), {terms_.count}};
    sum_reference({this->items(), columns_, terms_.count}, args);
    return sums;
  }

  int columns_;
  SumTerms terms_;
  TrialArray<Storage>& values_;
  TrialArray<double>& result_;
  TrialArray<double>* weights_ = nullptr;
  TrialArray<std::int32_t>* weight_class_ = nullptr;
};

/// Trials of reduction/sum. Error: largest difference of a sum over the summed magnitudes of its
/// terms.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Sum, SumTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::reduction::sum_trial
