#include "physics/md/simulation/domain.hpp"

#include "core/base/error.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/simulation/velocity_verlet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace tessera::md {
namespace {

template <class P>
typename Domain<P>::Terms make_terms(State<P>& state, const SimulationParts& parts) {
  typename Domain<P>::Terms terms;
  std::set<std::string> names;
  for (const TermFactory& factory : parts.terms) {
    terms.push_back(factory->make(state));
    for (const TermPart& part : terms.back()->parts())
      if (!names.insert(part.name).second)
        throw ArgumentError("two force terms are named '" + part.name + "'");
  }
  return terms;
}

template <class P>
std::unique_ptr<Integrator<P>> make_integrator(State<P>& state, const SimulationParts& parts) {
  return (parts.integrator ? parts.integrator : velocity_verlet())->make(state);
}

}  // namespace

template <class P>
Domain<P>::Domain(State<P> atoms, const SimulationParts& parts, StepTotals& totals)
    : state(std::move(atoms)),
      terms_(make_terms(state, parts)),
      integrator_(make_integrator(state, parts)),
      totals_(totals) {
  for (const auto& term : terms_) {
    tallies_.push_back(totals.declare(tally_size * std::ssize(term->parts())));
    if (step_term_ == nullptr && term->makes_steps()) step_term_ = term.get();
  }
}

template <class P>
void Domain<P>::compute_forces(bool with_energy) {
  auto write = Write::overwrite;
  for (const bool last : {false, true})
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      if ((terms_[t].get() == step_term_) != last) continue;
      terms_[t]->execute(state, write, with_energy ? totals_.view(tallies_[t]) : View<double, 1>());
      if (terms_[t]->has_forces()) write = Write::add;
    }
  if (write == Write::overwrite) state.columns.fill_zero(state.forces);
  has_energies_ = with_energy;
}

template <class P>
void Domain<P>::require_finite_forces() {
  if (state.atoms() == 0) return;
  const std::int64_t first = find_not_finite<P>(state.context, state.columns.rows(state.forces));
  std::string terms;
  const std::vector<double> totals = totals_.read();
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const double* const tally = tallies_[t].of(totals);
    const bool finite =
        std::all_of(tally, tally + tallies_[t].count, [](double x) { return std::isfinite(x); });
    if (!finite) terms += (terms.empty() ? "" : " and ") + ("'" + terms_[t]->name() + "'");
  }
  if (first < 0 && terms.empty()) return;

  // The atoms with the largest forces are named if all forces are finite and only an energy is not.
  const auto all = forces();
  const auto size = [&](std::int64_t i) {
    const auto& f = all[static_cast<std::size_t>(i)];
    const double sum = std::abs(f[0]) + std::abs(f[1]) + std::abs(f[2]);
    // Counts a force as finite only if its square is, as find_not_finite() does on the device.
    return sum < 1e153 ? sum : std::numeric_limits<double>::infinity();
  };
  std::vector<std::int64_t> atoms;
  std::int64_t more = 0;
  constexpr std::size_t most = 4;
  if (first >= 0) {
    for (std::int64_t i = first; i < state.atoms(); ++i) {
      if (std::isfinite(size(i))) continue;
      if (atoms.size() < most)
        atoms.push_back(i);
      else
        ++more;
    }
  } else {
    atoms.resize(static_cast<std::size_t>(state.atoms()));
    std::iota(atoms.begin(), atoms.end(), std::int64_t{0});
    const auto named = std::min(atoms.size(), std::size_t{2});
    std::partial_sort(atoms.begin(), atoms.begin() + static_cast<std::ptrdiff_t>(named),
                      atoms.end(),
                      [&](std::int64_t a, std::int64_t b) { return size(a) > size(b); });
    atoms.resize(named);
  }
  const std::vector<std::int64_t> ids = state.columns.to_host(state.ids);
  std::string list;
  for (const std::int64_t atom : atoms)
    list += (list.empty() ? "" : ", ") + std::to_string(ids[static_cast<std::size_t>(atom)]);
  if (more > 0) list += " and " + std::to_string(more) + " more";
  std::string text =
      first >= 0 ? "the forces on atoms " + list + " (ids) are"
                 : "with the largest forces on atoms " + list + " (ids) the energy or virial is";
  text += " not finite at step " + std::to_string(state.clock.step());
  if (!terms.empty()) text += ", in the sums of " + terms + " too";
  throw ParticleError(atoms, text +
                                 ": atoms too close to each other, a bond beyond the length where "
                                 "its energy ends, or coefficients beyond what " +
                                 std::string(name(P::value)) + " precision" +
                                 (state.determinism == Determinism::any_order
                                      ? ", or sums in fixed point (determinism any_order), hold"
                                      : " holds"));
}

template <class P>
void Domain<P>::prepare_terms() {
  for (const auto& term : terms_)
    term->prepare(state);
}

template <class P>
void Domain<P>::prepare_other_terms() {
  for (const auto& term : terms_)
    if (term.get() != step_term_ && std::isfinite(term->allowed_displacement(state)))
      term->prepare(state);
}

template <class P>
double Domain<P>::allowed_displacement() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_)
    least = std::min(least, term->allowed_displacement(state));
  return least;
}

template <class P>
double Domain<P>::longest_step() const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& term : terms_)
    least = std::min(least, term->longest_step());
  return least;
}

template <class P>
double Domain<P>::skin() const {
  double widest = 0;
  for (const auto& term : terms_)
    widest = std::max(widest, term->skin());
  return widest;
}

template <class P>
double Domain<P>::neighbors_per_atom() const {
  double sum = 0;
  for (const auto& term : terms_)
    sum += term->neighbors_per_atom();
  return sum;
}

template <class P>
std::vector<std::array<double, 3>> Domain<P>::forces() const {
  const std::vector<Storage> forces = state.columns.to_host(state.forces);
  std::vector<std::array<double, 3>> rows(static_cast<std::size_t>(state.atoms()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      rows[i][d] = static_cast<double>(forces[3 * i + d]);
  return rows;
}

template <class P>
RestartScalars Domain<P>::scalars() const {
  RestartScalars scalars;
  for (const auto& term : terms_)
    term->save(scalars);
  integrator_->save(scalars);
  return scalars;
}

template <class P>
void Domain<P>::set_scalars(const RestartScalars& scalars) {
  for (const auto& term : terms_)
    term->load(scalars);
  integrator_->load(scalars);
}

template class Domain<Double>;
template class Domain<Mixed>;
template class Domain<Single>;

}  // namespace tessera::md
