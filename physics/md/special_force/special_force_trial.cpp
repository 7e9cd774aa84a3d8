#include "core/trials/comparison.hpp"
#include "core/trials/typed_trials.hpp"
#include "physics/md/pair_force/sample_coefficients.hpp"
#include "physics/md/special_force/special_force.hpp"
#include "physics/md/special_force/special_force_reference.hpp"
#include "physics/md/topology/pair_lists.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tessera::md::special_force_trial {

struct Data {
  std::string potential;
  Write write = Write::overwrite;
  Box box;
  std::vector<double> positions, charges, forces;
  std::vector<Bond> bonds;
  std::vector<double> coefficients;
  int kinds = 1;
  bool by_atom = false;
  Determinism determinism = Determinism::none;
  std::int64_t ghosts = 0;  ///< number of the last atoms that are no targets

  [[nodiscard]] std::int64_t targets() const { return std::ssize(charges) - ghosts; }
};

/// Coefficients of two kinds: the first is excluded from the pair forces and keeps its field, the
/// second is scaled.
std::vector<double> special_coefficients(const PairPotential& potential) {
  std::vector<double> numbers;
  for (int kind = 0; kind < 2; ++kind) {
    const CoefficientValues values = sample_coefficients(potential, {.energy = 0.3 + 0.1 * kind,
                                                                     .length = 0.4 + 0.05 * kind,
                                                                     .cutoff = 0.9,
                                                                     .charge_cutoff = 2.5,
                                                                     .number = 78,
                                                                     .constant = 1.5});
    for (const CoefficientField& field : potential.fields()) {
      const auto given = values.find(field.name);
      numbers.push_back(given == values.end() ? field.default_value.value_or(0) : given->second);
    }
    for (const PairPotentialPart& part : potential.parts())
      numbers.push_back(kind == 0 ? 0 : (part.reads & AtomData::charge) != 0 ? 0.8333 : 0.5);
    numbers.push_back(1);
  }
  return numbers;
}

/// Chains of `length` atoms that wind through a box, with atoms in random periodic images and
/// alternating kinds.
/// \param closest least distance of two neighbors in a chain.
Data chains(std::int64_t atoms, std::int64_t length, const std::string& potential, Write write,
            double closest = 0) {
  Data data{potential, write, {}, {}, {}, {}, {}, {}, 2};
  data.coefficients = special_coefficients(pair_potentials().find(potential));
  const double edge = std::max(10.0, std::cbrt(static_cast<double>(atoms)));
  for (int d = 0; d < 3; ++d)
    data.box.length[d] = edge * (1 + 0.1 * d);
  data.box.periodic[1] = false;
  data.box.tilt[1] = 0.6 * edge;
  RandomSequence random(5 + static_cast<std::uint64_t>(atoms));
  double at[3] = {};
  for (std::int64_t i = 0; i < atoms; ++i) {
    const bool first = i % length == 0;
    double images[3] = {};
    double step[3] = {};
    while (!first && std::hypot(step[0], step[1], step[2]) < closest)
      for (double& s : step)
        s = random.uniform(-0.6, 0.6);
    for (int d = 0; d < 3; ++d) {
      if (first)
        at[d] = data.box.length[d] * random.uniform();
      else
        at[d] += closest > 0 ? step[d] : (step[d] = random.uniform(-0.6, 0.6));
      if (data.box.periodic[d]) images[d] = static_cast<double>(random.below(3)) - 1;
      data.forces.push_back(random.uniform(-10, 10));
    }
    const Vec3<double> off = data.box.edges({images[0], images[1], images[2]});
    data.positions.insert(data.positions.end(), {at[0] + off.x, at[1] + off.y, at[2] + off.z});
    data.charges.push_back(random.uniform(-0.5, 0.5));
    const auto here = static_cast<std::int32_t>(i);
    if (!first) data.bonds.push_back({{here - 1, here}, static_cast<std::int32_t>(i % data.kinds)});
  }
  return data;
}

/// The same number of atoms at random positions, so that the atoms of most pairs are too far apart
/// to interact.
Data far_pairs(std::int64_t atoms, const std::string& potential, Write write) {
  Data data = chains(atoms, atoms + 1, potential, write);
  RandomSequence random(11);
  for (std::int64_t i = 0; i < atoms; ++i)
    for (std::int64_t d = 0; d < 3; ++d)
      data.positions[static_cast<std::size_t>(3 * i + d)] = data.box.length[d] * random.uniform();
  return data;
}

