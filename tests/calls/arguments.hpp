#ifndef TESSERA_TESTS_CALLS_ARGUMENTS_HPP
#define TESSERA_TESTS_CALLS_ARGUMENTS_HPP

#include "physics/md/bond_force/bond_force.hpp"
#include "physics/md/displacement/displacement.hpp"
#include "physics/md/integrate/integrate.hpp"
#include "physics/md/langevin/langevin.hpp"
#include "physics/md/pair_force/pair_force.hpp"
#include "physics/md/wrap/wrap.hpp"
#include "physics/pic/boosted_kick/boosted_kick.hpp"
#include "physics/pic/bunch_statistics/bunch_statistics.hpp"
#include "physics/pic/charge_deposit/charge_deposit.hpp"
#include "physics/pic/electric_field/electric_field.hpp"
#include "physics/pic/frame_change/frame_change.hpp"
#include "physics/pic/gather_kick/gather_kick.hpp"
#include "physics/pic/green_function/green_function.hpp"
#include "physics/pic/poisson_solve/poisson_solve.hpp"
#include "physics/pic/reorder/reorder.hpp"
#include "physics/pic/transport/transport.hpp"
#include "physics/reduction/extrema/extrema.hpp"
#include "physics/reduction/moments/moments.hpp"
#include "physics/reduction/sum/sum.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

/// \file
/// Visitors of the arguments of every operation: `visit(name, member, kind)` for each argument.

namespace tessera::test {

enum class Kind {
  array,    ///< an array whose extents follow from the problem
  fewer,    ///< an array that may also have fewer rows than the problem
  classes,  ///< an array of any length
  room,     ///< an output that may have more elements than the problem
  output,   ///< an output, which prepare() does not use
  host      ///< an array in host memory
};

template <class S, class Visit>
void each_array(md::PairForceArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("types", args.types, Kind::array);
  visit("charges", args.charges, Kind::array);
  visit("exclusions.offsets", args.exclusions.offsets, Kind::array);
  visit("exclusions.partners", args.exclusions.partners, Kind::classes);
  visit("forces", args.forces, Kind::output);
  visit("coefficients", args.coefficients, Kind::host);
  visit("energy", args.energy, Kind::room);
  visit("virial", args.virial, Kind::room);
  visit("energies", args.energies, Kind::array);
  visit("virials", args.virials, Kind::array);
}

template <class S, class Visit>
void each_array(md::BondForceArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("charges", args.charges, Kind::array);
  visit("offsets", args.offsets, Kind::array);
  visit("partners", args.partners, Kind::array);
  visit("kinds", args.kinds, Kind::array);
  visit("forces", args.forces, Kind::output);
  visit("coefficients", args.coefficients, Kind::host);
  visit("energy", args.energy, Kind::room);
  visit("virial", args.virial, Kind::room);
  visit("energies", args.energies, Kind::array);
  visit("virials", args.virials, Kind::array);
}

template <class S, class Visit>
void each_array(md::IntegrateArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("velocities", args.velocities, Kind::array);
  visit("forces", args.forces, Kind::array);
  visit("types", args.types, Kind::array);
  visit("force_to_accel", args.force_to_accel, Kind::array);
}

template <class S, class Visit>
void each_array(md::LangevinArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("velocities", args.velocities, Kind::array);
  visit("forces", args.forces, Kind::array);
  visit("types", args.types, Kind::array);
  visit("ids", args.ids, Kind::array);
  visit("force_to_accel", args.force_to_accel, Kind::array);
  visit("noise", args.noise, Kind::array);
  visit("half_mass", args.half_mass, Kind::array);
  visit("heat", args.heat, Kind::array);
}

template <class S, class Visit>
void each_array(md::DisplacementArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("reference", args.reference, Kind::array);
  visit("result", args.result, Kind::room);
}

template <class S, class Visit>
void each_array(md::WrapArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::array);
  visit("images", args.images, Kind::array);
}

template <class S, class Visit>
void each_array(pic::ChargeDepositArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::fewer);
  visit("weights", args.weights, Kind::array);
  visit("alive", args.alive, Kind::array);
  visit("density", args.density, Kind::output);
  visit("outside", args.outside, Kind::room);
}

