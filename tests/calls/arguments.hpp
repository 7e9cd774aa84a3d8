#ifndef TESSERA_TESTS_CALLS_ARGUMENTS_HPP
#define TESSERA_TESTS_CALLS_ARGUMENTS_HPP

#include "core/operations/argument_visitors.hpp"
#include "generated/all_operations.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Wrong calls that follow from the declared arguments of an operation (`for_each_argument`), and
/// wrong values of the others.

namespace tessera::test {

/// Calls `visit(name, view, kind)` for each array.
template <class Check, class Args, class Visit>
void each_array(const Check& check, Args& args, const Visit& visit) {
  EachArray<Visit> each(visit);
  check.for_each_argument(each, args);
}

/// Calls `visit(name, view, largest)` for each array of indices, with the largest valid index.
template <class Visit>
struct EachIndex : ArgumentVisitor {
  explicit EachIndex(const Visit& given) : visit(given) {}
  template <class View>
  void indices(const char* name, View& view, std::int64_t upper, bool = false) {
    visit(name, view, upper - 1);
  }
  const Visit& visit;
};

/// Calls `visit(name, view)` for each array of numbers that must not be negative.
template <class Visit>
struct EachNumber : ArgumentVisitor {
  explicit EachNumber(const Visit& given) : visit(given) {}
  template <class View>
  void not_negative(const char* name, View& view) {
    visit(name, view);
  }
  const Visit& visit;
};

/// Makes an output begin at the address of another array, of any type.
template <class T, int Rank, class Other, int OtherRank>
void put_at(View<T, Rank>& view, const View<Other, OtherRank>& other) {
  view.data = reinterpret_cast<T*>(const_cast<std::remove_const_t<Other>*>(other.data));
}

template <class Check, class Args, class Visit>
void each_index(const Check& check, Args& args, const Visit& visit) {
  EachIndex<Visit> each(visit);
  check.for_each_argument(each, args);
}
template <class Check, class Args, class Visit>
void each_number(const Check& check, Args& args, const Visit& visit) {
  EachNumber<Visit> each(visit);
  check.for_each_argument(each, args);
}

/// Lists the wrong values that follow from the declaration, and makes one of them.
struct WrongValues : ArgumentVisitor {
  struct Value {
    const char* argument;
    std::string what;
    bool read_by_prepare;
  };
  std::vector<Value> values;
  std::size_t made = SIZE_MAX;  ///< the value that is made

  template <class View, int Rank>
  void array(const char* name, View& view, const std::int64_t (&)[Rank]) {
    value(name, "not given", true, [&] { view = {}; });
  }
  template <class View, int Rank>
  void host_array(const char* name, View& view, const std::int64_t (&)[Rank]) {
    value(name, "not given", true, [&] { view = {}; });
  }
  template <class View, int Rank>
  void output(const char* name, View& view, const std::int64_t (&)[Rank]) {
    value(name, "not given", false, [&] { view = {}; });
  }
  template <class View>
  void at_least(const char* name, View& view, std::int64_t) {
    value(name, "not given", false, [&] { view = {}; });
  }
  template <class View, class Other>
  void no_overlap(const char* name, View& view, const char* other_name, Other& other) {
    if (view.extents[0] < 1 || other.extents[0] < 1) return;
    value(name, std::string("inside ") + other_name, false, [&] { put_at(view, other); });
  }
  template <class Number>
  void finite(const char* name, Number& number) {
    value(name, "NaN", true, [&] { number = NAN; });
    value(name, "infinite", true, [&] { number = INFINITY; });
  }
  template <class T, std::size_t count>
  void choice(const char* name, T& one, const T (&)[count], const char*) {
    value(name, "unknown", true, [&] { one = static_cast<T>(7); });
  }

 private:
  template <class Change>
  void value(const char* name, const std::string& what, bool read_by_prepare,
             const Change& change) {
    if (values.size() == made) change();
    values.push_back({name, what, read_by_prepare});
  }
};

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
    static double numbers[24];
    a.energy = {};
    if constexpr (requires { a.virial(0); })
      a.virial = {numbers, {6}};
    else
      a.virial = {numbers, {4, 6}};
  });
  wrong("owned", "negative", [](Args& a) { a.owned = -1; });
  wrong("owned", "more than rows", [](Args& a) { a.owned = a.positions.extents[0] + 1; });
  wrong("owned", "least number",
        [](Args& a) { a.owned = std::numeric_limits<std::int64_t>::min(); });
}
template <class Args>
void each_largest_charge(const Wrong<Args>& wrong) {
  wrong("largest_charge", "NaN", [](Args& a) { a.largest_charge = NAN; });
  wrong("largest_charge", "infinite", [](Args& a) { a.largest_charge = INFINITY; });
  wrong("largest_charge", "negative", [](Args& a) { a.largest_charge = -1; });
}

