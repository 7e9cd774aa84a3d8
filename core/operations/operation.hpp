#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tessera/core/base/error.hpp>
#include <tessera/core/base/precision.hpp>
#include <tessera/core/memory/view.hpp>
#include <tessera/core/operations/choices.hpp>
#include <tessera/core/operations/implementation.hpp>

/// \file
/// Everything that the header of an operation needs (CONTRIBUTING, "Add an operation").

namespace tessera {

/// What most tags say: arguments by the type of the arrays, no further questions to a plan.
template <template <class> class ArgsType, class ProblemType, Prepare need = Prepare::none>
struct PlainOperation {
  template <class P>
  using Args = ArgsType<typename P::Storage>;
  using Problem = ProblemType;
  using PlanInterface = NoPlanInterface;
  static constexpr Prepare prepare = need;
};

}  // namespace tessera
