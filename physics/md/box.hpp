#ifndef TESSERA_PHYSICS_MD_BOX_HPP
#define TESSERA_PHYSICS_MD_BOX_HPP

#include "core/base/error.hpp"
#include "physics/md/box_shape.hpp"

#include <optional>
#include <string>

/// \file
/// The simulation box in other units, and its faults.

namespace tessera::md {

/// The same box with lengths in units of `unit`.
[[nodiscard]] inline Box in_unit(Box box, double unit) {
  for (int d = 0; d < 3; ++d) {
    box.lower[d] /= unit;
    box.length[d] /= unit;
    box.tilt[d] /= unit;
  }
  return box;
}

/// The box of a call cannot be used: it is missing, or the plan does not support it.
class BoxError : public ArgumentError {
 public:
  /// \param field "length x", "tilt xy", ...; empty where the fault is in the box as a whole
  BoxError(std::string field, const std::string& message)
      : ArgumentError(std::string("box"), message), field_(std::move(field)) {}
  [[nodiscard]] const std::string& field() const noexcept { return field_; }

 private:
  std::string field_;
};

/// Fault of a box: the number that is wrong and the values that were expected.
struct BoxFault {
  std::string field;  ///< "lower x", "length x", "tilt xy"
  double value = 0;
  std::string expected;
};

/// The first fault: a number that is not finite, a length not from 1e-100 to 1e100 or lost beside
/// the low corner, a tilt with a direction that is not periodic, a tilt of more than 1e6 lengths.
[[nodiscard]] std::optional<BoxFault> find_fault(const Box& box);

/// \throws BoxError naming the first fault.
void check_box(const Box& box);

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_BOX_HPP
