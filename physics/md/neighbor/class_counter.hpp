#ifndef TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_COUNTER_HPP
#define TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_COUNTER_HPP

#include "core/base/device_code.hpp"
#include "core/execution/buffer.hpp"
#include "core/execution/execution_space.hpp"
#include "core/memory/view.hpp"
#include "physics/md/neighbor/cutoff_classes.hpp"

#include <cstdint>

/// \file
/// Numbers of atoms, and of targets among them, by cutoff class.

namespace tessera::md {

struct JoinClassCounts {
  TESSERA_FUNCTION void operator()(ClassCounts& into, const ClassCounts& from) const {
    for (int c = 0; c < CutoffClasses::most; ++c)
      into.of[c] += from.of[c];
  }
};

struct CountClass {
  View<const std::int32_t, 1> types;
  const std::int32_t* class_of_type;

  TESSERA_FUNCTION void operator()(std::int64_t i, ClassCounts& counts) const {
    const std::int32_t own = class_of_type[types(i)];
    for (int c = 0; c < CutoffClasses::most; ++c)
      counts.of[c] += c == own ? 1 : 0;
  }
};

/// Uploads the class of each type and counts the atoms of each class. Waits for the device only if
/// pairs of types have different cutoffs.
template <ExecutionSpace Space>
class ClassCounter {
 public:
  explicit ClassCounter(Space space)
      : space_(space), class_of_type_(space), result_(space, 1), workspace_(space) {}

  /// \param owned number of targets, the first of the atoms.
  /// \returns CutoffClasses::typical_cutoff.
  double take(const CutoffClasses& classes, View<const std::int32_t, 1> types, std::int64_t owned) {
    if (!classes.uniform) class_of_type_.upload(classes.of_type.data(), classes.types);
    counts_ = count(classes, types, types.extent(0));
    targets_ = owned == types.extent(0) ? counts_ : count(classes, types, owned);
    return classes.typical_cutoff(counts_);
  }
  double take(const CutoffClasses& classes, View<const std::int32_t, 1> types) {
    return take(classes, types, types.extent(0));
  }

  [[nodiscard]] const ClassCounts& counts() const { return counts_; }
  [[nodiscard]] const ClassCounts& targets() const { return targets_; }
  /// In the memory of the space.
  [[nodiscard]] const std::int32_t* class_of_type() const { return class_of_type_.data(); }

 private:
  [[nodiscard]] ClassCounts count(const CutoffClasses& classes, View<const std::int32_t, 1> types,
                                  std::int64_t atoms) {
    ClassCounts counts;
    counts.of[0] = atoms;
    if (classes.uniform) return counts;
    workspace_.require(Space::template reduce_bytes<ClassCounts>(atoms));
    space_.reduce("count classes", atoms, ClassCounts{}, CountClass{types, class_of_type_.data()},
                  JoinClassCounts{}, result_.data(), workspace_.get());
    return result_.read();
  }

  Space space_;
  Buffer<std::int32_t, Space> class_of_type_;
  Buffer<ClassCounts, Space> result_;
  WorkspaceBuffer<Space> workspace_;
  ClassCounts counts_;
  ClassCounts targets_;
};

}  // namespace tessera::md

#endif  // TESSERA_PHYSICS_MD_NEIGHBOR_CLASS_COUNTER_HPP
