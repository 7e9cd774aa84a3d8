#ifndef TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/green_function/cell_integrals.hpp"
#include "physics/pic/green_function/green_function.hpp"

#include <cmath>
#include <numbers>

/// \file
/// Portable body of pic/green_function. Open boundaries: computes the closed form once for each
/// corner of the cells, which eight cells share, then differences. Periodic along z: one work item
/// per value.

namespace tessera::pic {

/// Value of the closed form at the corner ((i + 1/2) hx, (j + 1/2) hy, (k + 1/2) hz).
struct CornerIntegral {
  double* corners;
  std::int64_t ny, nz;
  double spacing[3];

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const auto half = [](std::int64_t n) { return static_cast<double>(n) + 0.5; };
    corners[(i * ny + j) * nz + k] =
        inverse_distance_integral(half(i) * spacing[0], half(j) * spacing[1], half(k) * spacing[2]);
  }
};

struct CornerDifferences {
  const double* corners;
  std::int64_t ny, nz;
  double inverse_volume;
  View<double, 3> values;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const double upper = along_y(i, j, k);
    // The closed form is odd in each coordinate.
    const double lower = i > 0 ? along_y(i - 1, j, k) : -upper;
    values(i, j, k) = (upper - lower) * inverse_volume;
  }

 private:
  [[nodiscard]] TESSERA_INLINE double along_y(std::int64_t i, std::int64_t j,
                                              std::int64_t k) const {
    const double upper = along_z(i, j, k);
    return upper - (j > 0 ? along_z(i, j - 1, k) : -upper);
  }
  [[nodiscard]] TESSERA_INLINE double along_z(std::int64_t i, std::int64_t j,
                                              std::int64_t k) const {
    const double* const row = corners + (i * ny + j) * nz;
    return row[k] - (k > 0 ? row[k - 1] : -row[0]);
  }
};

struct InverseDistance {
  double spacing[3];
  View<double, 3> values;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const double x = static_cast<double>(i) * spacing[0];
    const double y = static_cast<double>(j) * spacing[1];
    const double z = static_cast<double>(k) * spacing[2];
    const double volume = spacing[0] * spacing[1] * spacing[2];
    values(i, j, k) = i + j + k > 0 ? 1 / ::sqrt(x * x + y * y + z * z)
                                    : 8 / volume *
                                          inverse_distance_integral(spacing[0] / 2, spacing[1] / 2,
                                                                    spacing[2] / 2);
  }
};

struct PeriodicPotential {
  double spacing[2];
  double period;
  bool integrated;
  View<double, 3> values;

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t m) const {
    const double x = static_cast<double>(i) * spacing[0];
    const double y = static_cast<double>(j) * spacing[1];
    const double area = spacing[0] * spacing[1];
    const double wave = 2 * std::numbers::pi * static_cast<double>(m) / period;
    const bool mean = integrated || i + j == 0;
    double value;
    if (m > 0) {
      value = mean ? BesselCell(wave, spacing[0] / 2, spacing[1] / 2)(x, y) / area
                   : bessel_k(wave * ::sqrt(x * x + y * y)).k0;
    } else if (mean) {
      value = ::log(period) - logarithm_cell(x, y) / area;
    } else {
      value = ::log(period / ::sqrt(x * x + y * y));
    }
    values(i, j, m) = 2 * value;
  }

 private:
  [[nodiscard]] TESSERA_INLINE double logarithm_cell(double x, double y) const {
    return LogarithmCell{spacing[0] / 2, spacing[1] / 2}(x, y);
  }
};

template <class P, ExecutionSpace Space>
class GreenFunctionPortable : public PortablePlan<GreenFunction, P, Space> {
 public:
  using PortablePlan<GreenFunction, P, Space>::PortablePlan;
  using Args = GreenFunctionArgs;
  static constexpr PlanTraits<GreenFunction> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const GreenFunctionProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& args) override {
    const double* const h = args.grid.spacing;
    const std::int64_t* const n = this->problem_.nodes;
    const Extents3 all{n[0] + 1, n[1] + 1, green_extent_z(this->problem_.boundary, n[2])};
    const bool integrated = this->problem_.kind == GreenKind::integrated;
    if (this->problem_.boundary == PoissonBoundary::periodic_z) {
      this->space_.for_each(
          "periodic green function", all,
          PeriodicPotential{
              {h[0], h[1]}, static_cast<double>(n[2]) * h[2], integrated, args.values});
    } else if (integrated) {
      this->space_.for_each("corners of cells", all,
                            CornerIntegral{corners_.data(), all.y, all.z, {h[0], h[1], h[2]}});
      this->space_.for_each(
          "green function", all,
          CornerDifferences{corners_.data(), all.y, all.z, 1 / (h[0] * h[1] * h[2]), args.values});
    } else {
      this->space_.for_each("point green function", all,
                            InverseDistance{{h[0], h[1], h[2]}, args.values});
    }
  }

 private:
  [[nodiscard]] std::int64_t corners_needed() const {
    const std::int64_t* const n = this->problem_.nodes;
    const bool open = this->problem_.boundary == PoissonBoundary::open;
    return open && this->problem_.kind == GreenKind::integrated
               ? (n[0] + 1) * (n[1] + 1) * (n[2] + 1)
               : 0;
  }

  Buffer<double, Space> corners_{this->space_, corners_needed()};
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_GREEN_FUNCTION_GREEN_FUNCTION_PORTABLE_HPP
