#include <tessera/core/base/vec3.hpp>
#include <tessera/core/operations/plugin.hpp>
#include <tessera/md/coincident_atoms.hpp>
#include <tessera/md/pair_force/pair_force.hpp>
#include <tessera/md/pair_potential/pair_table.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

/// \file
/// Pair forces from a loop over all pairs of atoms, without a neighbor list.

namespace {

using tessera::Context;
using tessera::Refusal;
using Vector = tessera::Vec3<double>;
namespace md = tessera::md;

class AllPairs : public tessera::Plan<md::PairForce, tessera::Double> {
 public:
  using Parameters = tessera::NoParameters;
  static constexpr tessera::PlanTraits<md::PairForce> traits{
      .determinism = tessera::Determinism::run_to_run,
      .description = "a loop over all pairs, without a neighbor list"};

  AllPairs(const md::PairForceProblem& problem, const Context&, const Parameters&)
      : problem_(problem), potential_(md::pair_potentials().find(problem.potential)) {}

  /// Reason why this kernel cannot run a problem; empty if it can.
  static Refusal can_run(const md::PairForceProblem& problem, const Context&, const Parameters&) {
    if (problem.exclusions) return "it computes every pair, and the problem excludes some";
    return md::refuse_small_box(problem);
  }

  /// Displacement up to which prepare() stays valid: any, in a box that is large enough.
  [[nodiscard]] double allowed_displacement(const md::Box& box) const override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return md::refuse_small_box(box, problem_.cutoff) ? -infinity : infinity;
  }
  using md::PairForcePlanInterface::allowed_displacement;

  void prepare(const Args& args) override {
    check(args.box);
    table_ = md::pack_pair_table(potential_, args.coefficients, {}, &samples_);
    for (std::int64_t i = 0; i < problem_.atoms; ++i) {
      for (int d = 0; d < 3; ++d)  // also catches NaN
        if (!(std::abs(args.positions(i, d) - args.box.lower[d]) < 1e9 * args.box.length[d]))
          throw tessera::ParticleError({i},
                                       "atom " + std::to_string(i) + " is too far from the box");
      for (std::int64_t j = 0; j < std::min(i, args.targets()); ++j)
        if (separation(args, i, j) == Vector{} && squared_cutoff(numbers(args, i, j)) > 0)
          throw md::CoincidentAtoms(i, j);
    }
  }

  void execute(const Args& args) override {
    check(args.box);
    double sums[7] = {};  // energy, then the virial xx yy zz xy xz yz
    for (std::int64_t i = 0; i < args.targets(); ++i) {
      Vector force;
      for (std::int64_t j = 0; j < problem_.atoms; ++j) {
        if (i == j) continue;
        const Vector r = separation(args, i, j);
        const double* const pair = numbers(args, i, j);
        if (!(dot(r, r) < squared_cutoff(pair))) continue;
        const md::PairValue value = potential_.evaluate(pair, std::sqrt(dot(r, r)), charge(args, i),
                                                        charge(args, j), samples_.data());
        const Vector f = value.force_over_r * r;
        force = force + f;
        const double terms[7] = {value.energy, r.x * f.x, r.y * f.y, r.z * f.z,
                                 r.x * f.y,    r.x * f.z, r.y * f.z};
        for (int k = 0; k < 7; ++k)
          sums[k] += 0.5 * terms[k];  // the loop visits each pair of targets twice
      }
      const bool add = args.write == tessera::Write::add;
      args.forces(i, 0) = force.x + (add ? args.forces(i, 0) : 0);
      args.forces(i, 1) = force.y + (add ? args.forces(i, 1) : 0);
      args.forces(i, 2) = force.z + (add ? args.forces(i, 2) : 0);
    }
    if (!args.energy.given()) return;
    args.energy(0) = sums[0];
    for (int k = 0; k < 6; ++k)
      args.virial(k) = sums[k + 1];
  }

 private:
  void check(const md::Box& box) const {
    if (const Refusal reason = md::refuse_small_box(box, problem_.cutoff))
      throw md::BoxError("", *reason);
  }

  static Vector position(const Args& args, std::int64_t i) {
    return {args.positions(i, 0), args.positions(i, 1), args.positions(i, 2)};
  }

  /// From atom j to the nearest image of atom i.
  static Vector separation(const Args& args, std::int64_t i, std::int64_t j) {
    const md::Box& box = args.box;
    Vector r = position(args, i) - position(args, j);
    if (box.periodic[2]) r = r - std::nearbyint(r.z / box.length[2]) * box.edge(2);
    if (box.periodic[1]) r = r - std::nearbyint(r.y / box.length[1]) * box.edge(1);
    if (box.periodic[0]) r = r - std::nearbyint(r.x / box.length[0]) * box.edge(0);
    return r;
  }

  /// Numbers of the potential for the types of two atoms; the first is the squared cutoff.
  [[nodiscard]] const double* numbers(const Args& args, std::int64_t i, std::int64_t j) const {
    return table_.data() +
           (args.types(i) * problem_.types + args.types(j)) * potential_.table_width();
  }
  static double squared_cutoff(const double* numbers) { return numbers[0]; }

  [[nodiscard]] double charge(const Args& args, std::int64_t i) const {
    return potential_.reads(md::AtomData::charge) ? args.charges(i) : 0;
  }

  md::PairForceProblem problem_;
  md::PairPotential potential_;
  std::vector<double> table_;    ///< numbers of the potential for each pair of types
  std::vector<double> samples_;  ///< points of tabulated potentials
};

}  // namespace

TESSERA_PLUGIN(registry) {
  registry.add(tessera::plugin_implementation<AllPairs>(TESSERA_PLUGIN_NAME, TESSERA_PLUGIN_BACKEND,
                                                        tessera::MemorySpace::host));
}