template <class S, class Visit>
void each_array(pic::ElectricFieldArgs<S>& args, const Visit& visit) {
  visit("potential", args.potential, Kind::array);
  visit("field along x", args.field[0], Kind::output);
  visit("field along y", args.field[1], Kind::output);
  visit("field along z", args.field[2], Kind::output);
}

template <class Visit>
void each_array(pic::GreenFunctionArgs& args, const Visit& visit) {
  visit("values", args.values, Kind::output);
}

template <class S, class Visit>
void each_array(pic::ReorderArgs<S>& args, const Visit& visit) {
  visit("coordinates", args.coordinates, Kind::fewer);
  visit("alive", args.alive, Kind::array);
  visit("weights", args.weights, Kind::array);
  visit("ids", args.ids, Kind::array);
  visit("counts", args.counts, Kind::room);
}

template <class S, class Visit>
void each_array(pic::PoissonSolveArgs<S>& args, const Visit& visit) {
  visit("density", args.density, Kind::array);
  visit("green", args.green, Kind::array);
  visit("potential", args.potential, Kind::output);
}

template <class S, class Visit>
void each_array(pic::GatherKickArgs<S>& args, const Visit& visit) {
  visit("positions", args.positions, Kind::fewer);
  visit("momenta", args.momenta, Kind::array);
  visit("alive", args.alive, Kind::array);
  visit("field along x", args.field[0], Kind::array);
  visit("field along y", args.field[1], Kind::array);
  visit("field along z", args.field[2], Kind::array);
  visit("outside", args.outside, Kind::room);
}

template <class S, class Visit>
void each_array(pic::BoostedKickArgs<S>& args, const Visit& visit) {
  visit("coordinates", args.coordinates, Kind::fewer);
  visit("alive", args.alive, Kind::array);
  visit("field along x", args.field[0], Kind::array);
  visit("field along y", args.field[1], Kind::array);
  visit("field along z", args.field[2], Kind::array);
  visit("outside", args.outside, Kind::room);
  visit("impossible", args.impossible, Kind::room);
}

template <class S, class Visit>
void each_array(pic::FrameChangeArgs<S>& args, const Visit& visit) {
  visit("coordinates", args.coordinates, Kind::array);
  visit("alive", args.alive, Kind::array);
  visit("impossible", args.impossible, Kind::room);
}

template <class S, class Visit>
void each_array(pic::BunchStatisticsArgs<S>& args, const Visit& visit) {
  visit("coordinates", args.coordinates, Kind::array);
  visit("alive", args.alive, Kind::array);
  visit("weights", args.weights, Kind::array);
  visit("result", args.result, Kind::room);
}

template <class S, class Visit>
void each_array(pic::TransportArgs<S>& args, const Visit& visit) {
  visit("coordinates", args.coordinates, Kind::array);
  visit("alive", args.alive, Kind::array);
  visit("lost_at", args.lost_at, Kind::array);
  visit("lost", args.lost, Kind::room);
}

template <class S, class Visit>
void each_array(reduction::SumArgs<S>& args, const Visit& visit) {
  visit("values", args.values, Kind::array);
  visit("weights", args.weights, args.weight_class.given() ? Kind::classes : Kind::array);
  visit("weight_class", args.weight_class, Kind::array);
  visit("mask", args.mask, Kind::array);
  if constexpr (!std::is_integral_v<S>) visit("origin", args.origin, Kind::array);
  if constexpr (std::is_integral_v<S>) visit("overflow", args.overflow, Kind::room);
  visit("result", args.result, Kind::room);
}

template <class S, class Visit>
void each_array(reduction::MomentsArgs<S>& args, const Visit& visit) {
  visit("values", args.values, Kind::array);
  visit("weights", args.weights, args.weight_class.given() ? Kind::classes : Kind::array);
  visit("weight_class", args.weight_class, Kind::array);
  visit("mask", args.mask, Kind::array);
  visit("weight", args.weight, Kind::room);
  visit("means", args.means, Kind::room);
  visit("seconds", args.seconds, Kind::array);
}

