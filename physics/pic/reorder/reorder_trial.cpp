#include "core/base/random.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/pic/bunch_source.hpp"
#include "physics/pic/reorder/reorder.hpp"
#include "physics/pic/reorder/reorder_reference.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tessera::pic::reorder_trial {

struct Data {
  Grid grid;
  bool by_column = false;
  std::vector<double> coordinates = {};
  std::vector<std::uint8_t> alive = {};
  std::vector<double> weights = {};
  std::vector<std::int64_t> ids = {};
};

/// \param reach extent of the particles in half widths of the grid: with more than 1 some are
/// outside.
Data random(std::int64_t n, const std::int64_t (&nodes)[3], double reach) {
  Data data;
  for (int a = 0; a < 3; ++a) {
    data.grid.nodes[a] = nodes[a];
    data.grid.spacing[a] = 0.25 * (a + 1);
    data.grid.lower[a] = -0.5 * static_cast<double>(nodes[a]) * data.grid.spacing[a];
  }
  RandomSequence numbers(3);
  for (std::int64_t p = 0; p < n; ++p) {
    for (int c = 0; c < 6; ++c) {
      const double x = 2 * numbers.uniform() - 1;
      data.coordinates.push_back(c % 2 == 0 ? -x * reach * data.grid.lower[c / 2] : x);
    }
    data.alive.push_back(numbers.uniform() < 0.8 ? 1 : 0);
    data.weights.push_back(numbers.uniform());
    data.ids.push_back(1000 + p);
  }
  return data;
}

Data few_nodes(std::int64_t n) {
  return random(n, {6, 5, 9}, 0.8);
}
Data periodic(std::int64_t n) {
  Data data = random(n, {4, 1, 7}, 3);
  std::fill_n(data.grid.periodic, 3, true);
  return data;
}
Data not_finite(std::int64_t n) {
  Data data = random(n, {6, 5, 9}, 1.2);
  constexpr double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
  for (std::size_t p = 0; p < static_cast<std::size_t>(n); p += 7)
    data.coordinates[6 * p + 2 * (p % 3)] = bad[p % 4];
  return data;
}
Data in_one_cell(std::int64_t n) {
  return random(n, {6, 5, 9}, 1e-3);
}
/// Positions at multiples of half a spacing, every second one of which is a node.
Data on_nodes(std::int64_t n) {
  Data data = random(n, {6, 4, 8}, 1);
  RandomSequence numbers(8);
  for (std::size_t p = 0; p < static_cast<std::size_t>(n); ++p)
    for (std::size_t a = 0; a < 3; ++a) {
      const double steps =
          std::floor(2 * static_cast<double>(data.grid.nodes[a] + 1) * numbers.uniform());
      data.coordinates[6 * p + 2 * a] =
          data.grid.lower[a] + 0.5 * (steps - 1) * data.grid.spacing[a];
    }
  return data;
}
Data by_column(std::int64_t n) {
  Data data = few_nodes(n);
  data.by_column = true;
  return data;
}
Data beam(std::int64_t n) {
  Data data = random(n, {64, 64, 512}, 0.95);
  data.by_column = true;
  return data;
}

/// Bunch of a run.
std::optional<Data> from_source(const TrialSource& source) {
  const auto* const bunch = dynamic_cast<const BunchSource*>(&source);
  if (bunch == nullptr || !bunch->has_grid()) return std::nullopt;
  Data data{bunch->grid, true, bunch->in_beam(), bunch->alive};
  data.weights.assign(bunch->alive.size(), 1);
  for (std::size_t p = 0; p < bunch->alive.size(); ++p)
    data.ids.push_back(static_cast<std::int64_t>(p));
  return data;
}

std::vector<TrialRow<Data>> rows() {
  const std::string companion = "by columns";
  return {{{"few nodes", {0, 1, 31, 33, 1000}}, few_nodes},
          {{"periodic", {500}}, periodic},
          {{"outside and not finite", {1000}}, not_finite},
          {{"in one cell", {1000}}, in_one_cell},
          {{"on nodes, faces and edges", {3000}}, on_nodes},
          {{"by columns", {1003}}, by_column},
          {{"beam", {20011}, {1000000, 21000000}, true, companion}, beam}};
}

template <class P>
class ReorderTrial final : public Trial<Reorder, P> {
 public:
  using Storage = typename P::Storage;

