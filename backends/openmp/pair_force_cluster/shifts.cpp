#include "backends/openmp/pair_force_cluster/shifts.hpp"

#include "backends/openmp/pair_force_cluster/cluster_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tessera::openmp::cluster {

Shifts::Shifts(const md::Box& box) {
  static_assert(code_count == shift_count);
  for (int d = 0; d < 3; ++d)
    periodic_[d] = box.periodic[d];
  const auto along = [&](int d, int s) { return periodic_[d] ? s : 0; };
  const auto whole = [](double x) { return static_cast<std::int32_t>(std::round(x)); };
  for (int sx = -1; sx <= 1; ++sx)
    for (int sy = -1; sy <= 1; ++sy)
      for (int sz = -1; sz <= 1; ++sz) {
        // Rounding is odd in its argument: the opposite code gets the opposite vector.
        std::int32_t* n = counts_[shift_code(sx, sy, sz)];
        n[2] = along(2, sz);
        n[1] = along(1, sy) - whole(n[2] * box.tilt[2] / box.length[1]);
        n[0] = along(0, sx) - whole((n[1] * box.tilt[0] + n[2] * box.tilt[1]) / box.length[0]);
      }
  follow(box);
}

void Shifts::follow(const md::Box& box) {
  tilted_ = box.tilted();
  for (int code = 0; code < code_count; ++code) {
    const std::int32_t* n = counts_[code];
    vectors_[code][0] = n[0] * box.length[0] + (n[1] * box.tilt[0] + n[2] * box.tilt[1]);
    vectors_[code][1] = n[1] * box.length[1] + n[2] * box.tilt[2];
    vectors_[code][2] = n[2] * box.length[2];
  }
}

bool Shifts::possible(int code) const {
  const int along[3] = {code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1};
  bool possible = true;
  for (int d = 0; d < 3; ++d)
    possible = possible && (periodic_[d] || along[d] == 0);
  return possible;
}

int Shifts::most(int d) const {
  int most = 0;
  for (const auto& n : counts_)
    most = std::max(most, std::abs(n[d]));
  return most;
}

}  // namespace tessera::openmp::cluster