template <class S, class Visit>
void each_array(reduction::ExtremaArgs<S>& args, const Visit& visit) {
  visit("values", args.values, Kind::array);
  visit("mask", args.mask, Kind::array);
  visit("extremes", args.extremes, Kind::array);
  visit("rows", args.rows, Kind::array);
}

/// Makes an output begin at the address of another array, of any type.
template <class T, int Rank, class Other, int OtherRank>
void put_at(View<T, Rank>& view, const View<Other, OtherRank>& other) {
  view.data = reinterpret_cast<T*>(const_cast<std::remove_const_t<Other>*>(other.data));
}

/// Function that is called with the name of an argument, a description of the mistake, and a
/// function that makes the mistake.
template <class T>
using Wrong = std::function<void(const char*, const char*, std::function<void(T&)>)>;

/// Wrong as a parameter type that accepts lambdas, because T is not deduced from it.
template <class T>
using WrongOf = std::type_identity_t<Wrong<T>>;

/// Visits wrong values of the arguments that operations with forces, energy and virial share.
template <class Args>
void each_force_value(const Wrong<Args>& wrong) {
  wrong("virial", "without energy", [](Args& a) {
    static double six[6];
    a.energy = {};
    a.virial = {six, {6}};
  });
  wrong("write", "unknown", [](Args& a) { a.write = static_cast<Write>(7); });
  wrong("owned", "negative", [](Args& a) { a.owned = -1; });
  wrong("owned", "more than rows", [](Args& a) { a.owned = a.positions.extents[0] + 1; });
  wrong("owned", "least number",
        [](Args& a) { a.owned = std::numeric_limits<std::int64_t>::min(); });
  wrong("largest_charge", "NaN", [](Args& a) { a.largest_charge = NAN; });
  wrong("largest_charge", "infinite", [](Args& a) { a.largest_charge = INFINITY; });
  wrong("largest_charge", "negative", [](Args& a) { a.largest_charge = -1; });
}

