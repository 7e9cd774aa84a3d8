#ifndef TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP
#define TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP

#include "core/operations/registry.hpp"

#include <doctest/doctest.h>

/// \file
/// Devices for tests of whole chains of operations.

namespace tessera::pic::analytic {

/// On every backend that opens.
template <class Test>
void each_backend(const Test& test) {
  for (const BackendInfo& backend : registry().backends()) {
    if (!registry().unavailable(backend.name).empty()) continue;
    INFO(backend.name);
    test(registry().open(backend.name));
  }
}

/// What takes long: on a GPU where there is one, else on one core, because ctest has work for the
/// others. That all backends give the same is what conformance tests hold.
template <class Test>
void one_backend(const Test& test) {
  const Context context = registry().open();
  const bool on_host = context.memory() == MemorySpace::host;
  test(on_host ? registry().open("serial") : context);
}

}  // namespace tessera::pic::analytic

#endif  // TESSERA_TESTS_ANALYTIC_PIC_BACKENDS_HPP
