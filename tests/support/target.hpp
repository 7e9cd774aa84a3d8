#ifndef TESSERA_TESTS_SUPPORT_TARGET_HPP
#define TESSERA_TESTS_SUPPORT_TARGET_HPP

#include "core/memory/array.hpp"
#include "core/memory/device.hpp"
#include "core/operations/implementation.hpp"
#include "generated/elements.hpp"

#include <doctest/doctest.h>

/// \file
/// The implementation that the conformance program tests.

namespace tessera::test {

/// The implementation named by --implementation and --precision.
[[nodiscard]] const ImplementationBase& target();

/// A device that `target()` can run on.
[[nodiscard]] Context context();

/// The same context, with `target()` selected for calls of the operation.
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

/// A test of the target in its precision; the body can use `P` and `implementation`:
///
///     TESSERA_PROPERTY(Sum, "a term without columns counts the rows") { ... }
#define TESSERA_PROPERTY(Operation, text) \
  TESSERA_PROPERTY_AS(Operation, text, DOCTEST_ANONYMOUS(tessera_property_))
#define TESSERA_PROPERTY_AS(Operation, text, function)                               \
  template <class P>                                                                 \
  void function(const ::tessera::Implementation<Operation, P>& implementation);      \
  TEST_CASE(text) {                                                                  \
    ::tessera::test::with_target<Operation>(                                         \
        []<class P>(const ::tessera::Implementation<Operation, P>& implementation) { \
          function<P>(implementation);                                               \
        });                                                                          \
  }                                                                                  \
  template <class P>                                                                 \
  void function([[maybe_unused]] const ::tessera::Implementation<Operation, P>& implementation)

#endif  // TESSERA_TESTS_SUPPORT_TARGET_HPP