/// Visits wrong values of arguments that are not arrays.
template <class S>
void each_value(md::PairForceArgs<S>*, const WrongOf<md::PairForceArgs<S>>& wrong) {
  using Args = md::PairForceArgs<S>;
  each_force_value<Args>(wrong);
  wrong("exclusions", "not given", [](Args& a) { a.exclusions = {}; });
  wrong("lowest", "NaN", [](Args& a) { a.lowest[1] = NAN; });
  wrong("lowest", "-infinity", [](Args& a) { a.lowest[2] = -INFINITY; });
}
template <class S>
void each_value(md::BondForceArgs<S>*, const WrongOf<md::BondForceArgs<S>>& wrong) {
  each_force_value<md::BondForceArgs<S>>(wrong);
}
template <class S>
void each_value(md::IntegrateArgs<S>*, const WrongOf<md::IntegrateArgs<S>>& wrong) {
  using Args = md::IntegrateArgs<S>;
  wrong("time_step", "NaN", [](Args& a) { a.time_step = NAN; });
  wrong("time_step", "infinite", [](Args& a) { a.time_step = INFINITY; });
  wrong("phase", "unknown", [](Args& a) { a.phase = static_cast<md::IntegratePhase>(7); });
}
template <class S>
void each_value(md::LangevinArgs<S>*, const WrongOf<md::LangevinArgs<S>>& wrong) {
  using Args = md::LangevinArgs<S>;
  wrong("time_step", "NaN", [](Args& a) { a.time_step = NAN; });
  wrong("keep", "NaN", [](Args& a) { a.keep = NAN; });
  wrong("keep", "negative", [](Args& a) { a.keep = -0.5; });
  wrong("keep", "above 1", [](Args& a) { a.keep = 1.5; });
  wrong("dimensions", "1", [](Args& a) { a.dimensions = 1; });
  wrong("dimensions", "4", [](Args& a) { a.dimensions = 4; });
  wrong("total_half_mass", "NaN", [](Args& a) { a.total_half_mass = NAN; });
  wrong("total_half_mass", "negative", [](Args& a) { a.total_half_mass = -1; });
  wrong("total_half_mass", "infinite", [](Args& a) { a.total_half_mass = INFINITY; });
  wrong("phase", "unknown", [](Args& a) { a.phase = static_cast<md::IntegratePhase>(7); });
}
template <class S>
void each_value(md::DisplacementArgs<S>*, const WrongOf<md::DisplacementArgs<S>>&) {}
template <class S>
void each_value(md::WrapArgs<S>*, const WrongOf<md::WrapArgs<S>>&) {}
inline void each_wrong_grid(
    const std::function<void(const char*, std::function<void(pic::Grid&)>)>& wrong) {
  for (int d = 0; d < 3; ++d) {
    wrong("lower NaN", [d](pic::Grid& g) { g.lower[d] = NAN; });
    wrong("spacing NaN", [d](pic::Grid& g) { g.spacing[d] = NAN; });
    wrong("spacing 0", [d](pic::Grid& g) { g.spacing[d] = 0; });
    wrong("spacing negative", [d](pic::Grid& g) { g.spacing[d] = -1; });
    wrong("nodes negative", [d](pic::Grid& g) { g.nodes[d] = -3; });
    wrong("one node more", [d](pic::Grid& g) { ++g.nodes[d]; });
    wrong("otherwise periodic", [d](pic::Grid& g) { g.periodic[d] = !g.periodic[d]; });
  }
}
template <class Args>
void each_wrong_grid_of(const Wrong<Args>& wrong) {
  each_wrong_grid([&](const char* what, std::function<void(pic::Grid&)> change) {
    wrong("grid", what, [change = std::move(change)](Args& a) { change(a.grid); });
  });
}
template <class S>
void each_value(pic::ElectricFieldArgs<S>*, const WrongOf<pic::ElectricFieldArgs<S>>& wrong) {
  using Args = pic::ElectricFieldArgs<S>;
  each_wrong_grid_of<Args>(wrong);
  wrong("field along y", "inside the potential", [](Args& a) { put_at(a.field[1], a.potential); });
}
inline void each_value(pic::GreenFunctionArgs*, const Wrong<pic::GreenFunctionArgs>& wrong) {
  each_wrong_grid_of<pic::GreenFunctionArgs>(wrong);
}
template <class S>
void each_value(pic::ReorderArgs<S>*, const WrongOf<pic::ReorderArgs<S>>& wrong) {
  each_wrong_grid_of<pic::ReorderArgs<S>>(wrong);
}
template <class S>
void each_value(pic::PoissonSolveArgs<S>*, const WrongOf<pic::PoissonSolveArgs<S>>& wrong) {
  using Args = pic::PoissonSolveArgs<S>;
  each_wrong_grid_of<Args>(wrong);
  wrong("coefficient", "NaN", [](Args& a) { a.coefficient = NAN; });
  wrong("walls", "where there are none", [](Args& a) { a.walls = true; });
  wrong("coefficient", "infinite", [](Args& a) { a.coefficient = INFINITY; });
}
template <class S>
void each_value(pic::GatherKickArgs<S>*, const WrongOf<pic::GatherKickArgs<S>>& wrong) {
  using Args = pic::GatherKickArgs<S>;
  each_wrong_grid_of<Args>(wrong);
  wrong("factor", "NaN", [](Args& a) { a.factor = NAN; });
  wrong("momenta", "not given", [](Args& a) { a.momenta = {}; });
}
template <class S>
void each_value(pic::ChargeDepositArgs<S>*, const WrongOf<pic::ChargeDepositArgs<S>>& wrong) {
  using Args = pic::ChargeDepositArgs<S>;
  wrong("charge", "NaN", [](Args& a) { a.charge = NAN; });
  wrong("weights", "not given", [](Args& a) { a.weights = {}; });
  wrong("density", "not given", [](Args& a) { a.density = {}; });
  wrong("outside", "not given", [](Args& a) { a.outside = {}; });
  wrong("mode", "unknown", [](Args& a) { a.mode = static_cast<pic::DepositMode>(7); });
  each_wrong_grid_of<Args>(wrong);
}
template <class Args>
void each_wrong_reference(const Wrong<Args>& wrong) {
  for (const double momentum : {0.0, -1.0, double(NAN), double(INFINITY), 1e200, 1e-200})
    wrong("reference", "no momentum", [momentum](Args& a) { a.reference.beta_gamma = momentum; });
}
template <class S>
void each_value(pic::BoostedKickArgs<S>*, const WrongOf<pic::BoostedKickArgs<S>>& wrong) {
  using Args = pic::BoostedKickArgs<S>;
  each_wrong_reference<Args>(wrong);
  each_wrong_grid_of<Args>(wrong);
  wrong("accelerator", "unknown",
        [](Args& a) { a.accelerator = static_cast<pic::LongitudinalCoordinates>(7); });
  wrong("factor", "NaN", [](Args& a) { a.factor = NAN; });
  wrong("coordinates", "not given", [](Args& a) { a.coordinates = {}; });
}
template <class S>
void each_value(pic::FrameChangeArgs<S>*, const WrongOf<pic::FrameChangeArgs<S>>& wrong) {
  using Args = pic::FrameChangeArgs<S>;
  each_wrong_reference<Args>(wrong);
  wrong("accelerator", "unknown",
        [](Args& a) { a.accelerator = static_cast<pic::LongitudinalCoordinates>(7); });
  wrong("to", "unknown", [](Args& a) { a.to = static_cast<pic::Frame>(7); });
  wrong("impossible", "not given", [](Args& a) { a.impossible = {}; });
}
/// Calls `wrong(what, change)` for wrong values of each kind of element.
inline void each_wrong_element(
    const std::function<void(const char*, std::function<void(pic::Element&)>)>& wrong) {
  using pic::ElementKind;
  const auto number = [&](ElementKind kind, const char* what, double pic::Element::*member,
                          double value) {
    wrong(what, [kind, member, value](pic::Element& e) {
      e = {};
      e.half_x = e.half_y = 1;
      e.kind = kind;
      e.*member = value;
    });
  };
  using E = pic::Element;
  wrong("of an unknown kind", [](pic::Element& e) { e.kind = static_cast<ElementKind>(7); });
  for (const double value : {double(NAN), double(INFINITY)}) {
    number(ElementKind::drift, "length not finite", &E::length, value);
    number(ElementKind::cavity, "energy gain not finite", &E::energy_gain, value);
    number(ElementKind::cavity, "phase not finite", &E::phase, value);
    number(ElementKind::cavity, "wave number not finite", &E::wave_number, value);
    for (int i = 0; i < 6; ++i) {
      wrong("matrix not finite", [i, value](pic::Element& e) {
        e.kind = ElementKind::linear_map;
        e.map.matrix[i][5 - i] = value;
      });
      wrong("constant part not finite", [i, value](pic::Element& e) {
        e.kind = ElementKind::linear_map;
        e.map.constant[i] = value;
      });
    }
  }
  number(ElementKind::cavity, "wave number negative", &E::wave_number, -1e-9);
  for (const ElementKind kind : {ElementKind::rectangle_aperture, ElementKind::ellipse_aperture}) {
    for (const double value : {-1e-3, 0.0, double(NAN)}) {
      number(kind, "half axis along x not positive", &E::half_x, value);
      number(kind, "half axis along y not positive", &E::half_y, value);
    }
    number(kind, "center NaN", &E::center_x, NAN);
    number(kind, "center infinite", &E::center_y, INFINITY);
  }
}
template <class S>
void each_value(pic::TransportArgs<S>*, const WrongOf<pic::TransportArgs<S>>& wrong) {
  using Args = pic::TransportArgs<S>;
  each_wrong_reference<Args>(wrong);
  each_wrong_element([&](const char* what, std::function<void(pic::Element&)> change) {
    wrong("element", what, [change = std::move(change)](Args& a) { change(a.element); });
  });
  wrong("code", "0", [](Args& a) { a.code = 0; });
  wrong("lost_at", "without alive", [](Args& a) { a.alive = {}; });
  wrong("lost", "not given", [](Args& a) { a.lost = {}; });
}
template <class S>
void each_value(pic::BunchStatisticsArgs<S>*, const WrongOf<pic::BunchStatisticsArgs<S>>& wrong) {
  using Args = pic::BunchStatisticsArgs<S>;
  wrong("result", "not given", [](Args& a) { a.result = {}; });
  wrong("result", "inside the coordinates", [](Args& a) { put_at(a.result, a.coordinates); });
  wrong("result", "inside the weights", [](Args& a) { put_at(a.result, a.weights); });
  wrong("alive", "too short", [](Args& a) {
    static const std::uint8_t one = 1;
    a.alive = {&one, {1}};
  });
}
template <class S>
void each_value(reduction::SumArgs<S>*, const WrongOf<reduction::SumArgs<S>>& wrong) {
  using Args = reduction::SumArgs<S>;
  wrong("terms", "negative", [](Args& a) { a.terms.count = -1; });
  wrong("terms", "too many", [](Args& a) { a.terms.count = 1 << 20; });
  wrong("terms", "a column that is not there", [](Args& a) { a.terms.term[0].a = 6; });
  wrong("terms", "a column far away", [](Args& a) { a.terms.term[1].b = 32000; });
  wrong("terms", "a negative column", [](Args& a) { a.terms.term[0].b = -7; });
  wrong("result", "not given", [](Args& a) { a.result = {}; });
  wrong("mask", "too short", [](Args& a) {
    static const std::uint8_t one = 1;
    a.mask = {&one, {1}};
  });
  wrong("result", "inside the values", [](Args& a) { put_at(a.result, a.values); });
  if constexpr (std::is_integral_v<S>) {
    static const double one = 1;
    wrong("weights", "given", [](Args& a) { a.weights = {&one, {1}}; });
    wrong("origin", "given", [](Args& a) { a.origin = {&one, {1}}; });
  } else {
    wrong("overflow", "given", [](Args& a) {
      static std::int32_t none = 0;
      a.overflow = {&none, {1}};
    });
  }
}
template <class S>
void each_value(reduction::MomentsArgs<S>*, const WrongOf<reduction::MomentsArgs<S>>& wrong) {
  using Args = reduction::MomentsArgs<S>;
  wrong("weight", "not given", [](Args& a) { a.weight = {}; });
  wrong("means", "not given", [](Args& a) { a.means = {}; });
  wrong("seconds", "not given", [](Args& a) { a.seconds = {}; });
  wrong("means", "inside the values", [](Args& a) { put_at(a.means, a.values); });
  wrong("weight", "inside the means", [](Args& a) { put_at(a.weight, a.means); });
}
template <class S>
void each_value(reduction::ExtremaArgs<S>*, const WrongOf<reduction::ExtremaArgs<S>>& wrong) {
  using Args = reduction::ExtremaArgs<S>;
  wrong("extremes", "not given", [](Args& a) { a.extremes = {}; });
  wrong("extremes", "inside the values", [](Args& a) { put_at(a.extremes, a.values); });
}

