#include "physics/md/simulation/constant_term.hpp"

#include "core/base/error.hpp"
#include "core/memory/copy_view.hpp"
#include "physics/md/pair_potential/tail.hpp"
#include "physics/md/simulation/force_term.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tessera::md {
namespace {

template <class P>
class ConstantTerm final : public ForceTerm<P> {
 public:
  ConstantTerm(State<P>& state, const ConstantTermOptions& options)
      : options_(options), values_(state.context, tally_size) {
    const bool* const periodic = state.box().periodic;
    const bool bounded = periodic[0] && periodic[1] && periodic[2];
    if (!bounded && (options_.energy_times_volume != 0 || options_.virial_times_volume != 0))
      throw ArgumentError("term '" + options_.name +
                          "': a box that is not periodic in every direction has no density");
    if (!options_.by_atom.empty() && std::ssize(options_.by_atom) != state.atoms())
      throw ArgumentError("constant_term", "by_atom",
                          std::to_string(options_.by_atom.size()) + " energies for " +
                              std::to_string(state.atoms()) + " atoms");
  }

  [[nodiscard]] std::string name() const override { return options_.name; }
  [[nodiscard]] std::string style() const override { return options_.style; }

  [[nodiscard]] bool has_forces() const override { return false; }
  void execute(State<P>& state, Write, View<double, 1> tally) override {
    if (!tally.given()) return;
    upload(state.box().volume());
    copy_view(state.context, std::as_const(values_).view(), tally);
  }

  void expect_by_atom(State<P>& state) override { by_atom_ = {state.context, options_.by_atom}; }
  void by_atom(State<P>& state, const AtomOutputs<typename P::Storage>& out) override {
    fill_zero(state.context, out.virials);
    if (by_atom_.size() > 0)
      copy_view(state.context, std::as_const(by_atom_).view(), out.energies);
    else
      fill_zero(state.context, out.energies);
  }

 private:
  void upload(double volume) {
    if (volume == volume_) return;
    volume_ = volume;
    std::array<double, tally_size> host{};
    host[0] = options_.energy + options_.energy_times_volume / volume;
    for (std::size_t d = 1; d <= 3; ++d)
      host[d] = options_.virial_times_volume / (3 * volume);
    values_.copy_from(host);
  }

  ConstantTermOptions options_;
  Array<double> values_;  ///< energy and virial for the box of volume `volume_`
  double volume_ = -1;
  Array<double> by_atom_;
};

}  // namespace

TermFactory constant_term(ConstantTermOptions options) {
  return std::make_shared<FactoryOf<ForceTerm, ConstantTerm, ConstantTermOptions>>(
      std::move(options));
}

ConstantTermOptions tail_of(const CoefficientTable& pair, const System& system) {
  std::vector<double> atoms(system.types.size());
  for (const std::int32_t type : system.type)
    ++atoms[static_cast<std::size_t>(type)];
  const TailIntegrals tail = total_tail(pair, atoms);
  return {"tail", pair.potential().name(), 0, tail.energy, tail.virial};
}

ConstantTermOptions charge_self_energy(const CoefficientTable& pair, const System& system) {
  // Sorts the squares before they are summed, so that the sums do not depend on the order of the
  // atoms.
  std::vector<std::vector<double>> of_type(system.types.size());
  for (std::size_t i = 0; i < system.charges.size(); ++i)
    of_type[static_cast<std::size_t>(system.type[i])].push_back(system.charges[i] *
                                                                system.charges[i]);
  std::vector<double> squares;
  for (std::vector<double>& all : of_type) {
    std::sort(all.begin(), all.end());
    squares.push_back(std::accumulate(all.begin(), all.end(), 0.0));
  }
  ConstantTermOptions self{"self", pair.potential().name(), self_energy(pair, squares)};
  if (self.energy == 0) return self;
  std::vector<double> of_one;  // self energy of a unit charge, by type
  for (std::size_t type = 0; type < squares.size(); ++type) {
    std::vector<double> one(squares.size());
    one[type] = 1;
    of_one.push_back(self_energy(pair, one));
  }
  for (std::size_t i = 0; i < system.charges.size(); ++i)
    self.by_atom.push_back(system.charges[i] * system.charges[i] *
                           of_one[static_cast<std::size_t>(system.type[i])]);
  return self;
}

}  // namespace tessera::md