  ReorderTrial(const Context& context, const Data& data)
      : Trial<Reorder, P>(context, static_cast<std::int64_t>(data.alive.size())),
        data_(data),
        coordinates_(this->template add<Storage>("coordinates", TrialRole::updated, shape(),
                                                 data.coordinates)),
        alive_(this->template add<std::uint8_t>("alive", TrialRole::updated, row(), data.alive)),
        weights_(this->template add<Storage>("weights", TrialRole::updated, row(), data.weights)),
        ids_(this->template add<std::int64_t>("ids", TrialRole::updated, row(), data.ids)),
        counts_(this->template add_output<std::int64_t>("counts", TrialShape::plain(2))) {
    choose(0);
  }

  [[nodiscard]] ReorderProblem problem() override { return reorder_problem(args()); }
  [[nodiscard]] ReorderArgs<Storage> args() override {
    return {coordinates_.template view<2>(),
            alive_.template view<1>(),
            weights_.template view<1>(),
            ids_.template view<1>(),
            data_.grid,
            counts_.template view<1>()};
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    return {"particles", n, n * 2 * (6 * sizeof(Storage) + 1), 0};
  }

  /// Ways: with the flags of lost particles only, with all arrays, and with coordinates only.
  [[nodiscard]] int ways() const override { return 3; }
  void choose(int way) override {
    alive_.give(way < 2);
    weights_.give(way == 1);
    ids_.give(way == 1);
  }

 private:
  /// The shape of arrays whose items the trial does not permute, because the sort acts on their
  /// order.
  [[nodiscard]] TrialShape shape() const {
    const std::int64_t n = this->items();
    if (data_.by_column) return {{n, 6, 1}, {1, n + 3, 1}, false};
    return {{n, 6, 1}, {6, 1, 1}, false};
  }
  [[nodiscard]] TrialShape row() const { return TrialShape::plain(this->items()); }

  struct Answer {
    std::vector<std::int64_t> order;
    std::int64_t counts[2] = {0, 0};
  };

  [[nodiscard]] Answer oracle() const {
    Answer answer;
    std::vector<Storage> coordinates(coordinates_.source().begin(), coordinates_.source().end());
    std::vector<std::uint8_t> alive = data_.alive;
    const std::int64_t n = this->items();
    ReorderArgs<Storage> args{{coordinates.data(), {n, 6}}, {}, {}, {}, data_.grid, {}};
    if (alive_.given()) args.alive = {alive.data(), {n}};
    answer.order = order_reference(args, answer.counts);
    return answer;
  }

  template <class T>
  void compare(const char* name, const TrialArray<T>& array, const std::vector<std::int64_t>& order,
               std::size_t width, std::string& wrong) const {
    if (!array.given() || !wrong.empty()) return;
    const std::vector<T>& found = array.values();
    const std::vector<T>& before = array.source();
    for (std::size_t p = 0; p < order.size(); ++p)
      for (std::size_t c = 0; c < width; ++c) {
        const T expected = before[static_cast<std::size_t>(order[p]) * width + c];
        const T value = found[p * width + c];
        if (value != expected && !(value != value && expected != expected)) {
          wrong = std::string(name) + " of place " + std::to_string(p) +
                  ": not those of particle " + std::to_string(order[p]);
          return;
        }
      }
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>(alive_.given() ? "some are lost" : "all",
                                                        [&] { return oracle(); });
    for (std::size_t k = 0; k < 2; ++k)
      if (counts_.values()[k] != expected->counts[k])
        return Verdict::failure("count " + std::to_string(k) + " is " +
                                std::to_string(counts_.values()[k]) + ", expected " +
                                std::to_string(expected->counts[k]));
    std::string wrong;
    compare("coordinates", coordinates_, expected->order, 6, wrong);
    compare("alive", alive_, expected->order, 1, wrong);
    compare("weights", weights_, expected->order, 1, wrong);
    compare("ids", ids_, expected->order, 1, wrong);
    if (!wrong.empty()) return Verdict::failure(wrong);
    return Verdict::measured(0, 0, "arrays");
  }

  Data data_;
  TrialArray<Storage>& coordinates_;
  TrialArray<std::uint8_t>& alive_;
  TrialArray<Storage>& weights_;
  TrialArray<std::int64_t>& ids_;
  TrialArray<std::int64_t>& counts_;
};

/// Trials of pic/reorder. The sort moves values without arithmetic, so that arrays are either right
/// or wrong.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<Reorder, ReorderTrial, Data>>(rows(), from_source);
}

}  // namespace tessera::pic::reorder_trial
