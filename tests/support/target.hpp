#pragma once

#include <tessera/core/memory/device.hpp>
#include <tessera/core/operations/implementation.hpp>
#include <tessera/generated/elements.hpp>

/// \file
/// What a conformance executable was told to test.

namespace tessera::test {

/// The implementation named by --implementation and --precision.
[[nodiscard]] const ImplementationBase& target();

/// A device that `target()` can run on.
[[nodiscard]] Context context();

/// The same, where calls to the operation run `target()`.
[[nodiscard]] Context context_with_target();

/// `target()` with its type, or null when it has another precision.
template <class Operation, class P>
[[nodiscard]] const Implementation<Operation, P>* target_as() {
  if (target().info().precision != P::value) return nullptr;
  return dynamic_cast<const Implementation<Operation, P>*>(&target());
}

/// Calls `property.template operator()<P>(implementation)` with the precision of the target:
///
///     test::with_target<Sum>([]<class P>(const Implementation<Sum, P>& implementation) { ... });
template <class Operation, class Property>
void with_target(const Property& property) {
  with_element(ElementsOf<Operation>{}, target().info().precision,
               [&]<class P>() { property.template operator()<P>(*target_as<Operation, P>()); });
}

}  // namespace tessera::test
