#include "physics/md/pair_force/gradient_check.hpp"
#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace tessera::md {
namespace {

/// E = 1/r, with a force that is wrong by `error` beyond `begin`.
template <class Error>
struct Inverse {
  static void pack(const double* field, double* packed) { packed[0] = field[0]; }
  static void evaluate(const double*, const double*, const PairAtoms& pair, PairValue& value) {
    const double r = pair.r;
    value.energy = 1 / r;
    value.force_over_r = Error::factor(r) / (r * r * r);
  }
  static CoefficientTable table() {
    PairPotentialPart part;
    part.name = "inverse";
    PotentialDeclaration(part).has("cutoff", "cutoff").cutoff();
    part.width = 1;
    part.pack = &pack;
    part.evaluate = &evaluate;
    CoefficientTable table(PairPotential({part}), 2);
    table.set_all({{"cutoff", 3.0}});
    return table;
  }
};

struct Right {
  static double factor(double) { return 1; }
};
struct WrongSign {
  static double factor(double) { return -1; }
};
struct ForceTimesR {
  static double factor(double r) { return r; }
};
struct SmallError {
  static double factor(double r) { return r > 2.5 ? 1 + 1e-5 : 1; }
};
struct NotANumber {
  static double factor(double) { return std::nan(""); }
};

TEST_CASE("a wrong force is found, and its distance") {
  CHECK(!find_wrong_force(Inverse<Right>::table()));
  const auto sign = find_wrong_force(Inverse<WrongSign>::table());
  REQUIRE(sign.has_value());
  CHECK(sign->distance == test::relative(1.0));
  CHECK(sign->force == test::relative(-1.0));
  CHECK(sign->slope == test::relative(1.0));
  CHECK(find_wrong_force(Inverse<ForceTimesR>::table()).has_value());
  const auto small = find_wrong_force(Inverse<SmallError>::table());
  REQUIRE(small.has_value());
  CHECK(small->distance > 2.5);
  CHECK(find_wrong_force(Inverse<NotANumber>::table()).has_value());
}

}  // namespace
}  // namespace tessera::md
