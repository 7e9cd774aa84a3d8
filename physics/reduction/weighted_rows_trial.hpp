#ifndef TESSERA_PHYSICS_REDUCTION_WEIGHTED_ROWS_TRIAL_HPP
#define TESSERA_PHYSICS_REDUCTION_WEIGHTED_ROWS_TRIAL_HPP

#include "core/trials/trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

/// \file
/// Common parts of trials of operations over weighted rows: arrays of values, weights, their
/// classes and a mask.

namespace tessera::reduction {

enum class Weights { none, by_row, by_class };

/// Input numbers, from which the data of such a trial derive.
struct WeightedRows {
  int columns = 6;
  std::vector<double> values;  ///< rows x columns
  Weights weighted = Weights::none;
  std::vector<double> weights;
  std::vector<std::int32_t> weight_class;
  std::vector<std::uint8_t> mask;  ///< empty: all rows count

  [[nodiscard]] std::int64_t items() const {
    return static_cast<std::int64_t>(values.size()) / columns;
  }
};

template <class Operation, class P, class Data>
class WeightedRowsTrial : public DataTrial<Operation, P, Data> {
 public:
  using DataTrial<Operation, P, Data>::DataTrial;
  using Storage = typename P::Storage;
  /// Whether the values are integers, which have no weights.
  static constexpr bool integers = std::is_integral_v<Storage>;

 protected:
  /// Sets the arguments of an oracle. `values` are those of the trial or replace them; they must
  /// outlive the arguments.
  template <class Args, class Number>
  void bind_source(Args& args, const std::vector<Number>& values) const {
    const std::int64_t rows = this->items();
    args.values = {values.data(), {rows, columns_}};
    if (weights_ != nullptr)
      args.weights = {weights_->source().data(),
                      {static_cast<std::int64_t>(weights_->source().size())}};
    if (weight_class_ != nullptr) args.weight_class = {weight_class_->source().data(), {rows}};
    if (mask_ != nullptr) args.mask = {mask_->source().data(), {rows}};
  }

  /// Number of bytes of a row that an implementation must read.
  [[nodiscard]] double bytes_per_row() const {
    const double weight_bytes = weight_class_ != nullptr ? 4 : weights_ != nullptr ? 8 : 0;
    const double mask_bytes = mask_ != nullptr ? 1 : 0;
    return columns_ * static_cast<double>(sizeof(Storage)) + weight_bytes + mask_bytes;
  }

 private:
  /// For trials of integers, converts inputs of order one to integers of order 1000.
  static std::vector<double> numbers(std::vector<double> values) {
    if constexpr (integers)
      for (double& v : values)
        v = std::clamp(std::round(1000 * v), -1e9, 1e9);
    return values;
  }

  template <class T>
  TrialArray<T>* input_if(bool there, const char* name, const TrialShape& shape,
                          const std::vector<T>& of) {
    return there ? &this->template add<T>(name, TrialRole::input, shape, of) : nullptr;
  }
  [[nodiscard]] bool has(Weights kind) const { return !integers && this->data_.weighted == kind; }

 protected:
  int columns_ = this->data_.columns;
  TrialArray<Storage>& values_ = this->template add<Storage>(
      "values", TrialRole::input, TrialShape::items(this->items(), columns_),
      numbers(this->data_.values));

 private:
  const TrialShape by_row_ = TrialShape::items(this->items());
  TrialArray<std::int32_t>* weight_class_ =
      input_if(has(Weights::by_class), "weight_class", by_row_, this->data_.weight_class);
  TrialArray<double>* weights_ =
      input_if(has(Weights::by_class) || has(Weights::by_row), "weights",
               has(Weights::by_class)
                   ? TrialShape::plain(static_cast<std::int64_t>(this->data_.weights.size()))
                   : by_row_,
               this->data_.weights);
  TrialArray<std::uint8_t>* mask_ =
      input_if(!this->data_.mask.empty(), "mask", by_row_, this->data_.mask);
};

}  // namespace tessera::reduction

#endif  // TESSERA_PHYSICS_REDUCTION_WEIGHTED_ROWS_TRIAL_HPP
