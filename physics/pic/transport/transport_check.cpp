#include "core/base/shortest_number.hpp"
#include "physics/pic/reference_check.hpp"
#include "physics/pic/transport/transport.hpp"

#include <cmath>
#include <string>

namespace tessera::pic {
namespace {

/// Checks the numbers of one element.
class ElementNumbers {
 public:
  ElementNumbers(const ArgumentCheck& check, const Element& element)
      : check_(check), element_(element) {}

  void finite(const char* field, double value) const {
    require(std::isfinite(value), field, value, "a finite number");
  }
  void require(bool holds, const std::string& field, double value, const char* expected) const {
    check_.require(holds, "element", [&] {
      return std::string(name(element_.kind)) + ": " + field + " is " + shortest_number(value) +
             ", expected " + expected;
    });
  }

  void map() const {
    const LinearMap& map = element_.map;
    for (int i = 0; i < 6; ++i) {
      require(std::isfinite(map.constant[i]), "constant part", map.constant[i], "finite numbers");
      for (int j = 0; j < 6; ++j)
        require(std::isfinite(map.matrix[i][j]), "the matrix", map.matrix[i][j], "finite numbers");
    }
  }
  void cavity() const {
    finite("energy_gain", element_.energy_gain);
    finite("phase", element_.phase);
    const double k = element_.wave_number;
    require(std::isfinite(k) && k >= 0, "wave_number", k, "a finite number, 0 or above");
  }
  void aperture() const {
    half_axis("half_x", element_.half_x);
    half_axis("half_y", element_.half_y);
    finite("center_x", element_.center_x);
    finite("center_y", element_.center_y);
  }

 private:
  void half_axis(const char* field, double value) const {
    require(value > 0, field, value, "a positive number");
  }

  const ArgumentCheck& check_;
  const Element& element_;
};

}  // namespace

void check_element(const ArgumentCheck& check, const Element& element) {
  const ElementNumbers numbers(check, element);
  switch (element.kind) {
    case ElementKind::linear_map:
      return numbers.map();
    case ElementKind::drift:
      return numbers.finite("length", element.length);
    case ElementKind::cavity:
      return numbers.cavity();
    case ElementKind::rectangle_aperture:
    case ElementKind::ellipse_aperture:
      return numbers.aperture();
  }
  check.refuse("element",
               "its kind is none of linear_map, drift, cavity, rectangle_aperture, "
               "ellipse_aperture");
}

TransportCheck::TransportCheck(const TransportProblem& problem) : problem_(problem) {
  require_count(Transport::name, "particles", problem.particles);
}

template <class Storage>
void TransportCheck::operator()(ArgumentCheck& check, const TransportArgs<Storage>& args) const {
  for_each_argument(check, args);
  check.require(args.alive.given() || !args.lost_at.given(), "lost_at",
                "given without 'alive', which marks lost particles");
  check.require(args.code != 0, "code", "0, expected another value, which marks a lost particle");
  check_reference(check, args.reference);
  check_element(check, args.element);
}

template void TransportCheck::operator()(ArgumentCheck&, const TransportArgs<double>&) const;
template void TransportCheck::operator()(ArgumentCheck&, const TransportArgs<float>&) const;

template <class Storage>
TransportProblem transport_problem(const TransportArgs<Storage>& args) {
  const TransportProblem problem{
      ArgumentCheck(Transport::name).rows("coordinates", args.coordinates)};
  check_arguments<Transport>(problem, args);
  return problem;
}

template TransportProblem transport_problem<double>(const TransportArgs<double>&);
template TransportProblem transport_problem<float>(const TransportArgs<float>&);

}  // namespace tessera::pic
