#ifndef TESSERA_CORE_OPERATIONS_OPERATION_HPP
#define TESSERA_CORE_OPERATIONS_OPERATION_HPP

#include "core/base/error.hpp"
#include "core/base/precision.hpp"
#include "core/memory/view.hpp"
#include "core/operations/choices.hpp"
#include "core/operations/implementation.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Everything that the header of an operation needs (CONTRIBUTING, "Add an operation").

namespace tessera {

/// Members that most tags share: arguments by the type of the arrays, a plan without additional
/// queries, and a problem without optional features.
template <template <class> class ArgsType, class ProblemType,
          OperationTraits of = OperationTraits{}, class FeaturesType = NoFeatures>
struct PlainOperation {
  template <class P>
  using Args = ArgsType<typename P::Storage>;
  using Problem = ProblemType;
  using PlanInterface = NoPlanInterface;
  using Features = FeaturesType;
  static constexpr OperationTraits traits = of;
};

}  // namespace tessera

#endif  // TESSERA_CORE_OPERATIONS_OPERATION_HPP
