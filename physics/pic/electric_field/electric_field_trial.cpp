#include "core/base/random.hpp"
#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/electric_field/electric_field_reference.hpp"
#include "physics/pic/trial_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace tessera::pic::electric_field_trial {

struct Data {
  Grid grid;
  bool x_fastest = false;
  std::vector<double> potential = {};
};

Data noise(std::int64_t nx, std::int64_t ny, std::int64_t nz, bool x, bool y, bool z,
           bool x_fastest = false) {
  Data data{{}, x_fastest};
  const std::int64_t nodes[3] = {nx, ny, nz};
  const bool periodic[3] = {x, y, z};
  const double spacing[3] = {0.5, 0.3, 2};
  for (int a = 0; a < 3; ++a) {
    data.grid.nodes[a] = nodes[a];
    data.grid.periodic[a] = periodic[a];
    data.grid.spacing[a] = spacing[a];
  }
  RandomSequence random(5);
  for (std::int64_t i = 0; i < nx * ny * nz; ++i)
    data.potential.push_back(2 * random.uniform() - 1);
  return data;
}

/// A grid for a beam, eight times as long as wide.
Data beam(std::int64_t nodes) {
  const auto [nx, ny, nz] = beam_nodes(nodes, 2);
  return noise(nx, ny, nz, false, false, false, true);
}

std::vector<TrialRow<Data>> rows() {
  using N = std::int64_t;
  return {
      {{"beam", {16, 1000, 100000}, {64 * 64 * 512, 128 * 128 * 1024}}, beam},
      {{"two nodes", {8}, {}, false}, [](N) { return noise(2, 2, 2, false, false, false); }},
      {{"three nodes", {27}, {}, false}, [](N) { return noise(3, 3, 3, false, false, false); }},
      {{"one node, periodic", {1}, {}, false}, [](N) { return noise(1, 1, 1, true, true, true); }},
      {{"two nodes, periodic", {12}, {}, false},
       [](N) { return noise(2, 3, 2, true, true, true); }},
      {{"open", {7 * 5 * 33}, {}, false}, [](N) { return noise(7, 5, 33, false, false, false); }},
      {{"periodic z", {7 * 5 * 33}, {}, false},
       [](N) { return noise(7, 5, 33, false, false, true); }},
      {{"periodic x, by columns", {7 * 5 * 33}, {}, false},
       [](N) { return noise(7, 5, 33, true, false, false, true); }},
      {{"periodic", {7 * 5 * 33}, {}, false}, [](N) { return noise(7, 5, 33, true, true, true); }},
  };
}

/// The grid of a run, with a random potential.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr || !bunch->has_grid()) return std::nullopt;
  const auto [nx, ny, nz] = bunch->grid.nodes;
  const auto [x, y, z] = bunch->grid.periodic;
  Data data = noise(nx, ny, nz, x, y, z, true);
  std::copy_n(bunch->grid.spacing, 3, data.grid.spacing);
  return data;
}

template <class P>
class ElectricFieldTrial final : public Trial<ElectricField, P> {
 public:
  using Storage = typename P::Storage;

  ElectricFieldTrial(const Context& context, const Data& data)
      : Trial<ElectricField, P>(context, static_cast<std::int64_t>(data.potential.size())),
        data_(data),
        potential_(
            this->template add<Storage>("potential", TrialRole::input, shape(), data.potential)) {
    for (const char* const name : {"field along x", "field along y", "field along z"})
      field_.push_back(&this->template add_output<Storage>(name, shape()));
  }

  [[nodiscard]] ElectricFieldProblem problem() override { return electric_field_problem(args()); }
  [[nodiscard]] ElectricFieldArgs<Storage> args() override {
    return {potential_.template view<3>(),
            data_.grid,
            {field_[0]->template view<3>(), field_[1]->template view<3>(),
             field_[2]->template view<3>()}};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    constexpr double flops = 6;
    return {"nodes", n, n * 4 * sizeof(Storage), n * flops};
  }

 private:
  [[nodiscard]] TrialShape shape() const { return node_shape(data_.grid.nodes, data_.x_fastest); }

  struct Answer {
    std::vector<double> field[3];
  };

  [[nodiscard]] Answer oracle() const {
    Answer answer;
    const std::vector<double> potential(potential_.source().begin(), potential_.source().end());
    const std::int64_t* const n = data_.grid.nodes;
    ElectricFieldArgs<double> args{{potential.data(), {n[0], n[1], n[2]}}, data_.grid, {}};
    for (int a = 0; a < 3; ++a) {
      answer.field[a].resize(potential.size());
      args.field[a] = {answer.field[a].data(), {n[0], n[1], n[2]}};
    }
    electric_field_reference<double>({}, args);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    double error = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < expected->field[a].size(); ++i)
        // Errors are relative to potential over spacing; potentials are of order 1.
        error = std::fmax(error, summed_error(static_cast<double>(field_[a]->values()[i]),
                                              expected->field[a][i], 1 / data_.grid.spacing[a]));
    return Verdict::measured(error, sizeof(Storage) == 8 ? 2e-15 : 1e-6, "field");
  }

  Data data_;
  TrialArray<Storage>& potential_;
  std::vector<TrialArray<Storage>*> field_;
};

/// Trials of pic/electric_field. Error: the largest difference of the field over the magnitude of
/// the potential divided by the spacing.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<ElectricField, ElectricFieldTrial, Data>>(rows(),
                                                                                from_source);
}

}  // namespace tessera::pic::electric_field_trial