/// The same atoms and bonds, with two of every five atoms as ghosts behind the others: bonds join
/// two targets, a target and a ghost, or two ghosts.
Data with_ghosts(const Data& whole) {
  Data data = whole;
  data.positions.clear();
  data.charges.clear();
  std::vector<std::int32_t> row(whole.charges.size());
  for (const bool ghosts : {false, true})
    for (std::size_t i = 0; i < row.size(); ++i) {
      if ((i % 5 < 2) != ghosts) continue;
      row[i] = static_cast<std::int32_t>(data.charges.size());
      const auto at = whole.positions.begin() + static_cast<std::ptrdiff_t>(3 * i);
      data.positions.insert(data.positions.end(), at, at + 3);
      data.charges.push_back(whole.charges[i]);
      data.ghosts += ghosts ? 1 : 0;
    }
  for (Bond& bond : data.bonds)
    for (std::int32_t& atom : bond.atoms)
      atom = row[static_cast<std::size_t>(atom)];
  data.forces.resize(static_cast<std::size_t>(3 * data.targets()));
  return data;
}

/// The data in other units, by these factors. Charges are changed so that the energies of the
/// fields of excluded pairs scale like the others.
Data in_units(Data data, double length, double energy) {
  for (double& x : data.positions)
    x *= length;
  for (double& f : data.forces)
    f *= energy / length;
  for (int d = 0; d < 3; ++d) {
    data.box.length[d] *= length;
    data.box.tilt[d] *= length;
  }
  const PairPotential pair = pair_potentials().find(data.potential);
  constexpr double constant = 8.9875517873681764e9;
  const double charge = std::sqrt(energy * length / constant);
  for (double& q : data.charges)
    q *= charge;
  std::size_t at = 0;
  for (int kind = 0; kind < data.kinds; ++kind) {
    for (const CoefficientField& field : pair.fields())
      data.coefficients[at++] *= std::pow(length, field.length) * std::pow(energy, field.energy) *
                                 std::pow(charge, field.charge);
    at += pair.parts().size() + 1;
  }
  return data;
}

/// \param closest least distance of two neighbors in a chain.
std::vector<TrialRow<Data>> rows_of(Determinism determinism, double closest) {
  const auto row = [=](TrialInput input, std::int64_t length, const std::string& potential,
                       Write write) {
    return TrialRow<Data>{std::move(input), [=](std::int64_t n) {
                            return chains(n, length, potential, write, closest);
                          }};
  };
  const auto scaled = [=](const std::string& name, const std::string& potential, double length) {
    return TrialRow<Data>{{name, {999}}, [=](std::int64_t n) {
                            return in_units(chains(n, 3, potential, Write::add, closest), length,
                                            1.6e-21);
                          }};
  };
  const std::string usual = "lj/cut+coul/rf";
  std::vector<TrialRow<Data>> all{
      row({"threes", {0, 1, 2, 1000}, {32000, 256000, 1000000}}, 3, usual, Write::add),
      row({"pairs", {2, 33}}, 2, usual, Write::overwrite),
      row({"one chain", {100}}, 100, usual, Write::overwrite),
      scaled("threes of 1e-11, joules", usual, 1e-11),
      scaled("threes of 1e6, joules", usual, 1e6),
  };
  const auto by_atom = [=](const char* name, std::int64_t atoms, Write write) {
    return TrialRow<Data>{{name, {atoms}, {}, false}, [=](std::int64_t n) {
                            Data data = chains(n, 3, usual, write, closest);
                            data.by_atom = true;
                            return data;
                          }};
  };
  all.push_back(by_atom("no threes, by atom", 0, Write::add));
  all.push_back(by_atom("threes, by atom", 999, Write::add));
  all.push_back(by_atom("threes alone, by atom", 100, Write::overwrite));
  for (const char* potential : {"lj/cut+coul/rf", "lj/cut+coul/cut"})
    all.push_back({{std::string("far ") + potential, {999}},
                   [potential](std::int64_t n) { return far_pairs(n, potential, Write::add); }});
  const std::size_t whole = all.size();
  for (std::size_t r = 0; r < whole; ++r) {
    const std::string name = all[r].input.name;
    if (name == "threes" || name == "one chain" || name == "threes, by atom" ||
        name.starts_with("far "))
      all.push_back({{name + " and ghosts", {name == "one chain" ? 100 : 1000}, {}, false},
                     [make = all[r].make](std::int64_t n) { return with_ghosts(make(n)); }});
  }
  // Every pair potential of this process.
  std::vector<std::string> potentials = pair_potentials().names();
  for (const std::string& sum : pair_potentials().sums())
    if (sum.starts_with("lj/cut+")) potentials.push_back(sum);
  for (const std::string& potential : potentials)
    all.push_back(row({potential, {999}}, 3, potential, Write::add));
  if (determinism == Determinism::none) return all;
  for (TrialRow<Data>& one : all) {
    one.input.timed = {};
    one.input.name += " in any order";
    std::erase_if(one.input.checked, [](std::int64_t size) { return size > 5000; });
    one.make = [determinism, make = one.make](std::int64_t n) {
      Data data = make(n);
      data.determinism = determinism;
      return data;
    };
  }
  return all;
}

