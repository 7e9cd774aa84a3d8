#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/md/listed_force/listed_force.hpp"
#include "physics/md/listed_force/listed_force_cases.hpp"
#include "physics/md/listed_force/listed_force_reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tessera::md::listed_force_trial {

template <class P>
class ListedForceTrial final : public Trial<ListedForce, P> {
 public:
  using Storage = typename P::Storage;

  ListedForceTrial(const Context& context, const Data& data)
      : Trial<ListedForce, P>(context, data.atoms()),
        data_(data),
        lists_(lists_of(data.terms)),
        positions_(
            this->template add<Storage>("positions", TrialRole::input, shape(3), data.positions)),
        offsets_(this->template add<std::int32_t>("offsets", TrialRole::input,
                                                  plain(lists_.offsets), lists_.offsets)),
        kinds_(this->template add<std::int32_t>("kinds", TrialRole::input, plain(lists_.kinds),
                                                lists_.kinds)),
        places_(this->template add<std::int32_t>("places", TrialRole::input, plain(lists_.places),
                                                 lists_.places)),
        partners_(this->template add<std::int32_t>("partners", TrialRole::input,
                                                   plain(lists_.partners), lists_.partners)),
        forces_(data.write == Write::add
                    ? this->template add<Storage>("forces", TrialRole::updated, target_shape(3),
                                                  data.forces)
                    : this->template add_output<Storage>("forces", target_shape(3))),
        energy_(this->template add_output<double>("energy", by_class(1))),
        virial_(this->template add_output<double>("virial", by_class(6))),
        energies_(this->template add_output<double>("energies", by_atom_shape(1))),
        virials_(this->template add_output<double>("virials", by_atom_shape(6))) {
    choose(0);
  }

  [[nodiscard]] ListedForceProblem problem() override {
    return {this->items(), std::ssize(lists_.kinds), data_.classes, data_.determinism,
            data_.by_atom};
  }
  [[nodiscard]] ListedForceArgs<Storage> args() override {
    return common_args(this->arguments(this->problem()));
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto terms = static_cast<double>(data_.terms.size());
    const auto entries = static_cast<double>(lists_.kinds.size());
    return {"terms", terms, n * (6 * sizeof(Storage) + 4) + 20 * entries, 60 * entries};
  }

  /// Outputs: 0 the forces alone, as in a usual step; 1 with energy and virial and, by atom, both;
  /// 2 energies and 3 virials of single atoms.
  [[nodiscard]] int ways() const override { return data_.by_atom ? 4 : 2; }
  void choose(int way) override {
    energies_.give(data_.by_atom && (way == 1 || way == 2));
    virials_.give(data_.by_atom && (way == 1 || way == 3));
    energy_.give(way == 1);
    virial_.give(way == 1);
  }

 private:
  struct Answer {
    std::vector<double> forces;
    std::vector<double> energy, virial;     ///< by class
    std::vector<double> energies, virials;  ///< of single atoms
    ListedMagnitudes magnitudes;
  };

  [[nodiscard]] TrialShape shape(std::int64_t columns) const {
    return TrialShape::items(this->items(), columns);
  }
  [[nodiscard]] std::int64_t targets() const override { return data_.targets(); }
  [[nodiscard]] TrialShape target_shape(std::int64_t columns) const {
    return TrialShape::items(data_.targets(), columns);
  }
  [[nodiscard]] TrialShape by_atom_shape(std::int64_t columns) const {
    return TrialShape::items(data_.by_atom ? data_.targets() : 0, columns);
  }
  [[nodiscard]] static TrialShape plain(const std::vector<std::int32_t>& values) {
    return TrialShape::plain(std::ssize(values));
  }

  [[nodiscard]] std::int64_t classes() const {
    return ListedForceProblem{.classes = data_.classes}.present();
  }
  [[nodiscard]] TrialShape by_class(std::int64_t columns) const {
    return {{classes(), columns, 1}, {columns, 1, 1}, false};
  }
  /// The entries of all targets.
  [[nodiscard]] ListedLists lists_of(std::span<const ListedTerm> terms) const {
    ListedLists lists = listed_by_atom(this->items(), terms);
    const auto targets = static_cast<std::size_t>(data_.targets());
    const auto entries = static_cast<std::size_t>(lists.offsets[targets]);
    std::fill(lists.offsets.begin() + data_.targets(), lists.offsets.end(), lists.offsets[targets]);
    lists.kinds.resize(entries);
    lists.places.resize(entries);
    lists.partners.resize(most_partners * entries);
    return lists;
  }