/// Visits arrays of indices into other arrays, with the largest valid index.
template <class S, class Visit>
void each_index(const md::PairForceArgs<S>& args, const Visit& visit) {
  visit("types", args.types, args.coefficients.extent(0) - 1);
  visit("exclusions.offsets", args.exclusions.offsets, args.exclusions.partners.extent(0));
  visit("exclusions.partners", args.exclusions.partners, args.positions.extent(0) - 1);
}
template <class S, class Visit>
void each_index(const md::BondForceArgs<S>& args, const Visit& visit) {
  visit("offsets", args.offsets, args.partners.extent(0));
  visit("partners", args.partners, args.positions.extent(0) - 1);
  visit("kinds", args.kinds, args.coefficients.extent(0) - 1);
}
template <class S, class Visit>
void each_index(const md::IntegrateArgs<S>& args, const Visit& visit) {
  visit("types", args.types, args.force_to_accel.extent(0) - 1);
}
template <class S, class Visit>
void each_index(const md::LangevinArgs<S>& args, const Visit& visit) {
  visit("types", args.types, args.force_to_accel.extent(0) - 1);
}
template <class S, class Visit>
void each_index(const reduction::SumArgs<S>& args, const Visit& visit) {
  visit("weight_class", args.weight_class, args.weights.extent(0) - 1);
}
template <class S, class Visit>
void each_index(const reduction::MomentsArgs<S>& args, const Visit& visit) {
  visit("weight_class", args.weight_class, args.weights.extent(0) - 1);
}
template <class Args, class Visit>
void each_index(const Args&, const Visit&) {}