std::vector<TrialRow<Data>> rows() {
  std::vector<TrialRow<Data>> all = rows_of(Determinism::none, 0);
  // Fixed point does not hold the forces of pairs that nearly coincide.
  for (TrialRow<Data>& one : rows_of(Determinism::any_order, 0.35))
    all.push_back(std::move(one));
  return all;
}

template <class P>
class SpecialForceTrial final : public Trial<SpecialForce, P> {
 public:
  using Storage = typename P::Storage;

  SpecialForceTrial(const Context& context, const Data& data)
      : Trial<SpecialForce, P>(context, static_cast<std::int64_t>(data.charges.size())),
        data_(data),
        lists_(lists_of(data.bonds)),
        positions_(
            this->template add<Storage>("positions", TrialRole::input, shape(3), data.positions)),
        charges_(this->template add<Storage>("charges", TrialRole::input, shape(1), data.charges)),
        offsets_(this->template add<std::int32_t>("offsets", TrialRole::input,
                                                  plain(lists_.offsets), lists_.offsets)),
        partners_(this->template add<std::int32_t>("partners", TrialRole::input,
                                                   plain(lists_.partners), lists_.partners)),
        kinds_(this->template add<std::int32_t>("kinds", TrialRole::input, plain(lists_.kinds),
                                                lists_.kinds)),
        forces_(data.write == Write::add
                    ? this->template add<Storage>("forces", TrialRole::updated, target_shape(3),
                                                  data.forces)
                    : this->template add_output<Storage>("forces", target_shape(3))),
        energy_(this->template add_output<double>("energy", TrialShape::plain(1))),
        virial_(this->template add_output<double>("virial", TrialShape::plain(6))),
        energies_(this->template add_output<double>("energies", by_atom_shape(1))),
        virials_(this->template add_output<double>("virials", by_atom_shape(6))) {
    charges_.give(pair_potentials().find(data.potential).reads(AtomData::charge));
    choose(0);
  }