  /// Renumbers the terms, which name atoms by row, after the atoms were reordered.
  void reordered() override {
    const std::vector<std::int32_t> place = this->positions_of_items();
    std::vector<ListedTerm> terms = data_.terms;
    for (ListedTerm& term : terms)
      term.renumber(place);
    ListedLists lists = lists_of(terms);
    offsets_.move(std::move(lists.offsets));
    if (terms.empty()) return;
    kinds_.move(std::move(lists.kinds));
    places_.move(std::move(lists.places));
    partners_.move(std::move(lists.partners));
  }

  template <class T>
  [[nodiscard]] ListedForceArgs<T> common_args(ListedForceArgs<T> args = {}) const {
    args.write = data_.write;
    args.box = data_.box;
    for (std::size_t c = 0; c < listed_classes; ++c)
      if (const std::int64_t types = data_.classes[c].types; types > 0)
        args.coefficients[c] = {data_.coefficients[c].data(),
                                {types, std::ssize(data_.coefficients[c]) / types}};
    if (data_.ghosts > 0) args.owned = data_.targets();
    return args;
  }

  [[nodiscard]] Answer oracle() {
    const std::vector<double> positions(positions_.source().begin(), positions_.source().end());
    const std::int64_t n = this->items();
    const std::int64_t targets = data_.targets();
    Answer answer;
    answer.forces.assign(forces_.source().begin(), forces_.source().end());
    ListedForceArgs<double> args = common_args<double>();
    args.positions = {positions.data(), {n, 3}};
    args.offsets = {lists_.offsets.data(), {n + 1}};
    args.kinds = {lists_.kinds.data(), {std::ssize(lists_.kinds)}};
    args.places = {lists_.places.data(), {std::ssize(lists_.places)}};
    args.partners = {lists_.partners.data(), {std::ssize(lists_.partners)}};
    args.forces = {answer.forces.data(), {targets, 3}};
    answer.energy.resize(static_cast<std::size_t>(classes()));
    answer.virial.resize(6 * answer.energy.size());
    args.energy = {answer.energy.data(), {classes()}};
    args.virial = {answer.virial.data(), {classes(), 6}};
    if (data_.by_atom) {
      answer.energies.resize(static_cast<std::size_t>(targets));
      answer.virials.resize(static_cast<std::size_t>(6 * targets));
      args.energies = {answer.energies.data(), {targets}};
      args.virials = {answer.virials.data(), {targets, 6}};
    }
    listed_force_oracle(problem(), args, &answer.magnitudes);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    const ListedMagnitudes& magnitudes = expected->magnitudes;
    // Tolerance for some roundings in each term, and for those of sums over all terms.
    const double epsilon = std::numeric_limits<typename P::Compute>::epsilon();
    double error = summed_error<Storage>(forces_.values(), expected->forces, magnitudes.forces);
    if (energy_.given()) {
      for (std::size_t c = 0; c < expected->energy.size(); ++c)
        error = std::fmax(
            error, summed_error(energy_.values()[c], expected->energy[c], magnitudes.energy));
      for (std::size_t c = 0; c < expected->virial.size(); ++c)
        error = std::fmax(
            error, summed_error(virial_.values()[c], expected->virial[c], magnitudes.virial));
    }
    if (energies_.given())
      error = std::fmax(
          error, summed_error<double>(energies_.values(), expected->energies, magnitudes.energies));
    if (virials_.given())
      error = std::fmax(
          error, summed_error<double>(virials_.values(), expected->virials, magnitudes.virials));
    return Verdict::measured(error, 64 * epsilon, "forces, energies and virials");
  }

  Data data_;
  ListedLists lists_;
  TrialArray<Storage>& positions_;
  TrialArray<std::int32_t>& offsets_;
  TrialArray<std::int32_t>& kinds_;
  TrialArray<std::int32_t>& places_;
  TrialArray<std::int32_t>& partners_;
  TrialArray<Storage>& forces_;
  TrialArray<double>& energy_;
  TrialArray<double>& virial_;
  TrialArray<double>& energies_;
  TrialArray<double>& virials_;
};

/// Trials of md/listed_force. Error: the largest error of forces, energies and virial, each over
/// the summed magnitudes of its terms.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<ListedForce, ListedForceTrial, Data>>(rows());
}

}  // namespace tessera::md::listed_force_trial
