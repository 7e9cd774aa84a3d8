#ifndef TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_PORTABLE_HPP
#define TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_PORTABLE_HPP

#include "core/base/device_code.hpp"
#include "core/operations/portable_plan.hpp"
#include "physics/pic/electric_field/electric_field.hpp"

#include <utility>

/// \file
/// Portable body of pic/electric_field: one work item per node, so that neighboring items access
/// neighboring addresses.

namespace tessera::pic {

template <class Storage>
struct FieldOfNode {
  ElectricFieldArgs<Storage> args;
  Storage half_inverse[3];  ///< 1 / (2 h)

  TESSERA_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const std::int64_t node[3] = {i, j, k};
    const Storage* const here = &args.potential(i, j, k);
    for (int a = 0; a < 3; ++a)
      args.field[a](i, j, k) = half_inverse[a] * difference(here, node[a], a);
  }

 private:
  /// The field times twice the spacing.
  [[nodiscard]] TESSERA_INLINE Storage difference(const Storage* here, std::int64_t at,
                                                  int a) const {
    const std::int64_t n = args.grid.nodes[a];
    const std::int64_t step = args.potential.strides[a];
    if (at > 0 && at + 1 < n) return here[-step] - here[step];
    if (args.grid.periodic[a])
      return at > 0 ? here[-step] - here[-at * step]
                    : here[(n - 1) * step] - (n > 1 ? here[step] : here[0]);
    const Storage side = at == 0 ? Storage(1) : Storage(-1);
    const std::int64_t inward = at == 0 ? step : -step;
    if (n == 2) return side * Storage(2) * (here[0] - here[inward]);
    return side * (Storage(3) * here[0] - Storage(4) * here[inward] + here[2 * inward]);
  }
};

template <class P, ExecutionSpace Space>
class ElectricFieldPortable : public PortablePlan<ElectricField, P, Space> {
 public:
  using PortablePlan<ElectricField, P, Space>::PortablePlan;
  using Args = typename Plan<ElectricField, P>::Args;
  static constexpr PlanTraits<ElectricField> traits{.determinism = Determinism::any_order};

  static Refusal can_run(const ElectricFieldProblem&, const Context&, const NoParameters&) {
    return {};
  }

  void execute(const Args& given) override {
    using Storage = typename P::Storage;
    Args args = given;
    // Exchanges directions, which the kernel treats alike, so that the last one has the smallest
    // stride.
    for (const int a : {0, 1, 0})
      if (args.potential.strides[a] < args.potential.strides[a + 1]) exchange(args, a, a + 1);
    const Grid& grid = args.grid;
    FieldOfNode<Storage> body{args, {}};
    for (int a = 0; a < 3; ++a)
      body.half_inverse[a] = static_cast<Storage>(0.5 / grid.spacing[a]);
    this->space_.for_each("electric field", Extents3{grid.nodes[0], grid.nodes[1], grid.nodes[2]},
                          body);
  }

 private:
  static void exchange(Args& args, int a, int b) {
    const auto in_view = [&](auto& view) {
      std::swap(view.extents[a], view.extents[b]);
      std::swap(view.strides[a], view.strides[b]);
    };
    in_view(args.potential);
    for (auto& field : args.field)
      in_view(field);
    std::swap(args.field[a], args.field[b]);
    std::swap(args.grid.spacing[a], args.grid.spacing[b]);
    std::swap(args.grid.nodes[a], args.grid.nodes[b]);
    std::swap(args.grid.periodic[a], args.grid.periodic[b]);
  }
};

}  // namespace tessera::pic

#endif  // TESSERA_PHYSICS_PIC_ELECTRIC_FIELD_ELECTRIC_FIELD_PORTABLE_HPP