/// Visits arrays of numbers by type, which must not be negative.
template <class S, class Visit>
void each_number(const md::IntegrateArgs<S>& args, const Visit& visit) {
  visit("force_to_accel", args.force_to_accel);
}
template <class S, class Visit>
void each_number(const md::LangevinArgs<S>& args, const Visit& visit) {
  visit("force_to_accel", args.force_to_accel);
  visit("noise", args.noise);
  visit("half_mass", args.half_mass);
}
template <class Args, class Visit>
void each_number(const Args&, const Visit&) {}

/// Visits invalid values of each member of a problem.
inline void each_problem(md::PairForceProblem*, const Wrong<md::PairForceProblem>& wrong) {
  using Problem = md::PairForceProblem;
  wrong("atoms", "negative", [](Problem& p) { p.atoms = -1; });
  wrong("atoms", "more than places", [](Problem& p) { p.atoms = std::int64_t{1} << 31; });
  wrong("types", "none", [](Problem& p) { p.types = 0; });
  wrong("types", "negative", [](Problem& p) { p.types = -2; });
  wrong("cutoff", "0", [](Problem& p) { p.cutoff = 0; });
  wrong("cutoff", "NaN", [](Problem& p) { p.cutoff = NAN; });
  wrong("cutoff", "infinite", [](Problem& p) { p.cutoff = INFINITY; });
  wrong("skin", "negative", [](Problem& p) { p.skin = -0.5; });
  wrong("skin", "NaN", [](Problem& p) { p.skin = NAN; });
  wrong("potential", "unknown", [](Problem& p) { p.potential = "lj/cat"; });
}
inline void each_problem(md::BondForceProblem*, const Wrong<md::BondForceProblem>& wrong) {
  using Problem = md::BondForceProblem;
  wrong("atoms", "negative", [](Problem& p) { p.atoms = -1; });
  wrong("entries", "negative", [](Problem& p) { p.entries = -1; });
  wrong("kinds", "negative", [](Problem& p) { p.kinds = -1; });
  wrong("potential", "unknown", [](Problem& p) { p.potential = "harmonica"; });
}
inline void each_problem(md::IntegrateProblem*, const Wrong<md::IntegrateProblem>& wrong) {
  using Problem = md::IntegrateProblem;
  wrong("atoms", "negative", [](Problem& p) { p.atoms = -1; });
  wrong("types", "negative", [](Problem& p) { p.types = -1; });
}
inline void each_problem(md::DisplacementProblem*, const Wrong<md::DisplacementProblem>& wrong) {
  wrong("atoms", "negative", [](md::DisplacementProblem& p) { p.atoms = -1; });
}
inline void each_problem(md::WrapProblem*, const Wrong<md::WrapProblem>& wrong) {
  wrong("atoms", "negative", [](md::WrapProblem& p) { p.atoms = -1; });
}
inline void each_problem(pic::FrameChangeProblem*, const Wrong<pic::FrameChangeProblem>& wrong) {
  wrong("particles", "negative", [](pic::FrameChangeProblem& p) { p.particles = -1; });
}
inline void each_problem(pic::BunchStatisticsProblem*,
                         const Wrong<pic::BunchStatisticsProblem>& wrong) {
  wrong("particles", "negative", [](pic::BunchStatisticsProblem& p) { p.particles = -1; });
}
inline void each_problem(pic::TransportProblem*, const Wrong<pic::TransportProblem>& wrong) {
  wrong("particles", "negative", [](pic::TransportProblem& p) { p.particles = -1; });
}
template <class Problem>
void each_wrong_number_of_nodes(const Wrong<Problem>& wrong) {
  for (int d = 0; d < 3; ++d) {
    wrong("nodes", "none", [d](Problem& p) { p.nodes[d] = 0; });
    wrong("nodes", "negative", [d](Problem& p) { p.nodes[d] = -4; });
    wrong("nodes", "more than places", [d](Problem& p) { p.nodes[d] = std::int64_t{1} << 31; });
  }
}
template <class Problem>
void each_wrong_shape_order(const Wrong<Problem>& wrong) {
  for (const int order : {0, -1, 4})
    wrong("shape_order", "none", [order](Problem& p) { p.shape_order = order; });
  for (int d = 0; d < 3; ++d)
    for (const int order : {1, 2, 3})
      wrong("nodes", "fewer than share a particle", [d, order](Problem& p) {
        p.shape_order = order;
        p.nodes[d] = order;
        p.periodic[d] = false;
      });
}
inline void each_problem(pic::ChargeDepositProblem*,
                         const Wrong<pic::ChargeDepositProblem>& wrong) {
  using Problem = pic::ChargeDepositProblem;
  wrong("particles", "negative", [](Problem& p) { p.particles = -1; });
  each_wrong_number_of_nodes<Problem>(wrong);
  each_wrong_shape_order<Problem>(wrong);
}
inline void each_problem(pic::ElectricFieldProblem*,
                         const Wrong<pic::ElectricFieldProblem>& wrong) {
  each_wrong_number_of_nodes<pic::ElectricFieldProblem>(wrong);
}
template <class Problem>
void each_wrong_poisson_grid(const Wrong<Problem>& wrong) {
  each_wrong_number_of_nodes<Problem>(wrong);
  for (int d = 0; d < 3; ++d)
    wrong("nodes", "three", [d](Problem& p) { p.nodes[d] = 3; });
  wrong("boundary", "none", [](Problem& p) { p.boundary = static_cast<pic::PoissonBoundary>(9); });
}
inline void each_problem(pic::GreenFunctionProblem*,
                         const Wrong<pic::GreenFunctionProblem>& wrong) {
  using Problem = pic::GreenFunctionProblem;
  each_wrong_poisson_grid<Problem>(wrong);
  wrong("kind", "none", [](Problem& p) { p.kind = static_cast<pic::GreenKind>(-1); });
}
inline void each_problem(pic::ReorderProblem*, const Wrong<pic::ReorderProblem>& wrong) {
  using Problem = pic::ReorderProblem;
  wrong("particles", "negative", [](Problem& p) { p.particles = -1; });
  wrong("particles", "2^31", [](Problem& p) { p.particles = std::int64_t{1} << 31; });
  each_wrong_number_of_nodes<Problem>(wrong);
}
inline void each_problem(pic::PoissonSolveProblem*, const Wrong<pic::PoissonSolveProblem>& wrong) {
  each_wrong_poisson_grid<pic::PoissonSolveProblem>(wrong);
}
inline void each_problem(pic::BoostedKickProblem*, const Wrong<pic::BoostedKickProblem>& wrong) {
  using Problem = pic::BoostedKickProblem;
  wrong("particles", "negative", [](Problem& p) { p.particles = -1; });
  each_wrong_number_of_nodes<Problem>(wrong);
  each_wrong_shape_order<Problem>(wrong);
}
inline void each_problem(pic::GatherKickProblem*, const Wrong<pic::GatherKickProblem>& wrong) {
  using Problem = pic::GatherKickProblem;
  wrong("particles", "negative", [](Problem& p) { p.particles = -1; });
  each_wrong_number_of_nodes<Problem>(wrong);
  each_wrong_shape_order<Problem>(wrong);
}
inline void each_problem(reduction::SumProblem*, const Wrong<reduction::SumProblem>& wrong) {
  using Problem = reduction::SumProblem;
  wrong("rows", "negative", [](Problem& p) { p.rows = -1; });
  wrong("columns", "negative", [](Problem& p) { p.columns = -1; });
  wrong("terms", "negative", [](Problem& p) { p.terms = -1; });
  wrong("terms", "too many", [](Problem& p) { p.terms = 33; });
}
inline void each_problem(reduction::ExtremaProblem*,
                         const Wrong<reduction::ExtremaProblem>& wrong) {
  wrong("rows", "negative", [](reduction::ExtremaProblem& p) { p.rows = -1; });
  wrong("columns", "negative", [](reduction::ExtremaProblem& p) { p.columns = -1; });
}

}  // namespace tessera::test

#endif  // TESSERA_TESTS_CALLS_ARGUMENTS_HPP