/// Visits wrong values of arguments that are not declared, or depend on others.
template <class Args>
void each_value(Args*, const WrongOf<Args>&) {}
template <class S>
void each_value(md::PairForceArgs<S>*, const WrongOf<md::PairForceArgs<S>>& wrong) {
  using Args = md::PairForceArgs<S>;
  each_force_value<Args>(wrong);
  each_largest_charge<Args>(wrong);
  wrong("exclusions", "not given", [](Args& a) { a.exclusions = {}; });
  wrong("lowest", "NaN", [](Args& a) { a.lowest[1] = NAN; });
  wrong("lowest", "-infinity", [](Args& a) { a.lowest[2] = -INFINITY; });
}
template <class S>
void each_value(md::SpecialForceArgs<S>*, const WrongOf<md::SpecialForceArgs<S>>& wrong) {
  each_force_value<md::SpecialForceArgs<S>>(wrong);
  each_largest_charge<md::SpecialForceArgs<S>>(wrong);
}
template <class S>
void each_value(md::ListedForceArgs<S>*, const WrongOf<md::ListedForceArgs<S>>& wrong) {
  each_force_value<md::ListedForceArgs<S>>(wrong);
}
template <class S>
void each_value(md::LangevinArgs<S>*, const WrongOf<md::LangevinArgs<S>>& wrong) {
  using Args = md::LangevinArgs<S>;
  wrong("keep", "NaN", [](Args& a) { a.keep = NAN; });
  wrong("keep", "negative", [](Args& a) { a.keep = -0.5; });
  wrong("keep", "above 1", [](Args& a) { a.keep = 1.5; });
  wrong("dimensions", "1", [](Args& a) { a.dimensions = 1; });
  wrong("dimensions", "4", [](Args& a) { a.dimensions = 4; });
  wrong("total_half_mass", "NaN", [](Args& a) { a.total_half_mass = NAN; });
  wrong("total_half_mass", "negative", [](Args& a) { a.total_half_mass = -1; });
  wrong("total_half_mass", "infinite", [](Args& a) { a.total_half_mass = INFINITY; });
}
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
  wrong("walls", "where there are none", [](Args& a) { a.walls = true; });
}
template <class S>
void each_value(pic::GatherKickArgs<S>*, const WrongOf<pic::GatherKickArgs<S>>& wrong) {
  using Args = pic::GatherKickArgs<S>;
  each_wrong_grid_of<Args>(wrong);
}
template <class S>
void each_value(pic::ChargeDepositArgs<S>*, const WrongOf<pic::ChargeDepositArgs<S>>& wrong) {
  using Args = pic::ChargeDepositArgs<S>;
  wrong("weights", "not given", [](Args& a) { a.weights = {}; });
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
}
template <class S>
void each_value(pic::FrameChangeArgs<S>*, const WrongOf<pic::FrameChangeArgs<S>>& wrong) {
  using Args = pic::FrameChangeArgs<S>;
  each_wrong_reference<Args>(wrong);
  wrong("accelerator", "unknown",
        [](Args& a) { a.accelerator = static_cast<pic::LongitudinalCoordinates>(7); });
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
}
template <class S>
void each_value(pic::BunchStatisticsArgs<S>*, const WrongOf<pic::BunchStatisticsArgs<S>>& wrong) {
  using Args = pic::BunchStatisticsArgs<S>;
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
  wrong("mask", "too short", [](Args& a) {
    static const std::uint8_t one = 1;
    a.mask = {&one, {1}};
  });
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
  wrong("seconds", "not given", [](Args& a) { a.seconds = {}; });
}

/// Visits invalid values of each member of a problem.
template <class Problem>
void each_problem(Problem*, const WrongOf<Problem>&) {}
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
inline void each_problem(md::ListedForceProblem*, const Wrong<md::ListedForceProblem>& wrong) {
  using Problem = md::ListedForceProblem;
  wrong("atoms", "negative", [](Problem& p) { p.atoms = -1; });
  wrong("entries", "negative", [](Problem& p) { p.entries = -1; });
  wrong("angle types", "negative", [](Problem& p) { p.classes[md::angle_class].types = -1; });
  wrong("angle potential", "unknown",
        [](Problem& p) { p.classes[md::angle_class].potential = "harmonica"; });
  wrong("angle potential", "not given", [](Problem& p) { p.classes[md::angle_class] = {"", 2}; });
}
inline void each_problem(md::SpecialForceProblem*, const Wrong<md::SpecialForceProblem>& wrong) {
  using Problem = md::SpecialForceProblem;
  wrong("atoms", "negative", [](Problem& p) { p.atoms = -1; });
  wrong("entries", "negative", [](Problem& p) { p.entries = -1; });
  wrong("kinds", "negative", [](Problem& p) { p.kinds = -1; });
  wrong("potential", "unknown", [](Problem& p) { p.potential = "lj/cat"; });
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