  [[nodiscard]] SpecialForceProblem problem() override {
    return {this->items(),   std::ssize(lists_.partners), data_.kinds,
            data_.potential, data_.determinism,           data_.by_atom};
  }
  [[nodiscard]] SpecialForceArgs<Storage> args() override {
    return common_args(this->arguments(this->problem()));
  }
  [[nodiscard]] Counts counts() const override {
    const auto n = static_cast<double>(this->items());
    const auto bonds = static_cast<double>(data_.bonds.size());
    return {"pairs", bonds, n * (6 * sizeof(Storage) + 4) + 16 * bonds, 20 * bonds};
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
    std::vector<double> forces, totals = std::vector<double>(7);
    std::vector<double> energies, virials;  ///< of single atoms
    SpecialMagnitudes magnitudes;
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

  /// The entries of all targets.
  [[nodiscard]] PairLists lists_of(std::span<const Bond> bonds) const {
    PairLists lists = bonds_by_atom(this->items(), bonds);
    const auto targets = static_cast<std::size_t>(data_.targets());
    const auto entries = static_cast<std::size_t>(lists.offsets[targets]);
    std::fill(lists.offsets.begin() + data_.targets(), lists.offsets.end(), lists.offsets[targets]);
    lists.partners.resize(entries);
    lists.kinds.resize(entries);
    return lists;
  }

  /// Renumbers the bonds, which name atoms by row, after the atoms were reordered.
  void reordered() override {
    const std::vector<std::int32_t> place = this->positions_of_items();
    std::vector<Bond> bonds = data_.bonds;
    for (Bond& bond : bonds)
      for (std::int32_t& atom : bond.atoms)
        atom = place[static_cast<std::size_t>(atom)];
    PairLists lists = lists_of(bonds);
    offsets_.move(std::move(lists.offsets));
    if (bonds.empty()) return;
    partners_.move(std::move(lists.partners));
    kinds_.move(std::move(lists.kinds));
  }

  template <class T>
  [[nodiscard]] SpecialForceArgs<T> common_args(SpecialForceArgs<T> args = {}) const {
    args.write = data_.write;
    args.box = data_.box;
    args.coefficients = {data_.coefficients.data(),
                         {data_.kinds, std::ssize(data_.coefficients) / data_.kinds}};
    if (data_.ghosts > 0) args.owned = data_.targets();
    return args;
  }

  [[nodiscard]] Answer oracle() {
    const std::vector<double> positions(positions_.source().begin(), positions_.source().end());
    const std::vector<double> charges(charges_.source().begin(), charges_.source().end());
    const std::int64_t n = this->items();
    const std::int64_t targets = data_.targets();
    Answer answer;
    answer.forces.assign(forces_.source().begin(), forces_.source().end());
    SpecialForceArgs<double> args = common_args<double>();
    args.positions = {positions.data(), {n, 3}};
    args.charges = {charges.data(), {n}};
    args.offsets = {lists_.offsets.data(), {n + 1}};
    args.partners = {lists_.partners.data(), {std::ssize(lists_.partners)}};
    args.kinds = {lists_.kinds.data(), {std::ssize(lists_.kinds)}};
    args.forces = {answer.forces.data(), {targets, 3}};
    args.energy = {answer.totals.data(), {1}};
    args.virial = {answer.totals.data() + 1, {6}};
    if (data_.by_atom) {
      answer.energies.resize(static_cast<std::size_t>(targets));
      answer.virials.resize(static_cast<std::size_t>(6 * targets));
      args.energies = {answer.energies.data(), {targets}};
      args.virials = {answer.virials.data(), {targets, 6}};
    }
    special_force_oracle(problem(), args, &answer.magnitudes);
    return answer;
  }

  [[nodiscard]] Verdict compare() override {
    const auto expected = this->template answer<Answer>({}, [&] { return oracle(); });
    // Tolerance for some roundings in each pair, and for those of sums over all pairs.
    const double epsilon = std::numeric_limits<typename P::Compute>::epsilon();
    double error =
        summed_error<Storage>(forces_.values(), expected->forces, expected->magnitudes.forces);
    if (energy_.given()) {
      const std::vector<double>& totals = expected->totals;
      error = std::fmax(error,
                        summed_error(energy_.values()[0], totals[0], expected->magnitudes.energy));
      for (std::size_t c = 0; c < 6; ++c)
        error = std::fmax(
            error, summed_error(virial_.values()[c], totals[1 + c], expected->magnitudes.virial));
    }
    if (energies_.given())
      error = std::fmax(error, summed_error<double>(energies_.values(), expected->energies,
                                                    expected->magnitudes.energies));
    if (virials_.given())
      error = std::fmax(error, summed_error<double>(virials_.values(), expected->virials,
                                                    expected->magnitudes.virials));
    return Verdict::measured(error, 64 * epsilon, "forces, energies and virials");
  }

  Data data_;
  PairLists lists_;
  TrialArray<Storage>& positions_;
  TrialArray<Storage>& charges_;
  TrialArray<std::int32_t>& offsets_;
  TrialArray<std::int32_t>& partners_;
  TrialArray<std::int32_t>& kinds_;
  TrialArray<Storage>& forces_;
  TrialArray<double>& energy_;
  TrialArray<double>& virial_;
  TrialArray<double>& energies_;
  TrialArray<double>& virials_;
};

/// Trials of md/special_force. Error: the largest error of forces, energy and virial, each over the
/// summed magnitudes of its terms.
std::unique_ptr<Trials> make() {
  return std::make_unique<TypedTrials<SpecialForce, SpecialForceTrial, Data>>(rows());
}

}  // namespace tessera::md::special_force_trial
