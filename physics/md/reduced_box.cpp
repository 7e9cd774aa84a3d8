#include "physics/md/reduced_box.hpp"

#include <cmath>

namespace tessera::md {
namespace {

std::int32_t whole(double tilt, double length) {
  return static_cast<std::int32_t>(std::nearbyint(tilt / length));
}

}  // namespace

TiltSteps least_tilt(const Box& box) {
  TiltSteps steps;
  steps.xy = whole(box.tilt[0], box.length[0]);
  const double xy = box.tilt[0] - steps.xy * box.length[0];
  steps.yz = whole(box.tilt[2], box.length[1]);
  steps.xz = whole(box.tilt[1] - steps.yz * xy, box.length[0]);
  return steps;
}

Box reduced(const Box& box, const TiltSteps& steps) {
  Box result = box;
  result.tilt[0] = box.tilt[0] - steps.xy * box.length[0];
  result.tilt[1] = box.tilt[1] - steps.yz * result.tilt[0] - steps.xz * box.length[0];
  result.tilt[2] = box.tilt[2] - steps.yz * box.length[1];
  return result;
}

double width_between_faces(const Box& box, int d) {
  const double* const length = box.length;
  const double xy = box.tilt[0];
  const double xz = box.tilt[1];
  const double yz = box.tilt[2];
  // Volume over the area of the face.
  const double along_y = d == 0 ? xy / length[1] : 0;
  const double along_z = d == 0   ? (xy * yz / length[1] - xz) / length[2]
                         : d == 1 ? yz / length[2]
                                  : 0;
  return length[d] / std::sqrt(1 + along_y * along_y + along_z * along_z);
}

}  // namespace tessera::md
