#ifndef TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_TRIAL_FIELD_HPP
#define TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_TRIAL_FIELD_HPP

#include "core/base/random.hpp"
#include "core/trials/trial_array.hpp"
#include "physics/pic/charge_deposit/charge_deposit_inputs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// Field of random noise for trials of operations that kick particles, in the layout of the input.

namespace tessera::pic {

[[nodiscard]] inline std::vector<double> noise(std::int64_t count, unsigned seed) {
  RandomSequence random(seed);
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(2 * random.uniform() - 1);
  return values;
}

template <class Storage>
class TrialField {
 public:
  /// Values of the field in double, in the same layout as the arrays of the trial.
  struct InDouble {
    std::vector<std::vector<double>> numbers;
    std::array<View<const double, 3>, 3> component;
  };

  /// \param add add(name, shape, values) declares an array of the trial.
  template <class Add>
  TrialField(const DepositInput& input, const Add& add)
      : by_node_(input.field_layout == FieldLayout::by_node),
        nodes_{input.grid.nodes[0], input.grid.nodes[1], input.grid.nodes[2]} {
    if (by_node_) {
      std::vector<double> numbers = noise(numbers_of_node * nodes(), 0);
      // NaN in the unused fourth number of a node exposes any read of it.
      for (std::size_t k = numbers_of_node - 1; k < numbers.size(); k += numbers_of_node)
        numbers[k] = std::numeric_limits<double>::quiet_NaN();
      arrays_.push_back(&add("field", TrialShape::plain(numbers_of_node * nodes()), numbers));
      return;
    }
    constexpr const char* names[] = {"field along x", "field along y", "field along z"};
    for (unsigned a = 0; a < 3; ++a)
      arrays_.push_back(&add(names[a], density_shape(input), noise(nodes(), a)));
  }

  [[nodiscard]] std::int64_t nodes() const { return nodes_[0] * nodes_[1] * nodes_[2]; }

  [[nodiscard]] View<const Storage, 3> component(int a) const {
    if (by_node_) return component_by_node<const Storage>(arrays_[0]->template view<1>().data, a);
    return arrays_[static_cast<std::size_t>(a)]->template view<3>();
  }

  [[nodiscard]] InDouble in_double() const {
    InDouble field;
    for (const TrialArray<Storage>* array : arrays_)
      field.numbers.emplace_back(array->source().begin(), array->source().end());
    for (std::size_t a = 0; a < 3; ++a)
      field.component[a] =
          by_node_
              ? component_by_node<const double>(field.numbers[0].data(), static_cast<int>(a))
              : View<const double, 3>{field.numbers[a].data(), {nodes_[0], nodes_[1], nodes_[2]}};
    return field;
  }

 private:
  /// The layout of SpaceChargeKick.
  static constexpr std::int64_t numbers_of_node = 4;

  template <class T>
  [[nodiscard]] View<T, 3> component_by_node(T* numbers, int a) const {
    return {
        numbers + a,
        {nodes_[0], nodes_[1], nodes_[2]},
        {numbers_of_node, numbers_of_node * nodes_[0], numbers_of_node * nodes_[0] * nodes_[1]}};
  }

  bool by_node_;
  std::int64_t nodes_[3];
  std::vector<TrialArray<Storage>*> arrays_;  ///< one array, or one for each component
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_CHARGE_DEPOSIT_TRIAL_FIELD_HPP
